"""Every source that a row names: its title, publisher, address and licence, by its key."""

from collections.abc import Mapping
from typing import Any, cast

import pandas as pd

from data import contract, standing
from data.by_release import kept_by_release

PATH = contract.DIRECTORY / "sources.csv"
"""The file that we edit; a release is read with the copy that it was sealed with."""


def table() -> pd.DataFrame:
    """Return the table of sources, in its own order. Read-only: it is shared."""
    return standing.table("sources")


@kept_by_release()
def rows() -> Mapping[str, Mapping[str, Any]]:
    """Return each source's row as plain values by its key, in the table's order; read-only."""
    lines = cast(list[dict[str, Any]], table().to_dict("records"))
    return {str(line["source_id"]): line for line in lines}


def address(source_id: str) -> str:
    """Return where a source can be read; empty where the release was sealed before the source came."""
    return str(rows().get(source_id, {}).get("url", ""))
