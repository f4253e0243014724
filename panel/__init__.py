"""The page of a view as HTML that is ready to read, and as JSON that changes it in place; knows no server."""
