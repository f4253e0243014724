"""Measured rows compared with held-out predictions, and the errors of those predictions."""
