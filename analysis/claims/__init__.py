"""Meaning of a claimed number, and whether our number supports the claim."""
