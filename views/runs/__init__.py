"""Training runs as views use them: their selection, rows and parts."""
