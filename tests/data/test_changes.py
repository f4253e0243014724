"""What the change report says of two releases."""

import dataclasses

import pandas as pd

from data import changes, releases
from data.releases import Release


def pair() -> tuple[Release, Release]:
    return releases.load("2025-11"), releases.load("2026-07")


def changed(release: Release, *, row: str, column: str, now: object) -> Release:
    parts = release.accelerators.copy()
    parts.loc[parts["name"] == row, column] = now
    return dataclasses.replace(release, accelerators=parts)


def test_a_release_differs_in_nothing_from_itself():
    _, new = pair()
    lines = changes.row_lines(before=new, after=new)
    assert [line.split(": ")[2] for line in lines] == ["0 added, 0 changed, 0 gone"] * 2


def test_a_changed_cell_is_said_with_both_values():
    _, new = pair()
    after = changed(new, row="NVIDIA A100", column="power_w", now=500.0)
    lines = changes.row_lines(before=new, after=after)
    assert "  changed NVIDIA A100, power_w: 400 -> 500" in lines


def test_dates_flags_and_missing_values_are_said_in_words():
    _, new = pair()
    row = "NVIDIA A100"
    moved = changed(new, row=row, column="released_on", now=pd.Timestamp("2020-05-14"))
    assert f"  changed {row}, released_on: 2020-03-01 -> 2020-05-14" in changes.row_lines(
        before=new, after=moved
    )
    undated = changed(new, row=row, column="released_on", now=pd.NaT)
    assert f"  changed {row}, released_on: 2020-03-01 -> nothing" in changes.row_lines(
        before=new, after=undated
    )
    emptied = changed(new, row=row, column="power_w", now=float("nan"))
    assert f"  changed {row}, power_w: 400 -> nothing" in changes.row_lines(before=new, after=emptied)


def test_rows_that_came_and_went_are_named():
    old, new = pair()
    lines = changes.row_lines(before=old, after=new)
    assert "  added   NVIDIA VR200" in lines
    assert "  gone    NVIDIA B100" in lines
    assert any(line.startswith("  and ") and line.endswith(" more") for line in lines)


def test_every_difference_is_in_the_table_of_changes():
    old, new = pair()
    table = changes.cell_changes(before=old, after=new)
    assert list(table.columns) == ["table", "row", "field", "was", "now"]
    rows = table.set_index(["row", "field"])["now"].to_dict()
    assert rows["NVIDIA VR200", "row"] == "added" and rows["NVIDIA B100", "row"] == "gone"
    assert rows["Google TPU v7 Ironwood", "power_w"] == "960"
    assert changes.cell_changes(before=new, after=new).empty
