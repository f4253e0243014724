"""Renderer-independent descriptions of charts, and the renderers."""
