"""HTTP forms of a view and what guards them; knows Starlette, and nothing of Streamlit."""
