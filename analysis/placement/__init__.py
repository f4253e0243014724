"""Predictions of how fast a device runs a model, from fits to measured speeds."""
