"""Chips: names, specifications and achievable rates."""
