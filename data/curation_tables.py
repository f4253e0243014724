"""Reader of our tables under data/curation: corrections, exclusions, additions and groups, with reasons.

``export_columns.csv`` there maps the columns of an export: aliases, kinds and unit conversions.
"""

import csv
from dataclasses import dataclass, fields
from pathlib import Path

DIRECTORY = Path(__file__).parent / "curation"

Line = dict[str, str]


@dataclass(frozen=True, kw_only=True)
class Curation:
    """Our tables under data/curation, each a list of rows of text cells."""

    corrections: list[Line]
    exclusions: list[Line]
    additions: list[Line]
    products: list[Line]
    renames: list[Line]
    hardware_aliases: list[Line]
    active_parameters: list[Line]


def read_lines(path: Path) -> list[Line]:
    """Return the rows of a curation table, each keyed by column. Cells are text without surrounding blanks."""
    with path.open(encoding="utf-8", newline="") as file:
        return [{name: cell.strip() for name, cell in line.items()} for line in csv.DictReader(file)]


def read() -> Curation:
    """Return all curation tables of this project."""
    return Curation(**{table.name: read_lines(DIRECTORY / f"{table.name}.csv") for table in fields(Curation)})


@dataclass(frozen=True, kw_only=True)
class Column:
    """A column of our tables, with all its names in exports. The table's schema describes its values.

    ``scale`` converts the export's unit to ours.
    """

    name: str
    aliases: tuple[str, ...]
    kind: str
    scale: float
    zero: bool
    optional: bool


def _columns(table: str) -> tuple[Column, ...]:
    return tuple(
        Column(
            name=line["name"],
            aliases=tuple(line["aliases"].split(";")),
            kind=line["kind"],
            scale=float(line["scale"] or 1),
            zero=line["zero"] == "true",
            optional=line["optional"] == "true",
        )
        for line in read_lines(DIRECTORY / "export_columns.csv")
        if line["table"] == table
    )


MODELS, HARDWARE = _columns("training_runs"), _columns("accelerators")
