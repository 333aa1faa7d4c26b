"""The 4th edition: what it decides otherwise than the editions before it."""
