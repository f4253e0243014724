"""Streamlit pages: each reads its settings, asks its view, and shows the result."""
