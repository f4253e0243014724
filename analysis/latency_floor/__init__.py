"""Lower bound on the time per token."""
