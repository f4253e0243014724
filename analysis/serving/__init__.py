"""What accelerators serve under load."""
