"""The curated tables, their contract, and the building and reading of releases."""

import os
import sys

# With more threads, the small matrices of our models take longer, and other processes have to wait.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

if "pandas" not in sys.modules:
    # Streamlit installs pyarrow, which pandas would use for text. Tables as short as ours load faster and smaller
    # as Python strings, and 50 MB of libraries stay out of the process until Streamlit draws a grid.
    sys.modules["pyarrow"] = None  # pyright: ignore[reportArgumentType]
    try:
        import pandas  # noqa: F401
    finally:
        del sys.modules["pyarrow"]
