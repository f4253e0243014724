"""How long the tests take: `make test` asks a few cases of nearly each law, `make test-long` many of every one."""

import os
from typing import TypeVar

Cases = TypeVar("Cases")

LONG = os.environ.get("TESTS") == "long"
"""Whether every law is tried at length."""


def at_length(many: Cases, *, few: Cases) -> Cases:
    """Return how many cases a test tries, or which: ``few`` in `make test`, ``many`` in `make test-long`."""
    return many if LONG else few
