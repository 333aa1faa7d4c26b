"""The editions of the rules, each in a folder of its own."""
