"""Growth taken apart, in figures and in words: each factor, its share, and what the runs leave open."""

import math
from collections.abc import Mapping

import pandas as pd

from analysis.growth_accounting import Part
from views import wording
from views.result import Figure
from views.runs.parts import FACTORS

BESIDE = {
    "power": ("training_power_w", "Power drawn"),
    "cost": ("training_cost_usd_2023", "Cost"),
    "parameters": ("n_parameters", "Parameters"),
    "data": ("dataset_size_datapoint", "Training data"),
}
"""What grows beside compute: column and name of each."""

LABELS = {
    "chips": "Number of chips",
    "time": "Training time",
    "flop_per_s_per_chip": "FLOP/s per chip",
    "utilization": "Utilization",
}


def figures(found: Mapping[str, Part], *, method: str) -> tuple[Figure, ...]:
    """Return the growth of compute and of every part, the factors with their share of it."""
    total = found["total"]
    figures = [_figure("yearly_growth", "Compute, these runs", total, method=method, key=True)]
    for name in FACTORS:
        portion = share(found[name], total)
        told = f"{method}; {_percent(portion)} of the growth in logarithms" if _sound(portion) else method
        figures.append(
            _figure(f"{name}_growth", LABELS[name], found[name], method=told, key=name != "utilization")
        )
        if _sound(portion):
            figures.append(
                Figure(
                    name=f"{name}_share",
                    label=f"{LABELS[name]}: share of the growth",
                    value=portion,
                    unit="1",
                    text=_percent(portion),
                    method="share of the yearly growth in logarithms",
                    n=total.n,
                    key=False,
                )
            )
    figures.append(_figure("all_runs_growth", "Compute, all runs", found["all"], method=method, key=False))
    for name, (_, label) in BESIDE.items():
        if name in found:
            figures.append(_figure(f"{name}_growth", label, found[name], method=method, key=False))
    return tuple(figures)


def _figure(name: str, label: str, part: Part, *, method: str, key: bool) -> Figure:
    return Figure(
        name=name,
        label=label,
        value=part.yearly_growth,
        unit="x/year",
        text=f"{wording.times(part.yearly_growth)} a year",
        low=part.low,
        high=part.high,
        level=part.level,
        interval_text=wording.at_level(part.level, wording.times(part.low), wording.times(part.high)),
        method=method,
        n=part.n,
        key=key,
    )


def share(part: Part, total: Part) -> float:
    """Return the share of the total's growth, in logarithms, that a part makes up; nan when it is flat."""
    return part.slope_per_year / total.slope_per_year if total.slope_per_year else float("nan")


def _sound(portion: float) -> bool:
    return math.isfinite(portion) and abs(portion) < 10


def _percent(portion: float) -> str:
    return f"{100 * portion:.0f} %".replace("-", "−")


def notes(selected: pd.DataFrame, found: Mapping[str, Part]) -> tuple[str, ...]:
    """Return what the reader should know: which runs are missing, what utilization takes up, how few runs there are."""
    return (_missing_note(selected, found), _utilization_note(selected), *_thin_notes(found["total"]))


def _missing_note(selected: pd.DataFrame, found: Mapping[str, Part]) -> str:
    counts = selected.loc[selected["missing"] != "", "missing"].value_counts()
    told = ", ".join(f"{words} ({number})" for words, number in counts.items())
    times, low, high = found["total"].against(found["all"])
    level = wording.percent(found["total"].level)
    alike = "no clear difference" if low <= 1 <= high else "a difference to keep in mind"
    return (
        f"{found['total'].n} of {len(selected)} selected runs have every part known; they grow "
        f"{wording.times(found['total'].yearly_growth)} a year, all of them "
        f"{wording.times(found['all'].yearly_growth)} ({alike}: {wording.times(times)}, {level} "
        f"{wording.interval(wording.times(low), wording.times(high))})."
        + (f" Left out: {told}." if told else "")
    )


def _utilization_note(selected: pd.DataFrame) -> str:
    both = selected.loc[selected["utilization"].notna() & selected["mfu"].notna()]
    words = (
        "Utilization is implied: compute over chips × time × peak, so it also takes up every error of the "
        "other parts; where Epoch AI estimated compute from chips, time and an assumed utilization, it "
        "returns that assumption."
    )
    if both.empty:
        return words
    ratio = both["utilization"] / both["mfu"]
    near = int((abs(ratio - 1) <= 0.15).sum())
    return f"{words} Of {wording.counted(len(both), 'run')} that also report it, {near} agree within 15 %."


def _thin_notes(total: Part) -> tuple[str, ...]:
    if total.n >= 20:
        return ()
    return (f"Only {total.n} runs carry the decomposition: its split is rough.",)
