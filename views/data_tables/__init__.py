"""Rows of the tables, their sources and their corrections."""
