"""The page /compute-to-memory: FLOP per byte of future chips, and which work is memory-bound."""
