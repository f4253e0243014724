"""The page /compute-to-memory: how many FLOP per byte chips will offer, and which work is memory-bound."""
