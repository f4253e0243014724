"""How techniques change the running of a model, and how many years of hardware growth they are worth."""
