"""Accuracy of past forecasts, and its use for the next one."""
