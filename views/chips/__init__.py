"""Chips as views take them: which, from which rows, in which quantity."""
