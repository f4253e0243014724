"""Views over HTTP, and protection of the server, with Starlette instead of Streamlit."""
