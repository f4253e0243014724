"""Growth statistics as pure numbers: which points, which line, how sure, how far ahead."""
