"""Whole training runs: their machine, cases read from a file, and predictions."""
