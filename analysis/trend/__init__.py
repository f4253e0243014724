"""Statistics of growth: which points, which line, how sure, how far ahead."""
