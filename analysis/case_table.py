"""Reads a table of cases from a file, and writes it with the predictions added."""

import csv
import difflib
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.placement.cases import KNOWN_COLUMNS, BadCaseError, Case
from analysis.placement.predict import Predicted

ADDED = (
    "predicted_decode_tokens_per_s",
    "predicted_decode_tokens_per_s_low",
    "predicted_decode_tokens_per_s_high",
    "predicted_prefill_tokens_per_s",
    "predicted_prefill_tokens_per_s_low",
    "predicted_prefill_tokens_per_s_high",
    "error_percent",
    "note",
)
PASSED = (*ADDED, "measured_prefill_tokens_per_s")
"""Columns like ours that are no slips of the pen."""
SLIPS = {
    "bandwidth": "memory_bandwidth_gbyte_per_s",
    "bandwidth_gb_s": "memory_bandwidth_gbyte_per_s",
    "memory_bandwidth": "memory_bandwidth_gbyte_per_s",
    "peak_flops": "peak_tflop_per_s",
    "tflops": "peak_tflop_per_s",
    "gpu": "device",
    "class": "device_class",
    "quantization": "format",
    "quantisation": "format",
    "weights": "weights_gbyte",
    "context": "context_tokens",
    "context_length": "context_tokens",
    "prompt": "prompt_tokens",
    "prompt_length": "prompt_tokens",
    "batch_size": "batch",
}
"""What people call our columns, where the letters alone do not tell."""
ALIKE = 0.8
DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs"}


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table of cases: its heading as written, what each column is to us, and its rows with their numbers."""

    heading: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[int, dict[str, str]], ...]

    def cases(self) -> list[tuple[int, dict[str, str]]]:
        """Return the rows by the names that our columns have."""
        named = dict(zip(self.heading, self.columns, strict=True))
        return [(at, {named[name]: value for name, value in row.items()}) for at, row in self.rows]


def our_name(column: str) -> str:
    """Return a heading as our columns are written: lower case, with underscores."""
    text = column.strip().lower().replace(" ", "_").replace("-", "_")
    return text if text in KNOWN_COLUMNS else column.strip()


def delimiter(line: str) -> str:
    """Return what parts the cells of a heading: whichever of comma, semicolon and tab gives most of our columns."""

    def ours(mark: str) -> tuple[int, int]:
        cells = [our_name(name) for name in line.split(mark)]
        return sum(name in KNOWN_COLUMNS for name in cells), len(cells)

    return max(DELIMITERS, key=ours)


def check_heading(heading: Sequence[str], columns: Sequence[str]) -> None:
    """Refuse a heading with a column twice, or with one that was likely meant to be one of ours.

    Raises
    ------
    BadCaseError
        Such a heading; each such column in a line of its own.
    """
    twice = sorted({name for name in columns if columns.count(name) > 1})
    if twice:
        raise BadCaseError(f"column {twice[0]} stands twice in the heading. Keep one of them.")
    free = [name for name in KNOWN_COLUMNS if name not in columns]
    wrong = []
    for name, ours in zip(heading, columns, strict=True):
        text = name.lower().replace(" ", "_").replace("-", "_")
        if ours in KNOWN_COLUMNS or text in PASSED:
            continue
        close = difflib.get_close_matches(text, free, n=1, cutoff=ALIKE)
        meant = close[0] if close else SLIPS.get(text, "")
        if meant in free:
            wrong.append(
                f"column {name} is not read; was {meant} meant? Rename it to that, or to something unlike it if it is "
                "only to be passed through."
            )
    if wrong:
        raise BadCaseError("\n".join(wrong))
    if len(free) == len(KNOWN_COLUMNS):
        raise BadCaseError(
            f"no column of the heading is one of ours; got {', '.join(heading[:6])}. The first row names the columns: "
            f"{', '.join(KNOWN_COLUMNS[:3])} and so on."
        )


def read_table(path: Path) -> Table:
    """Return the table in a file of comma-, semicolon- or tab-separated values; blank rows are skipped.

    Raises
    ------
    BadCaseError
        No file, no text, no rows, a heading twice or nearly ours, or rows longer than the heading.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadCaseError(
            f"{path} cannot be read as a CSV file in UTF-8: {error}. Check name and encoding."
        ) from error
    mark = delimiter(text.partition("\n")[0])
    try:
        lines = list(csv.reader(io.StringIO(text), delimiter=mark))
    except csv.Error as error:
        raise BadCaseError(f"{path} is no table of {DELIMITERS[mark]}: {error}. Check its quotes.") from error
    heading = tuple(name.strip() for name in lines[0]) if lines else ()
    while heading and not heading[-1]:
        heading = heading[:-1]
    columns = tuple(map(our_name, heading))
    if heading:
        check_heading(heading, columns)
    filled = [(at, cells) for at, cells in enumerate(lines[1:], start=1) if any(map(str.strip, cells))]
    long = [at for at, cells in filled if any(map(str.strip, cells[len(heading) :]))]
    if long:
        rows = ", ".join(f"row {at}" for at in long[:10])
        raise BadCaseError(
            f"{rows}: more cells than the heading has columns ({len(heading)}), as parted by {DELIMITERS[mark]}. "
            "Quote commas in text."
        )
    if not filled:
        raise BadCaseError(f"{path} holds no cases. Give a heading and one row or more.")
    width = len(heading)
    return Table(
        heading=heading,
        columns=columns,
        rows=tuple(
            (at, dict(zip(heading, [*cells[:width], *[""] * (width - len(cells))], strict=True)))
            for at, cells in filled
        ),
    )


def table_text(table: Table, *, cases: Sequence[Case], found: Predicted) -> str:
    """Return the table with the predicted columns added, as CSV; columns of those names are replaced."""
    names = [name for name in table.heading if name not in ADDED or name == "note"]
    added = [name for name in ADDED if name not in names]
    out = io.StringIO()
    writer = csv.DictWriter(out, fieldnames=[*names, *added], extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    speeds = (
        found.decode,
        found.decode_low,
        found.decode_high,
        found.prefill,
        found.prefill_low,
        found.prefill_high,
    )
    for i, ((_, row), case) in enumerate(zip(table.rows, cases, strict=True)):
        values = {name: f"{values[i]:.6g}" for name, values in zip(ADDED, speeds, strict=False)}
        measured = case.measured_decode_tokens_per_s
        values["error_percent"] = f"{100 * (found.decode[i] / measured - 1):.2f}" if measured > 0 else ""
        values["note"] = "; ".join([text for text in (row.get("note", ""), *case.notes) if text])
        writer.writerow({**row, **values})
    return out.getvalue()
