"""Measured rows beside predictions they had no part in, and how far off those predictions are."""
