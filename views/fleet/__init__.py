"""The page /fleet: how much compute and bandwidth has been shipped."""
