"""Chips for views: their selection, rows and quantities."""
