"""Effects of techniques on a model's cost, and the years of hardware growth that they are worth."""
