"""Epoch AI exports of any size, made from the rows of a release."""

import itertools
from functools import cache

import pandas as pd

from data import contract, table_text
from data.curation_tables import MODELS, Column
from data.releases import latest, load


def written(rows: list[dict[str, str]], columns: tuple[Column, ...], *, spelling: int = 0) -> bytes:
    """Return rows as CSV under the export's headers. ``spelling`` selects a spelling of the headers."""
    header = [column.aliases[min(spelling, len(column.aliases) - 1)] for column in columns]
    cells = [[row.get(column.name, "") for column in columns] for row in rows]
    return table_text.csv_of([header, *cells]).encode()


def exported_rows(frame: pd.DataFrame, columns: tuple[Column, ...], *, table: str) -> list[dict[str, str]]:
    """Return rows of an export that would give this table."""
    names = contract.columns(table)
    rows = [dict(zip(names, row, strict=True)) for row in table_text.rows(frame, table=table)[1:]]
    for row in rows:
        row["accessibility"] = "Open weights" if row.get("open_weights") == "true" else ""
        for column in columns:
            if column.scale != 1 and row.get(column.name):
                row[column.name] = repr(float(row[column.name]) / column.scale)
            if column.kind == "list" and column.name in row:
                row[column.name] = row[column.name].replace(";", ",")
    return rows


@cache
def export_of_runs(count: int) -> bytes:
    """Return an export of ``count`` models, repeated from the newest release under new names."""
    rows = exported_rows(load(latest()).training_runs, MODELS, table="training_runs")
    turns = itertools.chain.from_iterable(
        ({**row, "name": f"{row['name']}{f' ({turn})' if turn else ''}"} for row in rows)
        for turn in itertools.count()
    )
    return written(list(itertools.islice(turns, count)), MODELS)
