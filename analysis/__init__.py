"""Estimates and models that operate on plain numbers, without files, charts or text."""
