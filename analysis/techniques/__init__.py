"""What techniques change in running a model, and how many years of hardware growth they are worth."""
