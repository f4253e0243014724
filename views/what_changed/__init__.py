"""The page /what-changed: what a release changed, and whether a quoted number is still valid."""
