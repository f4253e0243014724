"""Streamlit pages. Each reads its settings, computes its view and shows the result."""
