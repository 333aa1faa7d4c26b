"""The vocabulary that every edition shares; imports nothing else of ours."""
