"""Short permanent links: a view with its choices in a few letters, without a store."""
