"""Views: one module per question, typed settings and a pure function from settings and data to a result."""
