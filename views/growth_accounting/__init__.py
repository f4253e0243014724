"""Decomposition of the growth of training compute."""
