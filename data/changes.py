"""Says what a new release changes for a reader: rows, cells and headline growth rates, before and after."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from data.releases import TABLES, Release, sealed

SHOWN = 40


@dataclass(frozen=True, kw_only=True)
class Headline:
    """One growth rate of a release: dated values above zero and the rule that selects among them."""

    label: str
    date: np.ndarray
    value: np.ndarray
    cluster: np.ndarray
    name: np.ndarray
    rule: Literal["all", "frontier"]
    since: int | None


Rate = Callable[[Headline], float]


def headlines(release: Release) -> tuple[Headline, ...]:
    """Return the six series whose growth rates a new release must not move unseen."""
    runs = release.training_runs.loc[release.training_runs["excluded"] == ""]
    language = runs.loc[runs.loc[:, "domain"].str.split(";").map(lambda parts: "Language" in parts)]
    parts = release.accelerators
    fit = parts["representative"] & (parts["excluded"] == "") & (parts["status"] == "shipped")
    curated = parts.loc[fit & (parts["memory_kind"] != "SRAM")]
    flagships = curated.loc[
        curated["flagship"] & (curated["vendor"] == "NVIDIA") & (curated["segment"] == "data-centre")
    ]
    compute, bandwidth = "training_compute_flop", "memory_bandwidth_byte_per_s"
    series: tuple[tuple[str, pd.DataFrame, str, Literal["all", "frontier"], int | None], ...] = (
        ("training compute, top 10 at release, since 2012", runs, compute, "frontier", 2012),
        ("language, top 10 at release, since 2020", language, compute, "frontier", 2020),
        ("all notable, since 2010", runs, compute, "all", 2010),
        ("bandwidth, all chips as exported", release.exported_accelerators, bandwidth, "all", None),
        ("bandwidth, all products, curated", curated, bandwidth, "all", None),
        ("bandwidth, NVIDIA flagships since 2012", flagships, bandwidth, "all", 2012),
    )
    return tuple(
        _headline(label, frame, column=column, rule=rule, since=since)
        for label, frame, column, rule, since in series
    )


def _headline(
    label: str, frame: pd.DataFrame, *, column: str, rule: Literal["all", "frontier"], since: int | None
) -> Headline:
    day, cluster = ("published_on", "organisation") if "published_on" in frame else ("released_on", "vendor")
    dated = frame.loc[frame.loc[:, day].notna() & frame.loc[:, column].notna()]
    return Headline(
        label=label,
        date=dated.loc[:, day].to_numpy(dtype="datetime64[D]"),
        value=dated.loc[:, column].to_numpy(dtype="float64"),
        cluster=dated.loc[:, cluster].to_numpy(dtype=object),
        name=dated.loc[:, "name"].to_numpy(dtype=object),
        rule=rule,
        since=since,
    )


def rate_lines(*, before: Release | None, after: Release, rate: Rate) -> list[str]:
    """Return one line per headline rate: its value in the older release and in the new one."""
    old = {headline.label: rate(headline) for headline in headlines(before)} if before else {}
    lines = []
    for headline in headlines(after):
        value = rate(headline)
        past = old.get(headline.label, math.nan)
        was = "-" if math.isnan(past) else f"{past:.3f}x"
        lines.append(f"  {headline.label:50} {was:>8} -> {value:.3f}x a year")
    return lines


def row_lines(*, before: Release | None, after: Release) -> list[str]:
    """Return which rows of either table came, went or changed, and in which cells."""
    lines: list[str] = []
    for table in TABLES[:2]:
        count = len(getattr(after, table))
        if before is None:
            lines.append(f"{table}: {count} rows, no earlier release to compare with")
            continue
        came, went, cells = _changes(table, before=before, after=after)
        counts = f"{len(came)} added, {len({name for name, *_ in cells})} changed, {len(went)} gone"
        lines.append(f"{table}: {len(getattr(before, table))} -> {count} rows: {counts}")
        lines += _some(f"  added   {name}" for name in came)
        lines += _some(f"  gone    {name}" for name in went)
        lines += _some(f"  changed {name}, {column}: {was} -> {now}" for name, column, was, now in cells)
    return lines


def standing_lines(*, before: str, now: Mapping[str, bytes]) -> list[str]:
    """Return which standing tables differ from those that a release was sealed with, by their lines."""
    was = {table: content.whole() for table, content in sealed(before).standing.items()}
    lines: list[str] = []
    for table in sorted(was.keys() | now.keys()):
        old, new = (Counter(tables.get(table, b"").splitlines()) for tables in (was, now))
        if old != new:
            lines.append(f"  {table}: {(new - old).total()} lines came, {(old - new).total()} went")
    return [f"standing tables: {len(lines)} changed", *lines]


def cell_changes(*, before: Release, after: Release) -> pd.DataFrame:
    """Return every difference between two releases as a table: table, row, field, was, now.

    A row that came or went is one line, with ``row`` as its field.
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
    """Return the names of rows that came and that went, and each changed cell: row, field, was, now."""
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
