"""Cost of a million tokens at each speed and in each year."""
