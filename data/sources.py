"""Sources of rows, keyed by ID: title, publisher, address and licence."""

from collections.abc import Mapping
from typing import Any, cast

import pandas as pd

from data import contract, standing
from data.by_release import kept_by_release

PATH = contract.DIRECTORY / "sources.csv"
"""The file to edit. A release uses its sealed copy."""


def table() -> pd.DataFrame:
    """Return the table of sources, in file order. Shared and read-only."""
    return standing.table("sources")


@kept_by_release()
def rows() -> Mapping[str, Mapping[str, Any]]:
    """Return the row of each source as plain values, keyed by source ID, in table order. Read-only."""
    lines = cast(list[dict[str, Any]], table().to_dict("records"))
    return {str(line["source_id"]): line for line in lines}


def address(source_id: str) -> str:
    """Return the address of a source. Empty if the release was sealed before the source was added."""
    return str(rows().get(source_id, {}).get("url", ""))
