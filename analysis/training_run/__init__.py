"""Predictions of whole training runs, and cases read from a file."""
