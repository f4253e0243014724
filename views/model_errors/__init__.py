"""The page /model-errors: how accurate the models are on held-out measurements."""
