"""The attack description and its readers. Knows no edition."""
