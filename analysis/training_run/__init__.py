"""A whole training run: its machine, its cases from a file, and what the model predicts for them."""
