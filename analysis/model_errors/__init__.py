"""Measured rows with held-out predictions, and their errors."""
