"""The phases of the classic editions as procedures: they ask the table of rules, and never which edition it is."""
