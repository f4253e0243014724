import dataclasses

import pandas as pd
import pytest

from data import changes, releases
from data.releases import Release


def pair() -> tuple[Release, Release]:
    return releases.load("2025-11"), releases.load("2026-07")


def changed(release: Release, *, row: str, column: str, now: object) -> Release:
    parts = release.accelerators.copy()
    parts.loc[parts["name"] == row, column] = now
    return dataclasses.replace(release, accelerators=parts)


@pytest.mark.parametrize(
    ("column", "now", "words"),
    [
        ("power_w", 500.0, "400 -> 500"),
        ("power_w", float("nan"), "400 -> nothing"),
        ("released_on", pd.Timestamp("2020-05-14"), "2020-03-01 -> 2020-05-14"),
        ("released_on", pd.NaT, "2020-03-01 -> nothing"),
    ],
)
def test_a_changed_cell_is_said_with_both_values_in_words(*, column, now, words):
    new = releases.load("2026-07")
    after = changed(new, row="NVIDIA A100", column=column, now=now)
    assert f"  changed NVIDIA A100, {column}: {words}" in changes.row_lines(before=new, after=after)


def test_rows_that_came_and_went_are_named_and_every_difference_is_in_the_table():
    old, new = pair()
    lines = changes.row_lines(before=old, after=new)
    assert "  added   NVIDIA VR200" in lines
    assert "  gone    NVIDIA B100" in lines
    assert any(line.startswith("  and ") and line.endswith(" more") for line in lines)
    table = changes.cell_changes(before=old, after=new)
    assert list(table.columns) == ["table", "row", "field", "was", "now"]
    rows = table.set_index(["row", "field"])["now"].to_dict()
    assert rows["NVIDIA VR200", "row"] == "added" and rows["NVIDIA B100", "row"] == "gone"
    assert rows["Google TPU v7 Ironwood", "power_w"] == "960"
    assert changes.cell_changes(before=new, after=new).empty
