"""Estimates and models on plain numbers, without files, charts or text."""
