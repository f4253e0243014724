"""Predicts training runs: ``python -m analysis.training_run predict cases.csv --output out.csv``.

Reads the cases and the newest release's accelerators, and writes every column of the cases with the
predicted ones behind them. Only this command may ask :mod:`data` for the table.
"""

import argparse
import csv
import io
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from analysis.calendar_year import decimal_year
from analysis.training_run import cases, machines
from analysis.training_run.predict import Prediction, predict

PREDICTED = (
    "tflop_per_s_per_accelerator",
    "counts",
    "attention_counted",
    "mfu",
    "hfu",
    "step_s",
    "days",
    "memory_gbyte_per_accelerator",
    "fits",
    "micro_batch_used",
    "interleave_used",
    "zero_stage_used",
    "recompute_used",
    "accelerator_used",
    "assumed",
)


def written(prediction: Prediction, chip: machines.Chip) -> dict[str, str]:
    """Return a prediction as the cells of its columns."""
    plan = prediction.plan
    days = "" if prediction.days is None else f"{prediction.days:.6g}"

    return {
        "tflop_per_s_per_accelerator": f"{prediction.flop_per_s_per_accelerator / 1e12:.6g}",
        "counts": prediction.counts,
        "attention_counted": prediction.attention_counted,
        "mfu": f"{prediction.mfu:.6g}",
        "hfu": f"{prediction.hfu:.6g}",
        "step_s": f"{prediction.step_s:.6g}",
        "days": days,
        "memory_gbyte_per_accelerator": f"{prediction.memory_byte / 1e9:.6g}",
        "fits": "yes" if prediction.fits else "no",
        "micro_batch_used": f"{plan.one('micro_batch'):.0f}",
        "interleave_used": f"{plan.one('interleave'):.0f}",
        "zero_stage_used": f"{plan.one('zero_stage'):.0f}",
        "recompute_used": prediction.recompute,
        "accelerator_used": chip.name,
        "assumed": "; ".join(chip.assumed),
    }


def predicted_rows(
    rows: Sequence[Mapping[str, str]], *, accelerators: Sequence[Mapping[str, Any]]
) -> tuple[list[dict[str, str]], list[str]]:
    """Return every row with its prediction, and what is wrong with the rows that are no training run."""
    found, problems = [], []
    for number, row in enumerate(rows, start=2):
        try:
            case = cases.parse(row)
            part = machines.find(case.accelerator, rows=accelerators)
            chip = machines.chip_of(part, released_year=_released(part), precision=case.precision)
            found.append({**row, **written(predict(case, chip=chip), chip)})
        except (ValueError, LookupError) as fault:
            problems.append(f"row {number}: {fault}")
    return found, problems


def _released(part: Mapping[str, Any]) -> float:
    import pandas as pd

    return float(decimal_year(pd.Series([part["released_on"]]))[0])


COLUMNS = (
    f"Columns that each run needs: {', '.join(cases.REQUIRED)}. Columns that may be "
    f"there: {', '.join(cases.OPTIONAL)}. Further columns are passed through."
)


def read_cases(text: str, *, file: str) -> list[dict[str, str]]:
    """Return the rows of a file of cases.

    Raises
    ------
    ValueError
        If it is empty, lacks needed columns, or a row has more cells than there are columns.
    """
    reader = csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""), restkey="", strict=True)
    names = [name.strip() for name in reader.fieldnames or []]
    missing = [name for name in cases.REQUIRED if name not in names]
    if missing:
        raise ValueError(f"{file} has no column {', '.join(missing)}; it needs {', '.join(cases.REQUIRED)}.")
    reader.fieldnames = names
    rows = []
    for number, row in enumerate(reader, start=2):
        if row.get(""):
            raise ValueError(
                f"{file}, row {number} has more cells than there are columns; quote cells with commas."
            )
        rows.append({name: row[name] or "" for name in names})
    if not rows:
        raise ValueError(f"{file} has a header and no cases; add one row per run.")
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit status: 2 where nothing could be written, and why on stderr."""
    parser = argparse.ArgumentParser(prog="python -m analysis.training_run", description=__doc__)
    actions = parser.add_subparsers(dest="action", required=True)
    action = actions.add_parser("predict", help="predict rate, time and memory of every case", epilog=COLUMNS)
    action.add_argument("cases", type=Path, help="CSV, one run a row")
    action.add_argument("--output", type=Path, required=True, help="CSV to write")
    given = parser.parse_args(arguments)

    from data.releases import latest, load
    from data.spreadsheet_text import csv_text
    from data.whole_file import write_whole

    try:
        rows = read_cases(given.cases.read_text(encoding="utf-8"), file=given.cases.name)
    except OSError as fault:
        print(f"{given.cases} cannot be read: {fault.strerror}.", file=sys.stderr)
        return 2
    except UnicodeDecodeError:
        print(f"{given.cases.name} is no text in UTF-8; save it as CSV (UTF-8).", file=sys.stderr)
        return 2
    except (ValueError, csv.Error) as fault:
        print(fault, file=sys.stderr)
        return 2
    table: Any = load(latest()).accelerators.to_dict("records")
    found, problems = predicted_rows(rows, accelerators=table)
    if problems:
        print("\n".join(f"{given.cases.name}, {problem}" for problem in problems), file=sys.stderr)
        return 2
    names = [*[name for name in rows[0] if name not in PREDICTED], *PREDICTED]
    text = csv_text([names, *([row[name] for name in names] for row in found)], end="\n")
    try:
        write_whole(given.output, text)
    except OSError as fault:
        print(f"{given.output} cannot be written: {fault.strerror}.", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
