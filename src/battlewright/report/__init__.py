"""What has happened, told: events as text, a battle on the terminal, a battle as a page.

Knows what the events of each edition mean; decides nothing.
"""
