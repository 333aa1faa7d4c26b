"""The 6th edition: what it decides otherwise than the editions before it."""
