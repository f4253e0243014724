"""Measured rows with held-out predictions, and the predictions' errors."""
