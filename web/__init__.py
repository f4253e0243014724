"""Views over HTTP, and protection of the server; based on Starlette and independent of Streamlit."""
