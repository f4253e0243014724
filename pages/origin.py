"""Under which address does this reader know us?"""

import os

import streamlit as st


def origin() -> str:
    """Return scheme and host of this site as readers reach it: PUBLIC_URL, or what the browser says."""
    public = os.environ.get("PUBLIC_URL", "").rstrip("/")
    if public:
        return public
    scheme, _, rest = (st.context.url or "").partition("://")
    return f"{scheme}://{rest.partition('/')[0]}" if rest else ""
