"""Accuracy of past forecasts, and the use of that accuracy for new forecasts."""
