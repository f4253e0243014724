"""The curated tables, their contract, and how a release of them is built and read."""

import sys

if "pandas" not in sys.modules:
    # Streamlit brings pyarrow, and pandas would keep its text there. Tables as short as ours are read and held in less
    # as Python's own text, and 50 MB of libraries stay out of the process until Streamlit draws a grid.
    sys.modules["pyarrow"] = None  # pyright: ignore[reportArgumentType]
    try:
        import pandas  # noqa: F401
    finally:
        del sys.modules["pyarrow"]
