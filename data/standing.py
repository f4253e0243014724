"""Gives the standing tables: devices, prices, networks, models, formats, measured speeds, claims, published figures."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, cast

import pandas as pd

from data import contract

DIRECTORY = Path(__file__).parent / "standing"


def names() -> tuple[str, ...]:
    """Return the names of the standing tables, in alphabetical order."""
    return tuple(sorted(path.stem for path in DIRECTORY.glob("*.csv")))


@cache
def table(name: str) -> pd.DataFrame:
    """Return a standing table such as ``edge_devices``; read once, then kept.

    Numbers are float64 with NaN for missing, text ``""`` for missing, dates datetime64, flags bool.
    ``contract.unit(name, column=...)`` gives units. Treat the frame as read-only: it is shared.

    Raises
    ------
    LookupError
        A table that does not exist; the message names those that do.
    """
    if name not in names():
        raise LookupError(f"there is no standing table {name!r}; there are {', '.join(names())}.")
    return contract.read_table(DIRECTORY / f"{name}.csv", table=name)


@cache
def rows(name: str, key: str) -> Mapping[str, Mapping[str, Any]]:
    """Return a standing table's rows as plain values by their ``key`` column, the first of equals; read-only."""
    lines = cast(list[dict[str, Any]], table(name).to_dict("records"))
    return {str(line[key]): line for line in reversed(lines)}


def description(name: str) -> str:
    """Return what a standing table holds, in one sentence."""
    path = f"standing/{name}.csv"
    return next(part["description"] for part in contract.package()["resources"] if part["path"] == path)
