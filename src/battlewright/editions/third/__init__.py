"""The 3rd edition: what it adds to the classic editions' common ground, or decides otherwise."""
