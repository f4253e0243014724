"""Predicts training runs: ``python -m analysis.training_run predict cases.csv --output out.csv``.

Reads the cases and the newest release's accelerators, and writes every column of the cases with the
predicted ones behind them. Only this command may ask :mod:`data` for the table.
"""

import argparse
import csv
import io
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from analysis.hardware import chip as machines
from analysis.training_run import cases
from analysis.training_run.predict import Prediction, predict
from analysis.trend.calendar_year import decimal_year

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
    "problem",
)
GIVEN = "given_"
"""Before the name of a column of the reader's own that is called as a predicted one."""
MOST_PROBLEMS = 10


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
        "problem": "",
    }


def predicted_row(row: Mapping[str, str], *, accelerators: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return the cells of a row's prediction; where it is no training run, its problem alone."""
    try:
        case = cases.parse(row)
        part = machines.find(case.accelerator, rows=accelerators)
        chip = machines.chip_of(part, released_year=_released(part), precision=case.precision)
        return written(predict(case, chip=chip), chip)
    except (ValueError, LookupError) as fault:
        return {**dict.fromkeys(PREDICTED, ""), "problem": str(fault)}


def _released(part: Mapping[str, Any]) -> float:
    import pandas as pd

    return float(decimal_year(pd.Series([part["released_on"]]))[0])


COLUMNS = (
    f"Columns that each run needs: {', '.join(cases.REQUIRED)}. Columns that may be "
    f"there: {', '.join(cases.OPTIONAL)}. tokens are counted one by one: 300e9, not 300. Further columns are passed "
    f"through, one that is called as a predicted one as {GIVEN}... . A row that is no training run keeps its place "
    "with the reason in the column problem; the exit status is then 1."
)


@dataclass(frozen=True, kw_only=True)
class Cases:
    """A file of cases: the names of its columns in the output, and each row by line of the file.

    ``own`` are the columns that were called as a predicted one; ``unread`` those passed through that are spelt
    nearly as one that would have been read, each with that one.
    """

    names: tuple[str, ...]
    rows: tuple[tuple[int, dict[str, str]], ...]
    own: tuple[str, ...]
    unread: tuple[tuple[str, str], ...]


def read_cases(text: str, *, file: str) -> Cases:
    """Return the rows of a file of cases, separated by commas, semicolons or tabs; empty rows are left out.

    Columns are known regardless of capitals.

    Raises
    ------
    ValueError
        If it is empty, lacks needed columns, has one twice, or a row has more cells than there are columns.
    """
    text = text.removeprefix("\ufeff")
    heading = text.partition("\n")[0]
    separator = next((mark for mark in ",;\t" if mark in heading), ",")
    reader = csv.DictReader(io.StringIO(text, newline=""), restkey="", strict=True, delimiter=separator)
    known = {name: name for name in (*cases.REQUIRED, *cases.OPTIONAL, *PREDICTED)}
    found = [known.get(name.strip().lower(), name.strip()) for name in reader.fieldnames or []]
    own = tuple(name for name in found if name in PREDICTED and name not in cases.OPTIONAL)
    names = [f"{GIVEN}{name}" if name in own else name for name in found]
    missing = [name for name in cases.REQUIRED if name not in names]
    if missing:
        raise ValueError(
            f"{file} has no column {', '.join(missing)}{_nearest(missing, names)}; it needs "
            f"{', '.join(cases.REQUIRED)}."
        )
    twice = sorted({name for name in names if name and names.count(name) > 1})
    if twice:
        raise ValueError(f"{file} has the column {', '.join(twice)} twice; keep one of them.")
    reader.fieldnames = names
    rows = []
    for row in reader:
        if row.get(""):
            raise ValueError(
                f"{file}, row {reader.line_num} has more cells than there are columns; quote cells with commas."
            )
        cells = {name: row[name] or "" for name in names}
        if any(cell.strip() for cell in cells.values()):
            rows.append((reader.line_num, cells))
    if not rows:
        raise ValueError(f"{file} has a header and no cases; add one row per run.")
    return Cases(names=tuple(names), rows=tuple(rows), own=own, unread=_unread(names))


def _unread(names: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return columns passed through that are spelt nearly as one that may be there and is not."""
    absent = [name for name in cases.OPTIONAL if name not in names]
    read = (*cases.REQUIRED, *cases.OPTIONAL)
    spare = [name for name in names if name not in read and not name.startswith(GIVEN)]
    near = {name: get_close_matches(name.lower(), absent, n=1, cutoff=0.8) for name in spare}
    return tuple((name, match[0]) for name, match in near.items() if match)


def _nearest(missing: Sequence[str], names: Sequence[str]) -> str:
    """Return, in brackets, the columns that are spelt nearly as missing ones."""
    near = {name: get_close_matches(name, names, n=1, cutoff=0.6) for name in missing}
    told = [f"{match[0]!r} for {name}" for name, match in near.items() if match]
    return f" (perhaps {', '.join(told)})" if told else ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit status: 1 where a row is no training run, 2 where nothing could be written.

    Why is on stderr.
    """
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
        found = read_cases(given.cases.read_text(encoding="utf-8"), file=given.cases.name)
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
    if found.own:
        kept = ", ".join(f"{name} as {GIVEN}{name}" for name in found.own)
        print(f"{given.cases.name} has columns called as predicted ones; kept: {kept}.", file=sys.stderr)
    for name, meant in found.unread:
        print(f"{given.cases.name}: column {name} is not read; is it {meant}?", file=sys.stderr)
    answers = [predicted_row(row, accelerators=table) for _, row in found.rows]
    problems = [
        f"{given.cases.name}, row {line}: {answer['problem']}"
        for (line, _), answer in zip(found.rows, answers, strict=True)
        if answer["problem"]
    ]
    if problems:
        more = [f"and {len(problems) - MOST_PROBLEMS:,} more."] if len(problems) > MOST_PROBLEMS else []
        print("\n".join([*problems[:MOST_PROBLEMS], *more]), file=sys.stderr)
    # What a case may say and the prediction says too stands once, as it was taken.
    names = [*(name for name in found.names if name not in PREDICTED), *PREDICTED]
    whole = [
        answer | row | {name: cell for name, cell in answer.items() if cell}
        for (_, row), answer in zip(found.rows, answers, strict=True)
    ]
    text = csv_text([names, *([row[name] for name in names] for row in whole)], end="\n")
    try:
        write_whole(given.output, text)
    except OSError as fault:
        print(f"{given.output} cannot be written: {fault.strerror}.", file=sys.stderr)
        return 2
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
