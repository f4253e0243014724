"""The address of every page; navigation and the web side read this one list."""

PAGES = ("training-compute", "accelerators", "data", "methods")
"""Paths below `/`, in the order of the menu. The start page is `/` itself."""
