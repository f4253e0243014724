"""Short permanent links: a view and its choices encoded in a few letters, without a database."""
