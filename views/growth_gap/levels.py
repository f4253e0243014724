"""The gap at three levels: run against chip, chip against chip, run against run."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pandas as pd

from analysis.arrays import FloatArray
from analysis.growth_gap import Gap, gap, gap_of_ratio
from analysis.trend.calendar_year import decimal_year
from analysis.trend.growth import Growth
from analysis.trend.selection import Rule, select
from charts.chart import Points, Role
from data.releases import Release
from views import landmarks, wording
from views.chips import choice as accelerators_settings
from views.chips import rows as chip_rows
from views.chips.choice import AcceleratorSettings
from views.chips.metrics import METRICS
from views.runs import choice as training_compute_settings
from views.runs import rows as run_rows
from views.runs.choice import TrainingComputeSettings
from views.runs.parts import with_parts
from views.trend import fit as fit_settings

CHIPS: dict[str, tuple[str, dict[str, Any]]] = {
    "nvidia-flagships": (
        "NVIDIA's leading data-centre chip of each generation",
        {"rule": "flagships", "vendor": "nvidia"},
    ),
    "flagships": ("every vendor's leading data-centre chip of each generation", {"rule": "flagships"}),
    "all": ("every product", {"rule": "all"}),
}
ALL_POINTS = Rule(kind="all")


@dataclass(frozen=True, kw_only=True)
class Choice:
    """What the levels are asked about: runs, chips, precision of throughput, and the common index year."""

    runs: TrainingComputeSettings
    chips: AcceleratorSettings
    precision: str
    since: float


@dataclass(frozen=True, kw_only=True)
class Side:
    """One side of a gap: its name at a line's end, its trend, and its points divided by a base value."""

    label: str
    found: Growth
    role: Role
    points: Callable[[float], Points]


@dataclass(frozen=True, kw_only=True)
class Level:
    """One way to state the gap: both sides, their ratio, which rows, and what is compared."""

    name: str
    title: str
    role: Role
    compute: Side
    memory: Side
    gap: Gap
    rows: str
    comparing: str
    left_out: str = ""


@dataclass(frozen=True, kw_only=True)
class Unknown:
    """A level that the choices leave without enough rows, and why."""

    name: str
    title: str
    problem: str


def chip_settings(base: TrainingComputeSettings, chips: str) -> AcceleratorSettings:
    """Return the chips a setting names, under the same window, interval and release as the runs."""
    return AcceleratorSettings(
        since=base.since, level=base.level, to=base.to, release=base.release, **CHIPS[chips][1]
    )


def levels(release: Release, choice: Choice) -> tuple[Level | Unknown, ...]:
    """Return the gap at every level, in order: run against chip, chip against chip, run against run."""
    return (
        run_against_chip(release, choice),
        chip_against_chip(release, choice),
        run_against_run(release, choice),
    )


def run_against_chip(release: Release, choice: Choice) -> Level | Unknown:
    """Return the quoted gap: compute of a whole run over memory bandwidth of one chip."""
    name, title = "run-chip", "Run against chip"
    runs = run_rows.candidates(release, choice.runs)
    chips = chip_rows.candidates(release, choice.chips)
    try:
        compute, memory = run_rows.fitted(runs, choice.runs), chip_rows.fitted(chips, choice.chips)
    except ValueError as problem:
        return Unknown(name=name, title=title, problem=str(problem))
    chosen_runs, chosen_chips = runs.loc[compute.selected], chips.loc[memory.selected]
    return Level(
        name=name,
        title=title,
        role="compute",
        compute=Side(
            label="Compute per run",
            found=compute,
            role="compute",
            points=lambda base: run_rows.points(chosen_runs, divisor=base),
        ),
        memory=Side(
            label="Bandwidth per chip",
            found=memory,
            role="memory",
            points=lambda base: chip_rows.points(
                chosen_chips, metric=METRICS["memory-bandwidth"], divisor=base
            ),
        ),
        gap=gap(compute, memory, since=choice.since, year=_last(compute, memory)),
        rows=(
            f"{training_compute_settings.rule_words(choice.runs)} (n = {compute.n}); "
            f"{accelerators_settings.rule_words(choice.chips)} (n = {memory.n})"
        ),
        comparing=(
            "A whole training run against one chip. Runs use more chips, for longer, each year, so this is "
            "not a shortage of bandwidth in any machine."
        ),
    )


def chip_against_chip(release: Release, choice: Choice) -> Level | Unknown:
    """Return the gap within the same chips: peak throughput over memory bandwidth, row by row."""
    name, title = "chip-chip", "Chip against chip"
    chips = chip_rows.candidates(release, choice.chips)
    metric = METRICS[choice.precision]
    chips = chips.assign(peak=metric.of(chips))
    chips = chips.loc[chips["peak"].notna()].reset_index(drop=True)
    bandwidth = chips["value"]
    try:
        compute, memory, ratio = (
            chip_rows.fitted(chips.assign(value=values), choice.chips)
            for values in (chips["peak"], bandwidth, chips["peak"] / bandwidth)
        )
    except ValueError as problem:
        return Unknown(name=name, title=title, problem=str(problem))
    chosen = chips.loc[ratio.selected]
    return Level(
        name=name,
        title=title,
        role="memory",
        compute=Side(
            label=f"{wording.sentence_case(metric.noun)} per chip",
            found=compute,
            role="compute",
            points=lambda base: chip_rows.points(
                chosen.assign(value=chosen["peak"]), metric=metric, role="compute", divisor=base
            ),
        ),
        memory=Side(
            label="Bandwidth per chip",
            found=memory,
            role="memory",
            points=lambda base: chip_rows.points(chosen, metric=METRICS["memory-bandwidth"], divisor=base),
        ),
        gap=gap_of_ratio(ratio, since=choice.since, year=_last(compute, memory)),
        rows=f"{accelerators_settings.rule_words(choice.chips)}, both numbers known (n = {ratio.n})",
        comparing=(
            f"The {metric.noun} and the memory bandwidth of the same chips: like for like, at one precision."
        ),
        left_out=_drawn_back(ratio, choice),
    )


def run_against_run(release: Release, choice: Choice) -> Level | Unknown:
    """Return the gap within the same runs: FLOP/s of a run over the summed bandwidth of the chips it used."""
    name, title = "run-run", "Run against run"
    candidates = run_rows.candidates(release, choice.runs)
    year = decimal_year(candidates["published_on"])
    leading = select(
        year,
        candidates["training_compute_flop"].to_numpy(dtype=float),
        rule=training_compute_settings.rule(choice.runs),
    )
    window = fit_settings.window(choice.runs.since, choice.runs.until)
    asked = with_parts(release, candidates.loc[leading & window.holds(year)])
    joined = joined_runs(release, asked)
    rate, bandwidth = (joined[column].to_numpy(dtype=float) for column in ("rate", "bandwidth"))
    try:
        compute, memory, ratio = (
            fit_settings.fitted(
                run_rows.series(joined, values), choice.runs, rule=ALL_POINTS, since=choice.runs.since
            )
            for values in (rate, bandwidth, rate / bandwidth)
        )
    except ValueError as problem:
        return Unknown(name=name, title=title, problem=str(problem))
    return Level(
        name=name,
        title=title,
        role="links",
        compute=Side(
            label="FLOP/s of the run",
            found=compute,
            role="compute",
            points=lambda base: _run_points(joined, rate, "FLOP/s", "compute", base),
        ),
        memory=Side(
            label="Bandwidth of its chips",
            found=memory,
            role="memory",
            points=lambda base: _run_points(joined, bandwidth, "byte/s", "memory", base),
        ),
        gap=gap_of_ratio(ratio, since=choice.since, year=_last(compute, memory)),
        rows=(
            f"{training_compute_settings.rule_words(choice.runs)}, {len(joined)} of {len(asked)} joined to their chips"
        ),
        comparing=(
            "What a run computed in a second against what all its chips could read in a second: like for "
            "like, but only for the runs whose chips, their number and training time are known. The number "
            "of chips cancels; steps to smaller number formats and better utilization are counted in."
        ),
        left_out=f"Not joined: {missing_words(asked, joined)}. {_drawn_back(ratio, choice)}".rstrip(),
    )


def joined_runs(release: Release, asked: pd.DataFrame) -> pd.DataFrame:
    """Return the runs whose parts are known, with columns ``rate`` [FLOP/s] and ``bandwidth`` [byte/s]."""
    by_name = release.accelerators.drop_duplicates("name").set_index("name")["memory_bandwidth_byte_per_s"]
    known = asked.loc[asked["missing"] == ""]
    known = known.assign(
        rate=known["training_compute_flop"] / known["training_time_s"],
        bandwidth=known["hardware"].map(by_name).astype(float) * known["hardware_quantity"],
    )
    return known.loc[known["bandwidth"].notna()].reset_index(drop=True)


def missing_words(asked: pd.DataFrame, joined: pd.DataFrame) -> str:
    """Return why runs could not be joined, the commonest reason first: 36 no chip named; 13 time unknown."""
    left_out = asked.loc[~asked["name"].isin(joined["name"]), "missing"]
    reasons = left_out.replace("", "chip without a known bandwidth").value_counts()
    return "; ".join(f"{count} {reason}" for reason, count in reasons.items()) or "none missing"


def _drawn_back(found: Growth, choice: Choice) -> str:
    """Return the sentence that says where the rows of a level begin, if well after the index year."""
    first = found.trend.first_year
    if first < choice.since + 1:
        return ""
    return f"The rows begin in {int(first)}; before, the line is the trend drawn back to {choice.since:.0f}."


def _last(first: Growth, second: Growth) -> float:
    return max(first.trend.last_year, second.trend.last_year)


def _run_points(runs: pd.DataFrame, values: FloatArray, unit: str, role: Role, base: float) -> Points:
    names = tuple(runs["name"])
    return Points(
        series="Training runs",
        role=role,
        x=tuple(decimal_year(runs["published_on"]).tolist()),
        y=tuple((values / base).tolist()),
        names=names,
        details=tuple(
            (
                wording.quantity(float(value), unit),
                f"{count:,.0f} x {chip}, {date:%Y-%m-%d}",
                "Source: Epoch AI",
            )
            for value, count, chip, date in zip(
                values, runs["hardware_quantity"], runs["hardware"], runs["published_on"], strict=True
            )
        ),
        marked=landmarks.marked(names, landmarks.RUNS) if role == "compute" else (),
    )
