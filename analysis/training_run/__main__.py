"""Predicts training runs: ``python -m analysis.training_run predict cases.csv --output out.csv``."""

import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

import numpy as np
import pandas as pd

from analysis.hardware.chip import Chip
from analysis.hardware.chip import known as known_number
from analysis.hardware.machine import Machine, machine_of
from analysis.hardware.matmul_rates import MatmulRates
from analysis.hardware.names import find_accelerator
from analysis.model.architecture import Architecture
from analysis.model.names import models
from analysis.predict.columns import CaseError, CaseRow
from analysis.predict.command import Answer, Command, answered, described, run
from analysis.training_run.case_columns import CHIP, COLUMNS, DIALECT, MODEL, NEEDED, NOTE, OPEN, SHAPE
from analysis.training_run.cases import TrainingCase, accelerator_row, accelerator_words, parse
from analysis.training_run.pace import Paces, software_year
from analysis.training_run.predict import predict, predicted_cells
from analysis.training_run.published import paces_of, plan_words, predicted_runs, traits_of
from analysis.trend.calendar_year import decimal_year, from_decimal_year
from data import standing
from data.by_release import kept_by_release
from data.releases import latest, load

WORDS = (
    f"Each run needs {described(NEEDED)}, and names a model ({described([MODEL])}) or gives {described(SHAPE)}. Where "
    "all these are given they are the model, whatever it is called; else they change the one that is named, and "
    f"model_used says so. {described(CHIP)} may stand for an accelerator, or change it, peak at the run's precision. "
    f"A run may have {described(OPEN)}. "
    "tokens are counted one by one: 300e9, not 300. Every speed is moved by how published runs alike compare with "
    "the model; _low and _high hold eight in ten. software is its date or a version by year and month (26.04), of the "
    f"chip's time where empty; a {NOTE.name} that names a container counts too. "
    "expert_overlap is the share of the exchange between experts that is run beside computing, none where empty. "
)


@dataclass(frozen=True, kw_only=True)
class _Known:
    """What the tables know: accelerators, models, kinds of chip, and the paces of published runs."""

    accelerators: Sequence[Mapping[str, Any]]
    models: Mapping[str, Architecture]
    kinds: Mapping[str, Mapping[str, Any]]
    paces: Paces


def _answer(cells: Mapping[str, str], *, known: _Known) -> Mapping[str, str]:
    """Return the predicted cells of a row.

    Raises
    ------
    CaseError
        What is wrong with it.
    """
    try:
        case, row = parse(cells, models=known.models), CaseRow(cells=cells, columns=COLUMNS)
        part = accelerator_row(row, precision=case.precision, accelerators=known.accelerators)
        machine = _machine(part, precision=case.precision)
        case = replace(case, software_year=_software_year(case, machine=machine, known=known))
        prediction = predict(case, machine=machine)
        assumed = machine.assumed
        if case.four_bit:
            times, words = _four_bits(part, machine)
            prediction, assumed = prediction.in_four_bits(times=times), (*assumed, words)
        traits = traits_of(
            case.model,
            product=machine.chip.name,
            precision=case.precision,
            year=case.software_year or 0.0,
            kinds=known.kinds,
            plan=plan_words(case),
        )
        predicted = predicted_cells(
            prediction,
            machine=machine,
            pace=known.paces.of(traits),
            tokens_per_step=case.global_batch * case.model.sequence_length,
        )
        used = accelerator_words(row, product=machine.chip.name)
        software = f"of {np.datetime_as_string(from_decimal_year(case.software_year or 0.0), unit='M')}"
        return {
            **predicted,
            "assumed": "; ".join(assumed),
            "software_used": software,
            "accelerator_used": used,
            "model_used": case.model.name,
        }
    except (ValueError, LookupError) as error:
        raise CaseError(str(error)) from error


FOUR_BIT_GAIN = 0.5
"""Of what 4-bit products gain over 8-bit ones by their peaks, the share that linear layers of a run are taken to reach:
some stay at 8 or 16 bits, and quantizing takes time. Assumed: no run in FP4 is among those at hand. [1]"""


def _four_bits(part: Mapping[str, Any], machine: Machine) -> tuple[float, str]:
    """Return how much faster linear layers run in FP4 than in FP8 on an accelerator, and what was assumed."""
    peak = known_number(part.get("peak_fp4_dense_flop_per_s"))
    if peak is None:
        return 1.0, "FP4 products at the rate of FP8"
    times = 1.0 + FOUR_BIT_GAIN * (peak / machine.peak_flop_per_s - 1.0)
    return max(times, 1.0), f"FP4 products {times:.2g} times as fast as FP8, half of what their peaks promise"


def _software_year(case: TrainingCase, *, machine: Machine, known: _Known) -> float:
    """Return the date of a run's software: its own, or that of its chip's time."""
    if case.software_year is not None:
        return case.software_year
    maker = str(known.kinds.get(machine.chip.name.split()[0], {}).get("maker", ""))
    return software_year(machine.chip.released_year, newest=known.paces.newest(maker))


def _machine(part: Mapping[str, Any], *, precision: str) -> Machine:
    dates = pd.Series([part["released_on"]]) if "released_on" in part else None
    released = math.inf if dates is None else float(decimal_year(dates)[0])
    links = standing.rows("chip_links", "product")
    chip = Chip.from_row(part, links=links, released_year=released, needed=precision)
    measured = cast(list[dict[str, Any]], standing.table("published_matmul").to_dict("records"))
    same_die = cast(list[dict[str, Any]], standing.table("same_die").to_dict("records"))
    return machine_of(chip, MatmulRates.from_rows(measured, same_die=same_die), precision=precision)


def _paces(accelerators: Sequence[Mapping[str, Any]], *, kinds: Mapping[str, Mapping[str, Any]]) -> Paces:

    def machine(name: str, precision: str) -> Machine | None:
        try:
            return _machine(find_accelerator(name, rows=accelerators), precision=precision)
        except (ValueError, LookupError):
            # An older release does not have the chip, or not its rate.
            return None

    runs = predicted_runs(
        cast(list[dict[str, Any]], standing.table("published_training_rates").to_dict("records")),
        machine=machine,
        architectures=standing.rows("architectures", "name"),
        kinds=kinds,
    )
    return paces_of(runs)


@kept_by_release(2)
def _known(release: str) -> _Known:
    accelerators = cast(list[dict[str, Any]], load(release).accelerators.to_dict("records"))
    kinds = standing.rows("training_kinds", "chip")
    named = models(
        standing.table("measured_decode"),
        standing.table("architectures"),
        same_shape=standing.table("model_names"),
    )
    return _Known(
        accelerators=accelerators, models=named, kinds=kinds, paces=_paces(accelerators, kinds=kinds)
    )


def answers(rows: Sequence[Mapping[str, str]], /, *, release: str, level: float) -> list[Answer]:
    """Return the predicted cells of each row, or why there are none."""
    return answered(rows, read=partial(_answer, known=_known(release or latest())), predict=list)


COMMAND = Command(
    module="analysis.training_run",
    does="predict rate, time and memory of training runs",
    words=WORDS,
    dialect=DIALECT,
    predict=answers,
    any_level=False,
)

if __name__ == "__main__":
    sys.exit(run(COMMAND))
