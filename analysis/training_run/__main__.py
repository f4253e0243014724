"""Predict training runs: ``python -m analysis.training_run predict cases.csv --output out.csv``."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from analysis.hardware.chip import known as known_number
from analysis.hardware.machine import Machine
from analysis.predict.columns import CaseError, CaseRow, declared
from analysis.predict.command import Answer, Command, answered, described, run
from analysis.training_run.cases import DIALECT, STATED, accelerator_row, accelerator_words, parse
from analysis.training_run.pace import Paces, software_years
from analysis.training_run.predict import predict, predicted_cells
from analysis.training_run.published import plan_words, stack_of, traits_of
from analysis.training_run.tables import Tables, machine_of_part, paces, tables
from analysis.trend.calendar_year import from_decimal_year
from data.releases import latest


def _answer(cells: Mapping[str, str], *, known: Tables, paces: Paces) -> Mapping[str, str]:
    """Return the predicted cells of a row.

    Raises CaseError if the row is invalid.
    """
    try:
        case, row = parse(cells, models=known.models), CaseRow(cells=cells, dialect=DIALECT)
        part = accelerator_row(row, precision=case.precision, accelerators=known.accelerators)
        machine = machine_of_part(part, precision=case.precision)
        product = machine.chip.name
        maker = str(known.kinds.get(product.split()[0], {}).get("maker", ""))
        years = np.array([case.software_year or np.nan])
        if case.software_year is None:
            years = software_years(machine.chip.released_year, newest=paces.newest(maker))
        year = float(np.mean(years))
        called = (*DIALECT.by_name["stack"].names, *DIALECT.by_name["software"].names)
        software = " ".join(cells.get(name) or "" for name in called)
        prediction, assumed = predict(case, machine=machine), machine.assumed
        if case.four_bit:
            times, words = _four_bits(part, machine)
            faster = replace(prediction.step, matrix_s=prediction.step.matrix_s / times)
            prediction, assumed = replace(prediction, step=faster), (*assumed, words)
        traits = traits_of(
            case.model,
            product=product,
            precision=case.precision,
            year=year,
            kinds=known.kinds,
            plan=plan_words(case),
            stack=stack_of(software, stacks=known.stacks),
        )
        dates = [
            str(np.datetime_as_string(from_decimal_year(each), unit="M")) for each in (years[0], years[-1])
        ]
        return {
            **predicted_cells(prediction, pace=paces.over(traits, years=years)),
            "assumed": "; ".join(assumed),
            "software_used": f"of {' to '.join(dict.fromkeys(dates))}",
            "accelerator_used": accelerator_words(row, product=product),
            "model_used": case.model.name,
        }
    except (ValueError, LookupError) as error:
        raise CaseError(str(error)) from error


FOUR_BIT_GAIN = 0.5
"""Assumed share of the peak gain of FP4 over FP8 that a run's linear layers attain. Some layers stay at 8
or 16 bits, and quantizing takes time. There is no FP4 run in the data. [1]"""


def _four_bits(part: Mapping[str, Any], machine: Machine) -> tuple[float, str]:
    """Return the speed-up of linear layers in FP4 over FP8 on an accelerator, and the assumption behind it, as text."""
    peak = known_number(part.get("peak_fp4_dense_flop_per_s"))
    if peak is None:
        return 1.0, "FP4 products at the rate of FP8"
    times = 1.0 + FOUR_BIT_GAIN * (peak / machine.peak_flop_per_s - 1.0)
    return max(times, 1.0), f"FP4 products {times:.2g} times as fast as FP8, half of what their peaks promise"


def answers(rows: Sequence[Mapping[str, str]], /, *, release: str, level: float) -> list[Answer]:
    """Return the predicted cells of each row, or the reason why there are none."""
    release = release or latest()
    return answered(rows, read=partial(_answer, known=tables(release), paces=paces(release)), predict=list)


COMMAND = Command(
    module="analysis.training_run",
    does="predict rate, time and memory of training runs",
    words=STATED["words"].format(
        **{group: described(declared(columns)) for group, columns in STATED["columns"].items()}
    ),
    dialect=DIALECT,
    predict=answers,
    any_level=False,
)

if __name__ == "__main__":
    sys.exit(run(COMMAND))
