"""Streamlit pages, each of which reads its settings, computes its view and shows the result."""
