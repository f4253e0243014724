"""Access to the standing tables: devices, prices, networks, models, formats, speeds, claims, published figures.

They are those sealed with the release of the current answer (:func:`data.releases.reading`); outside of an answer,
those of the newest.
"""

import io
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, cast

import pandas as pd

from data import contract, releases
from data.by_release import kept_by_release
from data.seal import Content

DIRECTORY = contract.DIRECTORY / "standing"


def names() -> tuple[str, ...]:
    """Return the names of the standing tables in alphabetical order, without ``sources``."""
    return tuple(sorted(set(releases.tables().standing) - {"sources"}))


def table(name: str) -> pd.DataFrame:
    """Return ``sources`` or a standing table, such as ``edge_devices``. The result is cached.

    Numbers are float64 with NaN for missing, text ``""`` for missing, dates datetime64, flags bool.
    ``contract.unit(name, column=...)`` gives units. The frame is shared and read-only.

    Raises LookupError if the table does not exist; the message lists those that do.
    """
    content = releases.tables().standing.get(name)
    if content is None:
        raise LookupError(f"there is no standing table {name!r}; there are {', '.join(names())}.")
    return _frame(name, content)


@lru_cache(maxsize=256)
def _frame(name: str, content: Content) -> pd.DataFrame:
    return contract.read_table(io.StringIO(content.whole().decode(), newline=""), table=name)


@kept_by_release()
def rows(name: str, key: str) -> Mapping[str, Mapping[str, Any]]:
    """Return a standing table's rows, keyed by a column. Of rows with equal keys, the first counts. Read-only."""
    lines = cast(list[dict[str, Any]], table(name).to_dict("records"))
    return {str(line[key]): line for line in reversed(lines)}


def description(name: str) -> str:
    """Return the description of a standing table, in one sentence."""
    path = f"standing/{name}.csv"
    return next(part["description"] for part in contract.package()["resources"] if part["path"] == path)


def working() -> dict[str, bytes]:
    """Return the editable files to seal with the next release, keyed by table, including ``sources``."""
    paths = (*sorted(DIRECTORY.glob("*.csv")), DIRECTORY.with_name("sources.csv"))
    return {path.stem: path.read_bytes() for path in paths}
