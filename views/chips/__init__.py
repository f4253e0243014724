"""Chips in views: selection, rows and quantities."""
