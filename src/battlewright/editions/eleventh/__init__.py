"""The 11th edition (2026)."""
