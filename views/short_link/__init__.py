"""Short permanent links. A view and its choices are encoded in a few letters, without a database."""
