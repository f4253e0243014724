"""What a new release changes in rows, cells and the tables that all releases share."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping

import pandas as pd

from data.releases import TABLES, Release, sealed

SHOWN = 40


def row_lines(*, before: Release, after: Release) -> list[str]:
    """Return lines that name the rows added, removed or changed between two releases, and the changed cells."""
    lines: list[str] = []
    for table in TABLES[:2]:
        came, went, cells = _changes(table, before=before, after=after)
        counts = f"{len(came)} added, {len({name for name, *_ in cells})} changed, {len(went)} gone"
        lines.append(f"{table}: {len(getattr(before, table))} -> {len(getattr(after, table))} rows: {counts}")
        lines += _some(f"  added   {name}" for name in came)
        lines += _some(f"  gone    {name}" for name in went)
        lines += _some(f"  changed {name}, {column}: {was} -> {now}" for name, column, was, now in cells)
    return lines


def standing_lines(*, before: str, now: Mapping[str, bytes]) -> list[str]:
    """Return lines that name the standing tables that differ from those sealed with a release."""
    was = {table: content.whole() for table, content in sealed(before).standing.items()}
    lines: list[str] = []
    for table in sorted(was.keys() | now.keys()):
        old, new = (Counter(tables.get(table, b"").splitlines()) for tables in (was, now))
        if old != new:
            lines.append(f"  {table}: {(new - old).total()} lines came, {(old - new).total()} went")
    return [f"standing tables: {len(lines)} changed", *lines]


def cell_changes(*, before: Release, after: Release) -> pd.DataFrame:
    """Return all differences between two releases, in columns ``table``, ``row``, ``field``, ``was`` and ``now``.

    An added or removed row is one line, with ``row`` as its field.
    """
    rows: list[tuple[str, ...]] = []
    for table in TABLES[:2]:
        came, went, cells = _changes(table, before=before, after=after)
        rows += [(table, name, "row", "", "added") for name in came]
        rows += [(table, name, "row", "there", "gone") for name in went]
        rows += [(table, *cell) for cell in cells]
    return pd.DataFrame(rows, columns=["table", "row", "field", "was", "now"])


def _changes(
    table: str, *, before: Release, after: Release
) -> tuple[list[str], list[str], list[tuple[str, ...]]]:
    """Return the names of added and of removed rows, and each changed cell as (row, field, was, now)."""
    old, new = (getattr(release, table).set_index("name") for release in (before, after))
    both = new.index.intersection(old.index)
    cells: list[tuple[str, ...]] = []
    for column in new.columns:
        was, now = old.loc[both, column], new.loc[both, column]
        differs = ~((was == now) | (was.isna() & now.isna()))
        cells += [(name, column, _shown(was[name]), _shown(now[name])) for name in both[differs]]
    return list(new.index.difference(old.index)), list(old.index.difference(new.index)), sorted(cells)


def _shown(value: object) -> str:
    if isinstance(value, float):
        return "nothing" if math.isnan(value) else f"{value:g}"
    if isinstance(value, pd.Timestamp):
        return value.date().isoformat()
    text = "" if value is pd.NaT else str(value)
    return text if text else "nothing"


def _some(lines: Iterable[str]) -> list[str]:
    every = list(lines)
    rest = len(every) - SHOWN
    return every[:SHOWN] + ([f"  and {rest} more"] if rest > 0 else [])
