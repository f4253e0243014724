"""Validation of tables against data/datapackage.json: names, order, types, bounds, keys, and known sources."""

import io
import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

DIRECTORY = Path(__file__).parent

Field = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class Problem:
    """A fault in a table, with its position (row 1 is the header) and the remedy."""

    file: str
    row: int | None
    column: str
    message: str
    name: str = ""

    def __str__(self) -> str:
        row = f", row {self.row}" if self.row else ""
        row += f" ({shown(self.name)})" if self.name else ""
        column = f", column {self.column!r}" if self.column else ""
        return f"{self.file}{row}{column}: {self.message}"


def shown(cell: str) -> str:
    """Return a cell as a message shows it: quoted, escaped, and cut if it is long."""
    return repr(cell if len(cell) <= 40 else cell[:40] + "…")


@cache
def package() -> Mapping[str, Any]:
    """Return the descriptor of all tables, from data/datapackage.json."""
    return json.loads((DIRECTORY / "datapackage.json").read_text(encoding="utf-8"))


@cache
def schema(table: str) -> Mapping[str, Any]:
    """Return the Table Schema of a table, such as ``accelerators``."""
    return json.loads((DIRECTORY / "schemas" / f"{table}.json").read_text(encoding="utf-8"))


def columns(table: str) -> tuple[str, ...]:
    """Return the names of a table's columns, in order."""
    return tuple(field["name"] for field in schema(table)["fields"])


def unit(table: str, *, column: str) -> str:
    """Return the unit of a column, or ``""`` for text, dates and flags.

    Raises LookupError if the table does not have the column.
    """
    for field in schema(table)["fields"]:
        if field["name"] == column:
            return str(field.get("unit", ""))
    raise LookupError(f"{table} has no column {column!r}; it has {', '.join(columns(table))}.")


def breaches(rows: Sequence[Sequence[str]], *, table: str, keys: Mapping[str, set[str]]) -> list[Problem]:
    """Return the problems of a table that is given as text, header first: none if the table fits its schema.

    ``keys`` has the allowed values of foreign keys by resource name (``{"sources": {...}}``); a foreign key into
    another resource is not checked.
    """
    description, names = schema(table), list(columns(table))
    if not rows or list(rows[0]) != names:
        header = ", ".join(rows[0]) if rows else "nothing"
        message = f"the columns must be {', '.join(names)}; got {header}."
        return [Problem(file=table, row=1, column="", message=message)]
    key = description.get("primaryKey", [])
    places = [names.index(name) for name in ([key] if isinstance(key, str) else key)]
    foreign = {
        names.index(link["fields"]): link["reference"]["resource"]
        for link in description.get("foreignKeys", [])
        if link["reference"]["resource"] in keys
    }
    first: dict[tuple[str, ...], int] = {}
    problems: list[Problem] = []

    def add(message: str, *columns: str) -> None:
        problems.append(Problem(file=table, row=number, column=", ".join(columns), message=message))

    for number, row in enumerate(rows[1:], start=2):
        if len(row) != len(names):
            add(f"{len(names)} cells are needed; got {len(row)}.")
            continue
        for field, cell in zip(description["fields"], row, strict=True):
            if message := cell_fault(cell, field=field):
                add(message, field["name"])
        value = tuple(row[place] for place in places)
        if places and first.setdefault(value, number) != number:
            message = f"{' / '.join(value)!r} is already in row {first[value]}; it must be unique."
            add(message, *(names[place] for place in places))
        for place, resource in foreign.items():
            if row[place] and row[place] not in keys[resource]:
                add(f"{row[place]!r} is not in {resource}. Add it there or correct it here.", names[place])
    return problems


def read_table(file: Path | io.StringIO, *, table: str) -> pd.DataFrame:
    """Return a stored table with typed columns. Missing text is ``""``.

    A column missing from an earlier sealed file is read from its former name in the field's ``was``; if that is empty,
    every cell is missing.
    """
    fields = schema(table)["fields"]
    numbers = [field["name"] for field in fields if field["type"] == "number"]
    dtypes = {field["name"]: "float64" if field["type"] == "number" else "str" for field in fields}
    frame = pd.read_csv(
        file,
        dtype=dtypes,
        keep_default_na=False,
        na_values={name: [""] for name in numbers},
        encoding="utf-8",
    )
    for field in fields:
        name = field["name"]
        if name not in frame and "was" in field:
            frame[name] = frame[field["was"]] if field["was"] else np.nan if name in numbers else ""
        if field["type"] == "date":
            frame[name] = pd.to_datetime(frame[name].replace("", None), format="%Y-%m-%d").astype(
                "datetime64[s]"
            )
        elif field["type"] == "boolean":
            frame[name] = frame[name] == "true"
    return frame


def cell_fault(cell: str, *, field: Field) -> str:
    """Return the fault of a cell under its field's type and constraints, or ``""`` if it has none."""
    limits: Mapping[str, Any] = field.get("constraints", {})
    if cell == "":
        return "a value is required here." if limits.get("required") else ""
    kind = field["type"]
    value: Any = cell
    if kind == "number":
        try:
            value = float(cell)
        except ValueError:
            return f"a number is needed; got {cell!r}."
        if not math.isfinite(value):
            return f"a finite number is needed; got {cell!r}."
    elif kind == "date":
        try:
            value = date.fromisoformat(cell).isoformat()
        except ValueError:
            return f"a date as YYYY-MM-DD is needed; got {cell!r}."
    elif kind == "boolean" and cell not in {"true", "false"}:
        return f"true or false is needed; got {cell!r}."
    if "enum" in limits and cell not in limits["enum"]:
        return f"one of {', '.join(limits['enum'])} is needed; got {cell!r}."
    if "pattern" in limits and not re.fullmatch(limits["pattern"], cell):
        return f"text like {limits['pattern']} is needed; got {cell!r}."
    unit = f" {field['unit']}" if field.get("unit", "1") not in {"", "1"} else ""
    words = ("at least", "at most") if kind == "number" else ("a date from", "a date to")
    for word, limit, side in zip(words, ("minimum", "maximum"), (1, -1), strict=True):
        bound = limits.get(limit)
        if bound is not None and (value < bound if side > 0 else value > bound):
            shown = f"{bound:g}{unit}" if kind == "number" else bound
            return f"{word} {shown} is plausible; got {cell}."
    return ""
