"""The page of a view as complete HTML, and as JSON for in-place changes; independent of servers."""
