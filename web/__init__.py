"""Views over HTTP and protection of the server; uses Starlette, and nothing of Streamlit."""
