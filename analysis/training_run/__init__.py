"""Whole training runs: the machine, cases from a file, and predictions."""
