"""Predicts speeds of a table of cases: ``python -m analysis.placement predict cases.csv --output out.csv``."""

import argparse
import csv
import io
import sys
from collections.abc import Sequence
from pathlib import Path

from analysis.placement import lookup
from analysis.placement.cases import KNOWN_COLUMNS, BadCaseError, Case, Known, read_case
from analysis.placement.predict import Predicted, predict
from analysis.placement.tables import models, tables
from data.whole_file import write_whole

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
COLUMNS = (
    "Columns: each case names a device or gives memory_bandwidth_gbyte_per_s, and names a model or gives "
    f"weights_gbyte. All that is read: {', '.join(KNOWN_COLUMNS)}. Further columns are passed through."
)


def known() -> Known:
    """Return what named devices, models and formats can be looked up in."""
    ours = tables()
    return Known(
        devices=lookup.devices(ours.measured, ours.edge_devices, ours.accelerators),
        models=lookup.models(ours.measured, ours.architectures),
        formats=lookup.formats(ours.measured, ours.quantisation),
        classes=models().decode.model.columns.levels("class_overhead"),
    )


def read_table(path: Path) -> tuple[list[str], list[dict[str, str]]]:
    """Return a CSV file's heading and rows.

    Raises
    ------
    BadCaseError
        No file, no text, no rows, a heading twice, or a row longer than the heading.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadCaseError(
            f"{path} cannot be read as a CSV file in UTF-8: {error}. Check name and encoding."
        ) from error
    reader = csv.DictReader(io.StringIO(text), restkey="")
    heading = [name.strip() for name in reader.fieldnames or []]
    twice = sorted({name for name in heading if heading.count(name) > 1})
    if twice:
        raise BadCaseError(f"{path}: column {twice[0]} stands twice in the heading. Keep one of them.")
    reader.fieldnames = heading
    rows = []
    for at, row in enumerate(reader, start=1):
        if "" in row and "" not in heading:
            raise BadCaseError(
                f"row {at}: more cells than the heading has columns ({len(heading)}). Quote commas in text."
            )
        rows.append({name: value or "" for name, value in row.items()})
    if not rows:
        raise BadCaseError(f"{path} holds no cases. Give a heading and one row or more.")
    return heading, rows


def table_text(
    heading: Sequence[str], rows: Sequence[dict[str, str]], *, cases: Sequence[Case], found: Predicted
) -> str:
    """Return the table with the predicted columns added, as CSV; columns of those names are replaced."""
    names = [name for name in heading if name not in ADDED or name == "note"]
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
    for i, (row, case) in enumerate(zip(rows, cases, strict=True)):
        values = {name: f"{values[i]:.6g}" for name, values in zip(ADDED, speeds, strict=False)}
        measured = case.measured_decode_tokens_per_s
        values["error_percent"] = f"{100 * (found.decode[i] / measured - 1):.2f}" if measured > 0 else ""
        values["note"] = "; ".join([text for text in (row.get("note", ""), *case.notes) if text])
        writer.writerow({**row, **values})
    return out.getvalue()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 0, or 2 where a case or file is wrong."""
    parser = argparse.ArgumentParser(prog="python -m analysis.placement", description=__doc__)
    command = parser.add_subparsers(dest="command", required=True)
    asked = command.add_parser("predict", help="predict decode and prefill speeds of cases", epilog=COLUMNS)
    asked.add_argument("cases", type=Path, help="CSV with named things or plain numbers, one case a row")
    asked.add_argument("--output", type=Path, help="where the table goes (default: printed)")
    asked.add_argument("--level", type=float, default=0.9, help="of the intervals, in (0, 1); default 0.9")
    given = parser.parse_args(arguments)
    try:
        heading, rows = read_table(given.cases)
        looked_up = known()
        cases = [read_case(row, at=at, known=looked_up) for at, row in enumerate(rows, start=1)]
        text = table_text(
            heading, rows, cases=cases, found=predict(cases, models=models(), level=given.level)
        )
        if given.output:
            write_whole(given.output, text)
        else:
            sys.stdout.write(text)
    except (ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
