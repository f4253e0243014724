"""The page /training-run: how long a training run takes, and what limits it."""
