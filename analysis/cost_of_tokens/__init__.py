"""Cost of a million tokens by speed and year."""
