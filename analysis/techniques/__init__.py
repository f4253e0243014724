"""What a technique changes in how a model is run, and how many years of hardware it is worth."""
