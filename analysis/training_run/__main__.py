"""Predicts training runs: ``python -m analysis.training_run predict cases.csv --output out.csv``."""

import argparse
import math
import sys
from collections.abc import Mapping, Sequence
from typing import Any, cast

import pandas as pd

from analysis.case_table import CaseError
from analysis.hardware.chip import Chip
from analysis.hardware.machine import Machine, machine_of
from analysis.hardware.matmul_rates import MatmulRates
from analysis.model.architecture import Architecture
from analysis.model.names import models
from analysis.predict_command import Answer, Command, described, run
from analysis.training_run.case_accelerator import accelerator_row, accelerator_words
from analysis.training_run.case_columns import CHIP, DIALECT, MODEL, NEEDED, OPEN, SHAPE
from analysis.training_run.cases import parse
from analysis.training_run.predict import predict, predicted_cells
from analysis.trend.calendar_year import decimal_year
from data import standing
from data.releases import latest, load, names
from data.spreadsheet_text import csv_text
from data.whole_file import write_whole

WORDS = (
    f"Each run needs {described(NEEDED)}, and names a model ({described([MODEL])}) or gives {described(SHAPE)}. Where "
    "all these are given they are the model, whatever it is called; else they change the one that is named, and "
    f"model_used says so. {described(CHIP)} may stand for an accelerator, or change it, peak at the run's precision. "
    f"A run may have {described(OPEN)}. "
    "tokens are counted one by one: 300e9, not 300."
)


def _answer(
    row: Mapping[str, str], *, accelerators: Sequence[Mapping[str, Any]], models: Mapping[str, Architecture]
) -> Answer:
    try:
        case = parse(row, models=models)
        part = accelerator_row(row, precision=case.precision, accelerators=accelerators)
        machine = _machine(part, precision=case.precision)
        cells = predicted_cells(predict(case, machine=machine), machine=machine)
        used = accelerator_words(row, product=machine.chip.name)
        return {**cells, "accelerator_used": used, "model_used": case.model.name}
    except (ValueError, LookupError) as error:
        return CaseError(str(error))


def _machine(part: Mapping[str, Any], *, precision: str) -> Machine:
    dates = pd.Series([part["released_on"]]) if "released_on" in part else None
    released = math.inf if dates is None else float(decimal_year(dates)[0])
    links = standing.rows("chip_links", "product")
    chip = Chip.from_row(part, links=links, released_year=released, needed=precision)
    measured = cast(list[dict[str, Any]], standing.table("published_matmul").to_dict("records"))
    same_die = cast(list[dict[str, Any]], standing.table("same_die").to_dict("records"))
    return machine_of(chip, MatmulRates.from_rows(measured, same_die=same_die), precision=precision)


def answers(rows: Sequence[Mapping[str, str]], /, options: argparse.Namespace) -> list[Answer]:
    """Return the predicted cells of each row, or why there are none."""
    parts = load(options.release or latest()).accelerators.to_dict("records")
    accelerators = cast(list[dict[str, Any]], parts)
    known = models(standing.table("measured_decode"), standing.table("architectures"))
    return [_answer(row, accelerators=accelerators, models=known) for row in rows]


COMMAND = Command(
    module="analysis.training_run",
    does="predict rate, time and memory of training runs",
    words=WORDS,
    dialect=DIALECT,
    predict=answers,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    return run(COMMAND, arguments, releases=names(), csv_text=csv_text, write_whole=write_whole)


if __name__ == "__main__":
    sys.exit(main())
