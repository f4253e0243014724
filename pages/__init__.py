"""Streamlit pages: each reads its settings, queries its view, and shows the result."""
