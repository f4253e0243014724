"""What every test shares: the same random cases each time, and pictures without a display."""

import os

import hypothesis

import data  # noqa: F401 - pandas is loaded as the app loads it

os.environ.setdefault("MPLBACKEND", "Agg")

hypothesis.settings.register_profile("steady", derandomize=True, deadline=None, print_blob=False)
hypothesis.settings.register_profile("search", deadline=None, max_examples=1000)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))
