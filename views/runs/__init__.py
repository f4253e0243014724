"""Training runs for views: their selection, rows and parts."""
