"""What a claimed number means, and whether our number supports it."""
