"""Charts: one renderer-neutral description, and the renderers that draw it."""
