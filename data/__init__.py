"""The curated tables, their contract, and how a release of them is built and read."""
