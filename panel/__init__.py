"""The page of a view as complete HTML, and as JSON for changes in place. No server is needed."""
