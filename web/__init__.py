"""Views over HTTP, and protection of the server. Uses Starlette, not Streamlit."""
