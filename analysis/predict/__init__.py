"""What the three `predict` commands share: their columns, a reader's table, and the command itself."""
