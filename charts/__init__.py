"""Descriptions of charts, independent of renderers, and the renderers."""
