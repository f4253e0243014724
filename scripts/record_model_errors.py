"""Put every prediction of a measured row that set nothing on record, for the page /model-errors and README.

    python -m scripts.record_model_errors          # fits, predicts and writes what changed; says what
    python -m scripts.record_model_errors --check  # changes nothing; exit code 1 where the record is stale

Run this when a model changes, or a table that it is fitted to. A provider is a module ``of_*`` of
:mod:`views.model_errors` with a function ``compared``.
"""

import argparse
import importlib
import json
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from datetime import date
from pathlib import Path

import views.model_errors
from data import releases, seal
from views import wording
from views.model_errors.compared import Compared, summary
from views.model_errors.groups import grouped, worst
from views.model_errors.recorded import FOLDER, MONTH, as_text, from_text, month, read
from views.model_errors.words import blind, percent, share, signed

STALE = 1
TOLERANCE = 2e-3
"""By how much a number may differ from its record: what another machine's arithmetic may do, and rounding. [1]"""

DIGESTS = "digests.json"
"""What the record was made of, and its files: the fingerprint of all tables, and the SHA-256 of each file."""
START, END = "<!-- model errors: begin -->", "<!-- model errors: end -->"
README = Path(__file__).parents[1] / "README.md"


def providers() -> Mapping[str, Callable[[], tuple[Compared, ...]]]:
    """Return what gives the rows of each file on record, by the file's name."""
    folder = Path(views.model_errors.__file__).parent
    names = sorted(path.stem for path in folder.glob("of_*.py"))
    return {
        name.removeprefix("of_"): importlib.import_module(f"views.model_errors.{name}").compared
        for name in names
    }


def differs(now: Sequence[Compared], before: Sequence[Compared]) -> str:
    """Return, in words, the first difference between rows and their record; empty where there is none."""
    if len(now) != len(before):
        return f"{len(now)} rows, {len(before)} on record"
    for row, kept in zip(now, before, strict=True):
        for field in fields(Compared):
            here, there = getattr(row, field.name), getattr(kept, field.name)
            same = here == there or (
                isinstance(here, float)
                and isinstance(there, float)
                and (math.isclose(here, there, rel_tol=TOLERANCE) or (math.isnan(here) and math.isnan(there)))
            )
            if not same:
                return f"{row.model}, row {row.row_id}: {field.name} is {here}, {there} on record"
    return ""


def digests(folder: Path) -> dict[str, str]:
    """Return what :data:`DIGESTS` must say of a record that was made of the tables as they are now."""
    files = {path.name: seal.digest(path.read_bytes()) for path in sorted(folder.glob("*.csv"))}
    return {"tables": releases.shelf().fingerprint, **files}


def readme_table(rows: Sequence[Compared]) -> str:
    """Return the table of README: each model's errors on rows that set nothing, and its class furthest off."""
    lines = [
        "| predicts | half within | bias | nine in ten | in 90 % intervals | rows | furthest off |",
        "|---|---|---|---|---|---|---|",
    ]
    for name in sorted({row.model for row in rows}):
        of_model = [row for row in rows if row.model == name]
        errors = summary(of_model)
        far = "; ".join(
            f"{group.name} {percent(group.errors.size)}"
            for group in worst(grouped(of_model, "class"), count=2)
        )
        lines.append(
            f"| {name} | {percent(errors.size)} | {signed(errors.bias)} | {signed(errors.low)} to "
            f"{signed(errors.high)} | {share(errors.inside)} | {errors.rows:,} | {far} |"
        )
    tested = blind({row.model for row in rows})
    after = f" {wording.sentence_case(tested)}." if tested else ""
    return "\n".join([*lines, "", f"Predicted in {month()}.{after}"])


def with_table(readme: str, *, rows: Sequence[Compared]) -> str:
    """Return README's text with the table as it is now.

    Raises
    ------
    ValueError
        A text without the two marks between which the table stands.
    """
    before, found, rest = readme.partition(START)
    _, ended, after = rest.partition(END)
    if not (found and ended):
        raise ValueError(
            f"README has lost the marks {START} and {END}, between which the table of errors stands."
        )
    return f"{before}{START}\n{readme_table(rows)}\n{END}{after}"


def main(arguments: list[str] | None = None) -> int:
    """Record what changed, or say that something did; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.record_model_errors",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--check", action="store_true", help="only say what is stale")
    chosen = parser.parse_args(arguments)
    stale = False
    for name, compared in providers().items():
        file = FOLDER / f"{name}.csv"
        text = as_text(compared())
        now = from_text(text)
        before = from_text(file.read_text(encoding="utf-8")) if file.exists() else ()
        difference = differs(now, before)
        print(f"{name}: {difference or 'on record'}")
        if difference:
            stale = True
            if not chosen.check:
                FOLDER.mkdir(exist_ok=True)
                file.write_text(text, encoding="utf-8")
                MONTH.write_text(f"{date.today():%Y-%m}\n", encoding="utf-8")
    if not chosen.check:
        (FOLDER / DIGESTS).write_text(f"{json.dumps(digests(FOLDER), indent=1)}\n", encoding="utf-8")
    text = README.read_text(encoding="utf-8")
    new = with_table(text, rows=read())
    if new != text:
        stale = True
        print("README: its table of errors is stale")
        if not chosen.check:
            README.write_text(new, encoding="utf-8")
    return STALE if stale and chosen.check else 0


if __name__ == "__main__":
    sys.exit(main())
