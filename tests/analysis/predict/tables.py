"""Runs a predict command on a table, for the tests of each."""

import csv

from analysis.predict.command import run


def predicted(command, *, folder, text, options=()):
    """Return the exit status and the rows that were written, none where nothing was."""
    cases, out = folder / "cases.csv", folder / "out.csv"
    cases.write_text(text, encoding="utf-8")
    code = run(command, ["predict", str(cases), "--output", str(out), *options])
    if not out.exists():
        return code, []
    with out.open(newline="", encoding="utf-8") as file:
        return code, list(csv.DictReader(file))
