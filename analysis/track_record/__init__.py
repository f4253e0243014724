"""Accuracy of past forecasts, and what it implies for the next forecast."""
