"""Charts: one description, independent of renderers, and the renderers that draw it."""
