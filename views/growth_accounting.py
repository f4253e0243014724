"""Where does the growth of training compute come from?"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from analysis.accounting import Part, growth_of_parts
from analysis.calendar_year import decimal_year
from data.releases import Release
from views import accounting_charts, fit_settings, training_compute, trend, wording
from views.on_demand import OnDemand
from views.result import Cell, Column, Exhibit, Figure, Table
from views.run_parts import FACTORS, with_parts
from views.settings import Conflict, choice, definitions
from views.training_compute import TrainingComputeSettings
from views.view import Finding, ReleaseSettings, View

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
SENSITIVITY_DRAWS = 400


def _as_on_training_compute(name: str, default: Any = None) -> Any:
    setting = definitions(TrainingComputeSettings)[name]
    given = getattr(TrainingComputeSettings(), name) if default is None else default
    return field(default=given, metadata={"setting": setting})


@dataclass(frozen=True, kw_only=True)
class GrowthAccountingSettings(ReleaseSettings):
    """Which training runs, since when, and how sure the factors are to be."""

    rule: str = _as_on_training_compute("rule")
    top: int = _as_on_training_compute("top")
    domain: str = _as_on_training_compute("domain")
    since: str = _as_on_training_compute("since", "2018")
    until: str = _as_on_training_compute("until")
    confidence: str = _as_on_training_compute("confidence")
    interval: str = choice(
        "bootstrap",
        {name: fit_settings.INTERVALS[name] for name in ("bootstrap", "clustered")},
        label="Interval",
        help="How the intervals of the factors are made; every draw refits all factors on the same rows.",
    )
    level: str = _as_on_training_compute("level")

    def conflicts(self) -> tuple[Conflict, ...]:
        """Return the conflict of a window that ends before it starts, if it does."""
        return fit_settings.until_before_since(self.since, self.until)


def run_settings(settings: GrowthAccountingSettings) -> TrainingComputeSettings:
    """Return the choice of runs as /training-compute knows it."""
    return TrainingComputeSettings(
        rule=settings.rule,
        top=settings.top,
        domain=settings.domain,
        since=settings.since,
        until=settings.until,
        confidence=settings.confidence,
    )


def candidates(release: Release, settings: GrowthAccountingSettings) -> pd.DataFrame:
    """Return the runs that pass the filters, with their parts, oldest first."""
    return with_parts(release, training_compute.candidates(release, run_settings(settings)))


def parts(
    runs: pd.DataFrame, settings: GrowthAccountingSettings, *, draws: int = 2000, further: bool = True
) -> dict[str, Part]:
    """Return the growth of every part of the runs: the factors, ``total`` and, ``further``, the rest.

    ``total`` is compute on the rows of the factors, ``all`` compute of all selected rows; the quantities of
    ``BESIDE`` are each fitted on the rows where they are known, and missing where those are too few.

    Raises
    ------
    ValueError
        If too few of the selected runs have known factors.
    """
    compute = runs["training_compute_flop"].to_numpy(dtype=float)
    known = (runs["missing"] == "").to_numpy()
    quantities = {"total": np.where(known, compute, np.nan)}
    quantities |= {name: runs[name].to_numpy(dtype=float) for name in FACTORS}
    if further:
        quantities["all"] = compute
        for name, (column, _) in BESIDE.items():
            quantities[name] = runs[column].where(runs[column] > 0).to_numpy(dtype=float)
    return growth_of_parts(
        decimal_year(runs["published_on"]),
        compute,
        parts=quantities,
        rule=training_compute.rule(run_settings(settings)),
        window=fit_settings.window(settings.since, settings.until),
        level=int(settings.level) / 100,
        optional=BESIDE,
        cluster=runs["organisation"].to_numpy(dtype=object) if settings.interval == "clustered" else None,
        draws=draws,
    )


def share(part: Part, total: Part) -> float:
    """Return the share of the total's growth, in logarithms, that a part makes up; nan when it is flat."""
    return part.slope_per_year / total.slope_per_year if total.slope_per_year else float("nan")


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


def _figures(found: dict[str, Part], *, method: str) -> tuple[Figure, ...]:
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


def _sound(portion: float) -> bool:
    return math.isfinite(portion) and abs(portion) < 10


def _percent(portion: float) -> str:
    return f"{100 * portion:.0f} %".replace("-", "−")


def _table(runs: pd.DataFrame) -> Table:
    """Return the selected runs newest first, with their parts and what is missing."""
    rows = []
    for run in runs.iloc[::-1].to_dict("records"):
        numbers: list[Cell] = [
            None if pd.isna(run[name]) else float(run[name])
            for name in (
                "training_compute_flop",
                "hardware_quantity",
                "training_time_s",
                "peak_flop_per_s",
                "utilization",
                "mfu",
            )
        ]
        used = "yes" if run["missing"] == "" else f"no: {run['missing']}"
        rows.append(
            (
                run["name"],
                f"{run['published_on']:%Y-%m-%d}",
                run["hardware"],
                *numbers,
                run["confidence"],
                used,
                run["link"],
            )
        )
    return Table(
        columns=(
            Column(name="name", label="Model", kind="text"),
            Column(name="published_on", label="Published", kind="date"),
            Column(name="hardware", label="Chips", kind="text"),
            Column(name="training_compute_flop", label="Training compute", unit="FLOP", kind="scientific"),
            Column(name="n_chips", label="Number of chips"),
            Column(name="training_time_s", label="Time", unit="s", kind="scientific"),
            Column(name="peak_flop_per_s_per_chip", label="Peak per chip", unit="FLOP/s", kind="scientific"),
            Column(name="implied_utilization", label="Implied utilization"),
            Column(name="reported_mfu", label="Reported MFU"),
            Column(name="confidence", label="Confidence", kind="text"),
            Column(name="used", label="In the decomposition", kind="text"),
            Column(name="link", label="Source", kind="link"),
        ),
        rows=tuple(rows),
    )


def _missing_note(selected: pd.DataFrame, found: dict[str, Part]) -> str:
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


def _headline(settings: GrowthAccountingSettings, found: dict[str, Part]) -> str:
    rate = {name: wording.times(found[name].yearly_growth) for name in ("total", *FACTORS)}
    whose = "frontier compute" if settings.rule == "frontier" else "training compute"
    whose += " of language models" if settings.domain == "language" else ""
    return (
        f"The {rate['total']} a year of {whose} is {rate['chips']} the chips, {rate['time']} the time, "
        f"{rate['flop_per_s_per_chip']} the FLOP/s per chip and {rate['utilization']} the utilization"
    )


def build(settings: GrowthAccountingSettings, release: Release) -> Finding:
    """Return what the growth of training compute is made of under the settings."""
    chosen = run_settings(settings)
    words = training_compute.rule_words(chosen)
    data_words = f"Data: Epoch AI (CC BY 4.0), curated, release {release.name}."
    runs = candidates(release, settings)
    try:
        found = parts(runs, settings)
    except ValueError as problem:
        return _unfitted(runs, settings, problem=str(problem), words=f"{words}. {data_words}")
    selected = runs.loc[found["all"].rows].reset_index(drop=True)
    total = found["total"]
    what = "whole organisations" if settings.interval == "clustered" else "models"
    method = f"bootstrap that resamples {what}, selects again and refits every factor on the same rows, 2,000 draws"
    source = (
        f"{words}, n = {total.n} of {len(selected)} with every part known. Least squares on log10; "
        f"{wording.percent(total.level)} interval: {method}. {data_words}"
    )
    headline = _headline(settings, found)

    def exhibits() -> Iterator[Exhibit]:
        yield Exhibit(
            chart=accounting_charts.waterfall(found, headline=headline, labels=LABELS, source=source),
            table=_table(selected),
        )
        yield accounting_charts.stacked(found, runs=selected, labels=LABELS, source=source)
        yield accounting_charts.beside(
            found, names={name: label for name, (_, label) in BESIDE.items()}, labels=LABELS, source=source
        )
        cases = _cases(runs, settings)
        if len(cases) > 1:
            yield accounting_charts.sensitivity(
                [("This view", found), *cases], labels=LABELS, source=source, level=total.level
            )

    return Finding(
        headline=headline,
        figures=_figures(found, method=method),
        exhibits=OnDemand(exhibits),
        settings_line=source,
        notes=(_missing_note(selected, found), _utilization_note(selected), *_thin_notes(total)),
    )


def _thin_notes(total: Part) -> tuple[str, ...]:
    if total.n >= 20:
        return ()
    return (f"Only {total.n} runs carry the decomposition: its split is rough.",)


def _cases(runs: pd.DataFrame, settings: GrowthAccountingSettings) -> list[tuple[str, dict[str, Part]]]:
    """Return the decomposition under other numbers of leading runs and other windows, where it can be had."""
    changes: tuple[tuple[str, dict[str, Any]], ...] = (
        ("Top 5", {"rule": "frontier", "top": 5}),
        ("Top 10", {"rule": "frontier", "top": 10}),
        ("Top 20", {"rule": "frontier", "top": 20}),
        ("All runs", {"rule": "notable"}),
        ("Since 2015", {"since": "2015"}),
        ("Since 2018", {"since": "2018"}),
        ("Since 2020", {"since": "2020"}),
        ("To 2024", {"until": "2024"}),
    )
    cases, seen = [], {settings}
    for label, change in changes:
        case = replace(settings, **change)
        if case in seen or case.conflicts():
            continue
        seen.add(case)
        try:
            cases.append((label, parts(runs, case, draws=SENSITIVITY_DRAWS, further=False)))
        except ValueError:
            continue
    return cases


def _unfitted(runs: pd.DataFrame, settings: GrowthAccountingSettings, *, problem: str, words: str) -> Finding:
    window = fit_settings.window(settings.since, settings.until)
    inside = runs.loc[window.holds(decimal_year(runs["published_on"]))]
    known = int((inside["missing"] == "").sum())
    return trend.unfitted(
        headline=f"These choices leave {wording.counted(known, 'run')} with known parts: nothing to take apart",
        problem=problem,
        words=words,
        points=training_compute.points(inside),
        table=_table(inside),
        to=fit_settings.LAST_YEAR,
        axis_title="Training compute [FLOP]",
        unit=training_compute.UNIT,
    )


VIEW = View(
    path="/growth-accounting",
    title="Growth accounting",
    question="Where does the growth of training compute come from?",
    settings=GrowthAccountingSettings,
    build=build,
    method=(
        "Training compute = number of chips × training time × peak FLOP/s per chip × utilization. Each factor "
        "is fitted as log10(factor) against the decimal year on the same runs. A least-squares slope is linear "
        "in its values, so the four slopes add up exactly to that of compute, and the growth factors multiply "
        "to it, in every bootstrap draw too.",
        "Runs come in when chip, count and time are known. Runs built on another model stay out: their "
        "compute counts the base model in, their chips and time do not. The peak is dense, FP8 where a run "
        "states FP8, else at 16 bits where the chip runs them at full rate, else FP32. Utilization is the "
        "remainder; reported model FLOP utilization (MFU) is a check, not an input.",
        "The selection is checked: the same draws give the growth of all selected runs, with and without "
        "known parts, and the page tells the ratio of both. What keeps each run out stands in the table. "
        "Power, cost, parameters and data are fitted on the selected runs where each is known, so they need "
        "not be the same runs.",
        "Epoch AI, top 10 since 2018, with data to early 2025: compute 4.17× a year (80 % interval 3.74–4.62), "
        "of it hardware 1.41×, quantity 1.69×, time 1.53×. Their three factors multiply to 3.65×; what is left "
        "is precision and utilization.",
    ),
)
