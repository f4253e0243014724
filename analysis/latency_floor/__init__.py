"""The least time a token can take."""
