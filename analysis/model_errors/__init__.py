"""Measured rows beside held-out predictions, and the errors of those predictions."""
