"""Tables of cases beside the tests that read them."""

import tomllib
from pathlib import Path
from typing import Any


def cases(test: str) -> dict[str, Any]:
    """Return the tables of a test by name: test_names.py reads names.toml beside it."""
    file = Path(test)
    return tomllib.loads(
        file.with_name(f"{file.stem.removeprefix('test_')}.toml").read_text(encoding="utf-8")
    )
