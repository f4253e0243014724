"""Views: one module per question, each with typed settings and a pure function from settings and data to a result."""
