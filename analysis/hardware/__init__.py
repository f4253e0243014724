"""What a chip is, what it is called, and what it does."""
