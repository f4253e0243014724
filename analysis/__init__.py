"""Estimates and models as pure numbers, without files, charts or text for readers."""
