"""Reader of Epoch AI exports. It maps columns and checks each cell for plausibility.

A row with an implausible cell is left out and reported; a file with more than a few of them is rejected.
"""

import csv
import io
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import pandas as pd

from data.contract import Problem, shown
from data.curation_tables import HARDWARE, MODELS, Column

MAX_BYTES = 20_000_000
MAX_PROBLEMS = 20
MAX_ROWS, MAX_COLUMNS, MAX_LINE = 5_000, 1_000, 1_000_000
LEFT_OUT_SHARE = 0.05
EARLIEST_YEAR, LATEST_YEAR = 1940, 2040
GRADES = ("confident", "likely", "speculative", "unknown")
"""Grades of confidence of rows in an export. An empty cell states none."""


class ExportError(ValueError):
    """Error for an export that cannot be used. ``problems`` has up to twenty of its faults."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems[:MAX_PROBLEMS])
        rest = len(problems) - len(self.problems)
        lines = [str(problem) for problem in self.problems]
        super().__init__("\n".join([*lines, f"and {rest} more"] if rest > 0 else lines))


@dataclass(frozen=True, kw_only=True)
class Export:
    """A table of an export: its rows, the excluded rows, and the columns that the file lacks.

    ``rows`` maps names to row numbers in the file; ``of`` is the number of rows in the file.
    """

    frame: pd.DataFrame
    rows: dict[str, int]
    of: int
    left_out: tuple[Problem, ...] = ()
    absent: tuple[str, ...] = ()


_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
_DATE = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")
_LINK = re.compile(r"https?://[^\s<>\"]+")


def models(content: bytes, *, file: str, strict: bool = False) -> Export:
    """Return the training runs in an export, in our columns and base units, one row per model.

    Text cells are stripped, lists joined with ``;``, and links reduced to the first web address; missing text is ``""``
    and missing numbers are NaN. ``strict`` rejects a file for a single faulty cell.

    Raises ExportError if it is not CSV text, a column is missing, or too many rows have an invalid number, date or
    name.
    """
    export = _read(content, file=file, columns=MODELS, strict=strict)
    frame = export.frame
    accessible = frame.pop("accessibility").map({"open": "true", "closed": "false"}).fillna("")
    frame["open_weights"] = frame["open_weights"].where(frame["open_weights"] != "", accessible)
    frame["frontier_flag"] = frame["frontier_flag"] == "true"
    return export


def hardware(content: bytes, *, file: str, strict: bool = False) -> Export:
    """Return the accelerators in an export, in our columns and base units, one row per part.

    Raises ExportError as :func:`models` does.
    """
    return _read(content, file=file, columns=HARDWARE, strict=strict)


def _read(content: bytes, *, file: str, columns: tuple[Column, ...], strict: bool) -> Export:
    header, rows = records(content, file=file, columns=columns)
    places = _matched(header, file=file, columns=columns)
    faults: list[Problem] = []
    cells: dict[str, list[Any]] = {}
    for column in columns:
        if column.name not in places:
            cells[column.name] = [math.nan if column.kind in {"number", "total"} else ""] * len(rows)
            continue
        place = places[column.name]
        values, wrong = _cells([row[place].strip() for row in rows], meaning=column)
        if column.name == "name":
            wrong = _names_at_fault(values) | wrong
        faults += [
            Problem(file=file, row=row, column=header[place], message=text) for row, text in wrong.items()
        ]
        if column.kind == "date":
            values, cells["date_precision"] = map(list, zip(*values, strict=True))
        cells[column.name] = values
    faults.sort(key=lambda problem: problem.row or 0)
    bad = {problem.row for problem in faults}
    if faults and (strict or not tolerable(len(bad), of=len(rows))):
        raise ExportError(faults)
    good = [at for at in range(len(rows)) if at + 2 not in bad]
    frame = pd.DataFrame({name: [values[at] for at in good] for name, values in cells.items()})
    return Export(
        frame=frame,
        rows={str(cells["name"][at]): at + 2 for at in good},
        of=len(rows),
        left_out=tuple(
            replace(problem, name=str(cells["name"][(problem.row or 2) - 2] or "")) for problem in faults
        ),
        absent=tuple(column.aliases[0] for column in columns if column.name not in places),
    )


def tolerable(bad: int, *, of: int) -> bool:
    """Return whether a table is usable: it has a valid row, and at most one faulty row or one in twenty."""
    return bad < of and bad <= max(1, of * LEFT_OUT_SHARE)


def records(content: bytes, *, file: str, columns: tuple[Column, ...]) -> tuple[list[str], list[list[str]]]:
    """Return the header and the rows, with only the cells in use. A reader's file may be wide and long.

    Raises ExportError if it is not CSV text, or has rows of a different length than its header.
    """

    def problem(message: str, row: int | None = None) -> Problem:
        return Problem(file=file, row=row, column="", message=message)

    def refused(message: str, row: int | None = None) -> ExportError:
        return ExportError([problem(message, row)])

    def lines(text: str) -> Iterator[str]:
        for line in io.StringIO(text, newline=""):
            if len(line) > MAX_LINE:
                raise refused(f"a line has {len(line):,} characters. Download the export again as CSV.")
            yield line

    if len(content) > MAX_BYTES:
        raise refused(f"the file has {len(content) / 1e6:.1f} MB; at most {MAX_BYTES / 1e6:.0f} MB are read.")
    if b"\0" in content:
        raise refused("the file contains NUL bytes, so it is not text. Save the export as CSV (UTF-8).")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = content[: fault.start].count(b"\n") + 1
        message = f"byte {fault.start} (line {line}) is not UTF-8. Save the export as CSV (UTF-8)."
        raise refused(message) from None
    known = {alias.casefold() for column in columns for alias in column.aliases}
    reader = csv.reader(lines(text), strict=True)
    rows: list[list[str]] = []
    uneven: list[Problem] = []
    count = blank = 0
    try:
        header = [name.strip() for name in next(reader, [])]
        places = [at for at, name in enumerate(header) if name.casefold() in known]
        if len(header) > MAX_COLUMNS:
            raise refused(f"the header has {len(header):,} cells; at most {MAX_COLUMNS:,} are read.", 1)
        for number, record in enumerate(reader, start=2):
            if not record:
                blank += 1
                if blank > MAX_ROWS:
                    raise refused(f"the file has more than {MAX_ROWS:,} empty lines one after the other.")
                continue
            count += 1
            if count > MAX_ROWS:  # more rows are counted but not stored
                continue
            lengths = {**dict.fromkeys(range(number - blank, number)[:MAX_PROBLEMS], 0), number: len(record)}
            uneven += [
                problem(
                    f"{cells} cells where the header has {len(header)}. Check quotes and commas here.", row
                )
                for row, cells in lengths.items()
                if cells != len(header)
            ]
            blank = 0
            if len(uneven) >= MAX_PROBLEMS:
                break
            rows.append([record[at] for at in places] if len(record) == len(header) else [])
    except csv.Error as fault:
        raise refused(f"this is not CSV ({fault}). Download the export again as CSV.") from None
    if count > MAX_ROWS:
        raise refused(
            f"the file has {count:,} rows; at most {MAX_ROWS:,} are read. Keep those you need, then upload it again."
        )
    if uneven:
        raise ExportError(uneven)
    if not rows:
        raise refused(
            f"the file has {'one row' if header else 'no row'}; an export has a header and at least one row."
        )
    return [header[at] for at in places], rows


def _matched(header: list[str], *, file: str, columns: tuple[Column, ...]) -> dict[str, int]:
    places: dict[str, int] = {}
    problems: list[Problem] = []
    folded = [name.casefold() for name in header]
    for column in columns:
        aliases = {alias.casefold() for alias in column.aliases}
        matches = [at for at, name in enumerate(folded) if name in aliases]
        if len(matches) > 1:
            names = ", ".join(repr(header[at]) for at in matches)
            message = f"{names} all mean this column; keep one of them."
            problems.append(Problem(file=file, row=1, column=column.aliases[0], message=message))
        elif matches:
            places[column.name] = matches[0]
        elif not column.optional:
            known = " or ".join(repr(alias) for alias in column.aliases)
            message = f"this column is missing ({column.name} is read from {known})."
            problems.append(Problem(file=file, row=1, column=column.aliases[0], message=message))
    if problems:
        raise ExportError(problems)
    return places


def _cells(cells: list[str], *, meaning: Column) -> tuple[list[Any], dict[int, str]]:
    """Return the values of a column, and the fault of each invalid cell, keyed by row in the file."""
    values: list[Any] = []
    wrong: dict[int, str] = {}
    for row, cell in enumerate(cells, start=2):
        try:
            value = _cell(cell, meaning=meaning)
            if isinstance(value, str) and not value.isprintable():
                raise ValueError(f"text without control characters is needed; got {shown(cell)}.")
        except ValueError as fault:
            wrong[row] = str(fault)
            value = ("", "") if meaning.kind == "date" else None
        values.append(value)
    return values, wrong


def _cell(cell: str, *, meaning: Column) -> object:
    match meaning.kind:
        case "date":
            return read_date(cell)
        case "number":
            return _number(cell, meaning=meaning)
        case "total":
            return _total(cell, meaning=meaning)
        case "list":
            parts = [" ".join(part.split()) for part in re.split(r"[,;\n]", cell)]
            return ";".join(dict.fromkeys(part for part in parts if part))
        case "link":
            return link_of(cell)
        case "flag":
            return {"true": "true", "yes": "true", "false": "false", "no": "false"}.get(cell.casefold(), "")
        case "accessibility":
            return "" if not cell else "open" if cell.casefold().startswith("open weights") else "closed"
        case "confidence":
            if cell.casefold() not in ("", *GRADES):
                raise ValueError(f"the confidence grade {shown(cell)} is not one of {', '.join(GRADES)}.")
            return cell.casefold()
        case _:
            return " ".join(cell.split())


def link_of(cell: str) -> str:
    """Return the first web address in a cell, or ``""`` if there is none."""
    match = _LINK.search(cell)
    return match.group().rstrip(",;.") if match else ""


def _number(cell: str, *, meaning: Column) -> float:
    if not cell:
        return math.nan
    if not _NUMBER.fullmatch(cell) or not math.isfinite(float(cell)):
        raise ValueError(f"a finite number is needed; got {shown(cell)}. Leave the cell empty if unknown.")
    value = float(cell) * meaning.scale
    if value < 0 or (value == 0 and not meaning.zero):
        needed = "a number of at least zero" if meaning.zero else "a number above zero"
        raise ValueError(f"{needed} is needed; got {shown(cell)}. Leave the cell empty if unknown.")
    return _scaled(value, cell=cell)


def _scaled(value: float, *, cell: str) -> float:
    if not math.isfinite(value):
        raise ValueError(f"a number that fits in base units is needed; got {shown(cell)}.")
    return significant(value)


def _total(cell: str, *, meaning: Column) -> float:
    parts = cell.split(",")
    if len(parts) == 1 or any(len(part.strip()) == 3 for part in parts[1:]):  # 1,000 is not a list of two
        return _number(cell, meaning=meaning)
    return _scaled(sum(_number(part.strip() or "-", meaning=meaning) for part in parts), cell=cell)


def read_date(cell: str) -> tuple[str, str]:
    """Return an ISO date and its precision (``day``, ``month`` or ``year``), both ``""`` without a date.

    An export writes a month as its first day and a year as 1 January, so those two are read as month and year. For rows
    whose first of the month is exact, a correction sets the precision.

    Raises ValueError if the date does not exist or is outside 1940 to 2040.
    """
    if not cell:
        return "", ""
    parts = _DATE.fullmatch(cell)
    if not parts:
        raise ValueError(f"a date as YYYY-MM-DD is needed; got {shown(cell)}.")
    numbers = [int(part) for part in parts.groups() if part]
    try:
        day = date(*[*numbers, 1, 1][:3])
    except ValueError:
        raise ValueError(f"{shown(cell)} is not a day of the calendar.") from None
    if not EARLIEST_YEAR <= day.year <= LATEST_YEAR:
        raise ValueError(f"a date between {EARLIEST_YEAR} and {LATEST_YEAR} is needed; got {shown(cell)}.")
    if day.day > 1:
        return day.isoformat(), "day"
    exact_year = len(numbers) == 1 or (day.month == 1 and len(numbers) == 3)
    return day.isoformat(), "year" if exact_year else "month"


def _names_at_fault(names: list[str | None]) -> dict[int, str]:
    first: dict[str | None, int] = {}
    wrong: dict[int, str] = {}
    for row, name in enumerate(names, start=2):
        if not name:
            wrong[row] = "the name is empty. Every row needs one."
        elif first.setdefault(name, row) != row:
            wrong[row] = f"{shown(name)} is already in row {first[name]}. Names must be unique."
    return wrong


def significant(value: float) -> float:
    """Return ``value`` with six significant digits, without float noise or the export's tie-breakers."""
    return float(f"{value:.6g}")
