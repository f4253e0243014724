"""Chips as views use them: their selection, rows and quantities."""
