"""Rows of our tables and of the releases agree with themselves and with each other, as laws.toml says."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from data import releases, standing
from tests.cases import cases

TEXT = cases(__file__)
NAMED = "2026-07"
"""The release whose accelerators the standing tables name."""


def column_of(key: Any, *, path: list[str]) -> pd.Series:
    """Return what a table, or a list of laws.toml, has for each key."""
    name, *columns = path
    if not columns:
        return key.map(TEXT[name])
    frame: Any = getattr(releases.load(NAMED), name) if name in releases.OWN else standing.table(name)
    by, column = columns
    return key.map(frame.drop_duplicates(by).set_index(by)[column])


def broken(law: dict[str, Any], frame: pd.DataFrame) -> list[str]:
    """Return in what way rows break a law."""
    for name, (key, *path) in law.get("lookup", {}).items():
        frame = frame.assign(**{name: column_of(frame[key], path=path)})
    rows = frame.query(law["where"], engine="python") if "where" in law else frame
    faults = [f"{len(rows)} rows"] if len(rows) != law.get("rows", len(rows)) or rows.empty else []
    if "true" in law:
        is_so = np.broadcast_to(rows.eval(law["true"], engine="python"), len(rows)).astype(bool)
        faults += [f"not so: {row.tolist()[:4]}" for row in rows.to_numpy()[~is_so]]
    if "value" in law:
        values = np.atleast_1d(np.asarray(rows.eval(law["value"], engine="python"), dtype=float))
        values = values[~np.isnan(values)]
        beyond = values[(values < law["low"]) | (values > law["high"])]
        if not len(values) or len(beyond) > (1 - law.get("share", 1)) * len(values):
            faults.append(f"{len(beyond)} of {len(values)} values beyond: {beyond[:5].tolist()}")
    if "unique" in law and rows.duplicated(law["unique"]).any():
        faults.append(f"not unique: {rows.loc[rows.duplicated(law['unique']), law['unique']].head().values}")
    return faults


@pytest.mark.parametrize("law", TEXT["law"], ids=lambda law: f"{law['table']}: {law['what']}")
def test_a_law_of_the_tables_holds(law):
    if law["table"] in releases.OWN:
        frames = [getattr(releases.load(name), law["table"]) for name in releases.names()]
    else:
        frames = [standing.table(law["table"])]
    for frame in frames:
        assert broken(law, frame) == []


@pytest.mark.parametrize(("law", "fault"), TEXT["broken"])
def test_a_row_that_breaks_a_law_is_found(law, fault):
    frame = pd.DataFrame({"chip": ["a", "b", "b", "c"], "units": [1.0, 2.0, 2.0, np.nan]})
    frame = frame if "where" in law else frame.head(3)
    faults = broken(law, frame)
    assert fault in "\n".join(faults) and bool(faults) == bool(fault)
