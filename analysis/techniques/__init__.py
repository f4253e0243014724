"""How techniques change a model's cost, and how many years of hardware growth they are worth."""
