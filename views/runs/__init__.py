"""Training runs in views: selection, rows and parts."""
