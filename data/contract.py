"""Holds tables to data/datapackage.json: names, order, types, bounds, keys, and sources that resolve."""

import io
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

DIRECTORY = Path(__file__).parent

Field = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Breach:
    """One place where a table departs from its description; row 1 is the header."""

    table: str
    row: int | None
    column: str
    message: str

    def __str__(self) -> str:
        row = f", row {self.row}" if self.row else ""
        column = f", column {self.column!r}" if self.column else ""
        return f"{self.table}{row}{column}: {self.message}"


@cache
def package() -> Mapping[str, Any]:
    """Return the descriptor of all tables, as data/datapackage.json has it."""
    return json.loads((DIRECTORY / "datapackage.json").read_text(encoding="utf-8"))


@cache
def schema(table: str) -> Mapping[str, Any]:
    """Return the Table Schema of a table, such as ``accelerators``.

    Raises
    ------
    LookupError
        A table without a schema; the message names those there are.
    """
    path = DIRECTORY / "schemas" / f"{table}.json"
    if not re.fullmatch(r"[a-z_]+", table) or not path.exists():
        known = ", ".join(sorted(file.stem for file in (DIRECTORY / "schemas").glob("*.json")))
        raise LookupError(f"no table is called {table!r}; there are {known}.")
    return json.loads(path.read_text(encoding="utf-8"))


def columns(table: str) -> tuple[str, ...]:
    """Return the column names of a table, in order."""
    return tuple(field["name"] for field in schema(table)["fields"])


def unit(table: str, *, column: str) -> str:
    """Return the unit of a column, ``""`` for text, dates and flags.

    Raises
    ------
    LookupError
        A column the table does not have.
    """
    for field in schema(table)["fields"]:
        if field["name"] == column:
            return str(field.get("unit", ""))
    raise LookupError(f"{table} has no column {column!r}; it has {', '.join(columns(table))}.")


def breaches(rows: Sequence[Sequence[str]], *, table: str, keys: Mapping[str, set[str]]) -> list[Breach]:
    """Return where a table as text, header first, departs from its schema; an empty list if nowhere.

    ``keys`` gives the values that foreign keys may take, by resource name (``{"sources": {...}}``);
    a foreign key into a resource that is not given is not checked.
    """
    description = schema(table)
    names = list(columns(table))
    if not rows or list(rows[0]) != names:
        held = ", ".join(rows[0]) if rows else "nothing"
        message = f"the columns must be {', '.join(names)}; got {held}."
        return [Breach(table=table, row=1, column="", message=message)]
    return [
        *_cell_breaches(rows, table=table, fields=description["fields"]),
        *_key_breaches(rows, table=table, key=description.get("primaryKey", []), names=names),
        *_foreign_breaches(rows, table=table, foreign=description.get("foreignKeys", []), keys=keys),
    ]


def read_table(file: Path | io.StringIO, *, table: str) -> pd.DataFrame:
    """Return a stored table: dates datetime64, numbers float64, flags bool, missing text ``""``."""
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
        if field["type"] == "date":
            frame[name] = pd.to_datetime(frame[name].replace("", None), format="%Y-%m-%d").astype(
                "datetime64[s]"
            )
        elif field["type"] == "boolean":
            frame[name] = frame[name] == "true"
    return frame


def _cell_breaches(rows: Sequence[Sequence[str]], *, table: str, fields: Sequence[Field]) -> Iterator[Breach]:
    for number, row in enumerate(rows[1:], start=2):
        if len(row) != len(fields):
            message = f"{len(fields)} cells are needed; got {len(row)}."
            yield Breach(table=table, row=number, column="", message=message)
            continue
        for field, cell in zip(fields, row, strict=True):
            message = cell_fault(cell, field=field)
            if message:
                yield Breach(table=table, row=number, column=field["name"], message=message)


def cell_fault(cell: str, *, field: Field) -> str:
    """Return what is wrong with a cell under its field's type and constraints, ``""`` if nothing."""
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


def _key_breaches(
    rows: Sequence[Sequence[str]], *, table: str, key: str | Sequence[str], names: list[str]
) -> Iterator[Breach]:
    columns_of_key = [key] if isinstance(key, str) else list(key)
    if not columns_of_key:
        return
    places = [names.index(name) for name in columns_of_key]
    first: dict[tuple[str, ...], int] = {}
    for number, row in enumerate(rows[1:], start=2):
        if len(row) != len(names):
            continue
        value = tuple(row[place] for place in places)
        if value in first:
            message = f"{' / '.join(value)!r} is already in row {first[value]}; it must be unique."
            yield Breach(table=table, row=number, column=", ".join(columns_of_key), message=message)
        first.setdefault(value, number)


def _foreign_breaches(
    rows: Sequence[Sequence[str]], *, table: str, foreign: Sequence[Field], keys: Mapping[str, set[str]]
) -> Iterator[Breach]:
    names = list(rows[0])
    for link in foreign:
        resource = link["reference"]["resource"]
        if resource not in keys:
            continue
        place = names.index(link["fields"])
        for number, row in enumerate(rows[1:], start=2):
            if len(row) == len(names) and row[place] and row[place] not in keys[resource]:
                message = f"{row[place]!r} is not in {resource}. Add it there or correct it here."
                yield Breach(table=table, row=number, column=link["fields"], message=message)
