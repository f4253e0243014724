"""Tables of a reader's cases, read and written with added columns."""

import csv
import difflib
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.predict.columns import CaseError, Dialect

SIMILAR = 0.8
"""Similarity above which an unknown heading counts as a misspelling. [1]"""
DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs"}
GIVEN = "given_"
"""Prefix for a reader's column that has the name of a predicted column."""
PROBLEM = "problem"
"""Output column with the reason why a row was not predicted."""
BYTE_ORDER_MARKS = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, kw_only=True)
class CaseTable:
    """A table of cases: its output headings, the meaning of each column, and its rows.

    ``columns`` are "" for a column that is passed through. ``rows`` are numbered as in spreadsheets, with 1 for the
    heading. ``kept`` are the reader's columns with the name of an added one; ``misspelt`` are likely misspellings, each
    with the intended column.
    """

    file: str
    heading: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    kept: tuple[str, ...] = ()
    misspelt: tuple[tuple[str, str], ...] = ()

    def cases(self) -> list[dict[str, str]]:
        """Return the cells of each row, keyed by our column names."""
        return [
            {name: cell for name, cell in zip(self.columns, cells, strict=True) if name}
            for _, cells in self.rows
        ]


def plain_heading(name: str) -> str:
    """Return a heading in our style: lower case, with underscores."""
    return name.strip().lower().replace(" ", "_").replace("-", "_")


def slip_lines(misspelt: Sequence[tuple[str, str]], *, file: str) -> list[str]:
    """Return a message for each column that is probably misspelt, with the intended column."""
    return [
        f"{file}: column {name} is not read; was {meant} meant? Rename it to that, or to something unlike it if it "
        "is only to be passed through."
        for name, meant in misspelt
    ]


def read_table(path: Path, *, dialect: Dialect) -> CaseTable:
    """Return the table in a file of comma-, semicolon- or tab-separated values, without blank rows.

    Raises CaseError if there is no file, text or row, a column is duplicated or missing, or a row is longer than the
    heading.
    """
    text = _text(path)
    lines = text.lstrip("\r\n").splitlines()
    mark = _delimiter(lines[0] if lines else "", dialect=dialect)
    try:
        records = list(csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True))
    except csv.Error as error:
        raise CaseError(
            f"{path.name} is no table of {DELIMITERS[mark]}: {error}. Check its quotes."
        ) from error
    filled = [(at, cells) for at, cells in enumerate(records, start=1) if any(map(str.strip, cells))]
    heading = [name.strip() for name in filled[0][1]] if filled else []
    while heading and not heading[-1]:
        heading.pop()
    columns = [name if (name := plain_heading(text)) in dialect.known else "" for text in heading]
    _check_heading(heading, columns=columns, dialect=dialect, file=path.name)
    long = [at for at, cells in filled if any(map(str.strip, cells[len(heading) :]))]
    if long:
        rows = ", ".join(f"row {at}" for at in long[:10])
        raise CaseError(
            f"{path.name}, {rows}: more cells than the heading has columns ({len(heading)}), as parted by "
            f"{DELIMITERS[mark]}. Quote cells with {DELIMITERS[mark]} in them."
        )
    if len(filled) < 2:
        raise CaseError(f"{path.name} holds no cases. Add a row for each below the heading.")
    kept = _kept(heading, dialect=dialect)
    blank = [""] * len(heading)
    return CaseTable(
        file=path.name,
        heading=tuple(f"{GIVEN}{plain_heading(name)}" if name in kept else name for name in heading),
        columns=tuple(columns),
        rows=tuple((at, tuple([*cells, *blank][: len(heading)])) for at, cells in filled[1:]),
        kept=tuple(plain_heading(name) for name in kept),
        misspelt=_misspelt(heading, columns=columns, dialect=dialect),
    )


def completed(
    table: CaseTable, *, answers: Sequence[Mapping[str, str] | CaseError], dialect: Dialect
) -> list[list[str]]:
    """Return the heading and rows of the table with the added columns. One added column has the error of each row.

    An added column that the command also reads occurs once, among the added ones. It has the value used, or without a
    prediction the reader's value.
    """
    plain = [plain_heading(name) for name in table.heading]
    own = [i for i, name in enumerate(plain) if name not in dialect.added or name in dialect.joined]
    joined = {name: plain.index(name) for name in dialect.joined if name in plain}
    added = [name for name in dialect.added if name not in joined]
    rows = [[*(table.heading[i] for i in own), *added]]
    for (_, cells), answer in zip(table.rows, answers, strict=True):
        values = {PROBLEM: str(answer)} if isinstance(answer, CaseError) else answer
        kept = list(cells)
        for name, i in joined.items():
            more = values.get(name, "")
            kept[i] = "; ".join(text for text in (cells[i], "" if more in cells[i] else more) if text)
        own_cells = {name: cell for name, cell in zip(table.columns, cells, strict=True) if name}
        rows.append(
            [*(kept[i] for i in own), *(values.get(name, "") or own_cells.get(name, "") for name in added)]
        )
    return rows


def _text(path: Path) -> str:
    """Return a file's text, decoded as UTF-8, or as UTF-16 if it starts with the latter's byte-order mark."""
    try:
        written = path.read_bytes()
    except OSError as error:
        raise CaseError(f"{path} cannot be read: {error.strerror}. Check its name.") from error
    try:
        return written.decode("utf-16" if written.startswith(BYTE_ORDER_MARKS) else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise CaseError(f"{path.name} is no text in UTF-8; save it as CSV (UTF-8).") from error


def _delimiter(line: str, *, dialect: Dialect) -> str:
    """Return the delimiter of a heading: the comma, semicolon or tab that yields most of our columns."""

    def ours(mark: str) -> tuple[int, int]:
        cells = [plain_heading(name.strip().strip('"')) for name in line.split(mark)]
        return sum(name in dialect.known for name in cells), len(cells)

    return max(DELIMITERS, key=ours)


def _check_heading(heading: Sequence[str], *, columns: Sequence[str], dialect: Dialect, file: str) -> None:
    """Raise an error if a heading repeats a column or lacks a required one."""
    names = [ours or name for name, ours in zip(heading, columns, strict=True)]
    twice = sorted({name for name in names if name and names.count(name) > 1})
    if twice:
        raise CaseError(f"{file}: column {twice[0]} stands twice in the heading. Keep one of them.")
    if heading and not any(columns):
        raise CaseError(
            f"{file}: no column of the heading is one of ours; got {', '.join(heading[:6])}. The first row names the "
            f"columns: {', '.join(column.name for column in dialect.columns[:3])} and so on."
        )
    there = {dialect.known[name].name for name in columns if name}
    missing = [names for names in dialect.needs if not there & set(names)]
    if not missing or not heading:
        return
    instead = dict.fromkeys(names[1:] for names in missing)
    words = []
    for others in instead:
        firsts = ", ".join(names[0] for names in missing if names[1:] == others)
        words.append(firsts + (f" (or {', '.join(others)})" if others else ""))
    slips = slip_lines(_misspelt(heading, columns=columns, dialect=dialect), file=file)
    raise CaseError(
        "\n".join([*slips, f"{file} has no column {', '.join(words)}. Add it, filled for every case."])
    )


def _kept(heading: Sequence[str], *, dialect: Dialect) -> tuple[str, ...]:
    """Return the reader's columns that have an added column's name. Empty if the file is this command's own output."""
    if set(dialect.added) <= {plain_heading(name) for name in heading}:
        return ()
    ours = {name for name in dialect.added if name not in dialect.known and name not in dialect.joined}
    return tuple(name for name in heading if plain_heading(name) in ours)


def _misspelt(
    heading: Sequence[str], *, columns: Sequence[str], dialect: Dialect
) -> tuple[tuple[str, str], ...]:
    """Return the unused columns that are probably misspelt, each with the intended name."""
    there = {dialect.known[name].name for name in columns if name}
    free = [name for column in dialect.columns if column.name not in there for name in column.names]
    slips = []
    for name, ours in zip(heading, columns, strict=True):
        text = plain_heading(name)
        if ours or text in dialect.added or text in dialect.passed or text.startswith(GIVEN):
            continue
        close = difflib.get_close_matches(text, free, n=1, cutoff=SIMILAR)
        meant = close[0] if close else dialect.slips.get(text, "")
        if meant in free:
            slips.append((name, meant))
    return tuple(slips)
