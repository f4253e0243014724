"""The page /cost-of-tokens: what a million tokens will cost, by speed and year."""
