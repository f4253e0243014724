"""The gap at three levels: run vs one chip, within one chip, and run vs its own chips."""

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from analysis.growth_gap import Gap, gap, gap_of_ratio
from analysis.trend.calendar_year import decimal_year
from analysis.trend.growth import Growth
from analysis.trend.selection import Rule, select
from charts.chart import Points, Role
from data.releases import Release
from views import wording, written
from views.chips import choice as chip_choice
from views.chips import rows as chip_rows
from views.chips.choice import AcceleratorSettings
from views.chips.metrics import METRICS
from views.growth_gap.settings import Comparison
from views.runs import choice as run_choice
from views.runs import rows as run_rows
from views.runs.rows import with_parts
from views.table import table
from views.trend import finding as trend
from views.trend import fit as fit_settings
from views.view import Finding

ALL_POINTS = Rule(kind="all")
WORDS = written.toml(__file__, name="levels.toml")


@dataclass(frozen=True, kw_only=True)
class Side:
    """One side of a gap: its label, its trend, and its points divided by a given value."""

    label: str
    growth: Growth
    points: Callable[[float], Points]


@dataclass(frozen=True, kw_only=True)
class Way:
    """One way to measure the gap, identified by its option."""

    name: str

    @property
    def title(self) -> str:
        """Return the displayed title of this way to measure the gap."""
        return WORDS[self.name]["title"]

    @property
    def word(self) -> str:
        """Return the prefix of this way's figures and columns, such as run_chip."""
        return self.name.replace("-", "_")


@dataclass(frozen=True, kw_only=True)
class Level(Way):
    """The gap measured one way: its two sides, their ratio, and the rows.

    ``rows`` describes the fitted rows, and ``comparing`` is the caveat in one sentence. ``left_out`` describes missing
    rows, and ``drawn_back`` states where the rows begin.
    """

    compute: Side
    memory: Side
    gap: Gap
    rows: str
    comparing: str
    left_out: str = ""
    drawn_back: str = ""

    @property
    def role(self) -> Role:
        """Return the level's colour role."""
        return WORDS[self.name]["role"]

    @property
    def counted_in(self) -> str:
        """Return a sentence on what else affects the ratio. Empty if nothing does."""
        return WORDS[self.name]["counted_in"]


@dataclass(frozen=True, kw_only=True)
class Unknown(Way):
    """A level with too few rows under the choices, and the reason."""

    problem: str


def no_gap(
    release: Release, comparison: Comparison, *, what: str, problem: str, to: int, data: str
) -> Finding:
    """Return a finding that too few rows are left to compare. ``what`` names the rows, ``data`` their source."""
    bandwidth = METRICS["memory-bandwidth"]
    return trend.unfitted(
        headline=f"Too few {what} remain to compare two trends",
        problem=problem,
        words=f"{run_choice.rule_words(comparison.runs)}. {data}",
        points=chip_rows.points(chip_rows.candidates(release, comparison.chips), metric=bandwidth),
        table=table(chip_rows.NAMES, ()),
        to=to,
        axis_title="Memory bandwidth [byte/s]",
        unit=bandwidth.unit,
    )


def levels(release: Release, comparison: Comparison) -> tuple[Level | Unknown, ...]:
    """Return the gap at every level: run vs one chip, within one chip, and run vs its own chips."""
    return tuple(level(name, release=release, comparison=comparison) for name in _MADE)


def level(name: str, *, release: Release, comparison: Comparison) -> Level | Unknown:
    """Return the gap measured one way, or the reason why it is unknown."""
    try:
        made = _MADE[name](release, comparison)
        of_compute, of_memory = WORDS[name]["rows_of"]
        for of, side in ((of_compute, made.compute), (of_memory, made.memory)):
            if of in release.origin:
                fit_settings.check_own(n=side.growth.n)
        return made
    except ValueError as problem:
        return Unknown(name=name, problem=str(problem))


def _run_against_chip(release: Release, comparison: Comparison) -> Level:
    """Return the gap as quoted: a run's compute against one chip's memory bandwidth."""
    runs = run_rows.candidates(release, comparison.runs)
    chips = chip_rows.candidates(release, comparison.chips)
    compute = fit_settings.fitted(
        run_rows.series(runs),
        comparison.runs,
        rule=run_choice.rule(comparison.runs),
        since=comparison.runs.since,
    )
    memory = chip_rows.fitted(chips, comparison.chips)
    chosen_runs, chosen_chips = runs.loc[compute.selected], chips.loc[memory.selected]
    return Level(
        name="run-chip",
        compute=Side(
            label="Compute per run",
            growth=compute,
            points=lambda base: run_rows.points(chosen_runs, divisor=base),
        ),
        memory=_bandwidth_per_chip(memory, chosen_chips, settings=comparison.chips),
        gap=gap(compute, memory, since=comparison.since, year=_last(compute, memory)),
        rows=(
            f"{run_choice.rule_words(comparison.runs)} (n = {compute.n}); "
            f"{wording.small_initial(chip_choice.rule_words(comparison.chips))} (n = {memory.n})"
        ),
        comparing=WORDS["run-chip"]["comparing"],
    )


def _bandwidth_per_chip(memory: Growth, chips: pd.DataFrame, *, settings: AcceleratorSettings) -> Side:
    metric = METRICS["memory-bandwidth"]
    return Side(
        label=wording.sentence_case(chip_choice.subject(settings).removeprefix("Memory ")),
        growth=memory,
        points=lambda base: chip_rows.points(chips, metric=metric, divisor=base),
    )


def _within_one_chip(release: Release, comparison: Comparison) -> Level:
    """Return the gap within one chip: its peak throughput against its memory bandwidth."""
    chips = chip_rows.candidates(release, comparison.within)
    metric = METRICS[comparison.precision]
    chips = chips.assign(peak=metric.of(chips))
    chips = chips.loc[chips["peak"].notna()].reset_index(drop=True)
    compute, memory, ratio = (
        chip_rows.fitted(chips.assign(value=values), comparison.within)
        for values in (chips["peak"], chips["value"], chips["peak"] / chips["value"])
    )
    chosen = chips.loc[ratio.selected]
    return Level(
        name="chip-chip",
        compute=Side(
            label=f"{wording.sentence_case(metric.noun)} per chip",
            growth=compute,
            points=lambda base: chip_rows.points(
                chosen.assign(value=chosen["peak"]), metric=metric, role="compute", divisor=base
            ),
        ),
        memory=_bandwidth_per_chip(memory, chosen, settings=comparison.within),
        gap=gap_of_ratio(ratio, since=comparison.since, year=_last(compute, memory)),
        rows=f"{chip_choice.rule_words(comparison.within)}, with known throughput and bandwidth (n = {ratio.n})",
        comparing=WORDS["chip-chip"]["comparing"].format(noun=metric.noun),
        drawn_back=_drawn_back(ratio, comparison),
    )


def _run_against_run(release: Release, comparison: Comparison) -> Level:
    """Return the gap within one run: its FLOP/s against the total bandwidth of its chips."""
    candidates = run_rows.candidates(release, comparison.runs)
    year = decimal_year(candidates["published_on"])
    leading = select(
        year, candidates["training_compute_flop"].to_numpy(dtype=float), rule=run_choice.rule(comparison.runs)
    )
    window = fit_settings.window(comparison.runs.since, comparison.runs.until)
    leading_runs = with_parts(release, candidates.loc[leading & window.holds(year)])
    joined = joined_runs(release, leading_runs)
    rate, bandwidth = (joined[column].to_numpy(dtype=float) for column in ("rate", "bandwidth"))
    compute, memory, ratio = (
        fit_settings.fitted(
            run_rows.series(joined, values), comparison.runs, rule=ALL_POINTS, since=comparison.runs.since
        )
        for values in (rate, bandwidth, rate / bandwidth)
    )
    return Level(
        name="run-run",
        compute=Side(
            label="FLOP/s of the run",
            growth=compute,
            points=lambda base: _run_points(joined, "rate", unit="FLOP/s", role="compute", base=base),
        ),
        memory=Side(
            label="Bandwidth of the run's chips",
            growth=memory,
            points=lambda base: _run_points(joined, "bandwidth", unit="byte/s", role="memory", base=base),
        ),
        gap=gap_of_ratio(ratio, since=comparison.since, year=_last(compute, memory)),
        rows=(
            f"{run_choice.rule_words(comparison.runs)} ({len(joined)} of {len(leading_runs)} matched with their chips)"
        ),
        comparing=WORDS["run-run"]["comparing"].format(joined=len(joined), leading=len(leading_runs)),
        left_out=f"“Run vs its own chips” excludes {missing_words(leading_runs, joined)}.",
        drawn_back=_drawn_back(ratio, comparison),
    )


_MADE = {"run-chip": _run_against_chip, "chip-chip": _within_one_chip, "run-run": _run_against_run}
"""Functions that measure the gap at each level, keyed by name, in display order."""


def joined_runs(release: Release, leading_runs: pd.DataFrame) -> pd.DataFrame:
    """Return the runs whose parts are known, with columns ``rate`` [FLOP/s] and ``bandwidth`` [byte/s]."""
    by_name = release.accelerators.drop_duplicates("name").set_index("name")["memory_bandwidth_byte_per_s"]
    known = leading_runs.loc[leading_runs["missing"] == ""]
    known = known.assign(
        rate=known["training_compute_flop"] / known["training_time_s"],
        bandwidth=known["hardware"].map(by_name).astype(float) * known["hardware_quantity"],
    )
    return known.loc[known["bandwidth"].notna()].reset_index(drop=True)


def missing_words(leading_runs: pd.DataFrame, joined: pd.DataFrame) -> str:
    """Return text on the number of runs with unknown parts, and the two most frequent reasons."""
    left_out = leading_runs.loc[~leading_runs["name"].isin(joined["name"]), "missing"]
    reasons = left_out.replace("", "chip without a known bandwidth").value_counts()
    most = " or ".join(f"“{reason}” ({count})" for reason, count in reasons.head(2).items())
    which = f"{len(left_out)} of {wording.counted(len(leading_runs), 'run')}"
    return f"{which}, most often for the reason {most}" if most else which


def _drawn_back(ratio: Growth, comparison: Comparison) -> str:
    """Return a sentence on the year in which a level's rows begin. Empty if that year is near the index year."""
    first = ratio.trend.first_year
    if first < comparison.since + 1:
        return ""
    return f"The rows begin in {int(first)}; the trend is extended back to {comparison.since:.0f}."


def _last(first: Growth, second: Growth) -> float:
    """Return the last year to which both sides' points extend. The gap ends in that year. [year]"""
    return min(first.trend.last_year, second.trend.last_year)


def _run_points(runs: pd.DataFrame, value: str, *, unit: str, role: Role, base: float) -> Points:
    return run_rows.points(
        runs,
        value,
        divisor=base,
        details=lambda run: (
            wording.quantity(run.value, unit),
            f"{run.hardware_quantity:,.0f} × {run.hardware}, {run.published_on:%Y-%m-%d}",
            "Source: Epoch AI",
        ),
        role=role,
    )
