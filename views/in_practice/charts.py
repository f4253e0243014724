"""Speed-ups beside what data sheets promise, pair by pair and by load."""

import math
from collections.abc import Sequence

from analysis.in_practice.exponents import Exponents
from analysis.in_practice.pairs import PairSummary
from charts.chart import Bar, BarChart, Line, Points, Role, XYChart
from views import wording
from views.axes import linear_axis, log_axis
from views.in_practice import words
from views.result import Exhibit
from views.table import Getter, column, table

MOST_DRAWN = 60
LABELLED = 5

COLUMNS: tuple[Getter[PairSummary], ...] = (
    column("first", lambda pair: pair.first, label="From", kind="text"),
    column("second", lambda pair: pair.second, label="To", kind="text"),
    column("speed_up", lambda pair: pair.speed_up, label="Speed-up", unit="x"),
    column("bandwidth_ratio", lambda pair: pair.bandwidth_ratio, label="Bandwidth ratio", unit="x"),
    column("flop_ratio", lambda pair: pair.flop_ratio, label="FLOP/s ratio", unit="x"),
    column("low", lambda pair: pair.low, label="Speed-up, lower quartile", unit="x"),
    column("high", lambda pair: pair.high, label="Speed-up, upper quartile", unit="x"),
    column("precision", lambda pair: pair.precision, label="Precision", kind="text"),
    column("n", lambda pair: pair.n, label="Workloads"),
    column("models", lambda pair: pair.n_models, label="Models"),
)


MOST_SHOWN = 4


def sheets_exhibit(kinds: Sequence[PairSummary], *, title: str, subtitle: str, source: str) -> Exhibit:
    """Return the pairs with most works, each as three dots: bandwidth and FLOP/s on the data sheet, and measured."""
    bars = []
    for pair in kinds[:MOST_SHOWN]:
        name = words.pair_name(pair)
        sheets: tuple[tuple[str, Role, float], ...] = (
            ("bandwidth", "memory", pair.bandwidth_ratio),
            ("FLOP/s", "compute", pair.flop_ratio),
        )
        bars += [
            Bar(label=f"{name}: {what}", value=ratio, text=wording.times(ratio), role=role)
            for what, role, ratio in sheets
        ]
        bars.append(
            Bar(
                label=f"{name}: measured",
                value=pair.speed_up,
                low=pair.low,
                high=pair.high,
                text=wording.times(pair.speed_up),
                role="edge",
                emphasised=True,
                detail=(words.middle_half(pair),),
            )
        )
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle=subtitle,
            alt=f"{title}. {subtitle}",
            source=source,
            x=linear_axis(
                "Second chip over first [×]",
                [1.0, *(end for bar in bars for end in (bar.low or bar.value, bar.high or bar.value))],
                word=lambda value: f"{value:g}×",
            ),
            base=1.0,
            dots=True,
            bars=tuple(bars),
        ),
        table=table(COLUMNS, list(kinds)),
    )


def pairs_exhibit(kinds: Sequence[PairSummary], *, found: Exponents, source: str) -> Exhibit:
    """Return every two chips as two dots: their speed-up over their ratio of bandwidth and of FLOP/s."""
    drawn = kinds[:MOST_DRAWN]
    ratios = [pair.bandwidth_ratio for pair in drawn] + [pair.flop_ratio for pair in drawn]
    ends = [min(*ratios, 1.0), max(*ratios, 1.0)]
    off = wording.times(found.bandwidth_off.value), wording.times(found.flop_off.value)
    title = f"The bandwidth ratio is off by {off[0]} on average, the FLOP/s ratio by {off[1]}"
    subtitle = (
        "Measured speed-up from one chip to another on the same work, against their ratio of bandwidth (orange) and of "
        "FLOP/s (blue). On the dotted line the data sheet is right."
    )
    thin = (
        f" Shown: the {MOST_DRAWN} of {len(kinds)} pairs with the most workloads."
        if len(kinds) > MOST_DRAWN
        else ""
    )
    names = tuple(f"{words.pair_name(pair)}: {wording.times(pair.speed_up)}" for pair in drawn)
    details = tuple((words.both_ratios(pair), words.middle_half(pair)) for pair in drawn)
    marked = tuple((place, words.pair_name(pair)) for place, pair in enumerate(drawn[:LABELLED]))
    speed = tuple(pair.speed_up for pair in drawn)
    return Exhibit(
        chart=XYChart(
            title=title,
            subtitle=f"{subtitle}{thin}",
            alt=f"{title}. {subtitle}",
            source=source,
            x=log_axis("Ratio on the data sheet [×]", ends, word=wording.factor_tick),
            y=log_axis("Measured speed-up [×]", [*speed, 1.0], word=wording.factor_tick),
            marks=(
                Line(
                    series="As on the data sheet",
                    role="context",
                    x=_diagonal(ends, speed),
                    y=_diagonal(ends, speed),
                    dash="dotted",
                ),
                Points(
                    series="By FLOP/s",
                    role="compute",
                    x=tuple(pair.flop_ratio for pair in drawn),
                    y=speed,
                    names=names,
                    details=details,
                ),
                Points(
                    series="By bandwidth",
                    role="memory",
                    x=tuple(pair.bandwidth_ratio for pair in drawn),
                    y=speed,
                    names=names,
                    details=details,
                    marked=marked,
                ),
            ),
        ),
        table=table(COLUMNS, list(kinds)),
    )


def _diagonal(ends: Sequence[float], speed: Sequence[float]) -> tuple[float, float]:
    return max(ends[0], min(*speed, 1.0)), min(ends[1], max(*speed, 1.0)) * 1.0001


ByLoad = tuple[str, PairSummary]
LOAD_COLUMNS: tuple[Getter[ByLoad], ...] = (
    column("load", lambda one: one[0], label="Requests in flight", kind="text"),
    column("first", lambda one: one[1].first, label="From", kind="text"),
    column("second", lambda one: one[1].second, label="To", kind="text"),
    column("speed_up", lambda one: one[1].speed_up, label="Speed-up", unit="x"),
    column("bandwidth_ratio", lambda one: one[1].bandwidth_ratio, label="Bandwidth ratio", unit="x"),
    column("flop_ratio", lambda one: one[1].flop_ratio, label="FLOP/s ratio", unit="x"),
    column("low", lambda one: one[1].low, label="Speed-up, lower quartile", unit="x"),
    column("high", lambda one: one[1].high, label="Speed-up, upper quartile", unit="x"),
    column("n", lambda one: one[1].n, label="Workloads"),
)
FEWEST_WORKS = 3
MOVED = math.log(1.1)
"""From here on a speed-up moves with the load."""


def by_load_exhibit(cases: Sequence[ByLoad], *, source: str) -> Exhibit | None:
    """Return the speed-ups of the same chips by the requests in flight; None where no two loads have three works."""
    kinds: dict[tuple[str, str, str], list[ByLoad]] = {}
    for case in cases:
        if case[1].n >= FEWEST_WORKS:
            pair = case[1]
            kinds.setdefault((pair.first, pair.second, pair.precision), []).append(case)
    shown = [case for kind in kinds.values() if len(kind) > 1 for case in kind]
    if not shown:
        return None
    several = [kind for kind in kinds.values() if len(kind) > 1]
    moved = max(several, key=lambda kind: (_spread(kind) > MOVED, sum(pair.n for _, pair in kind)))
    (least, one), (most, other) = moved[0], moved[-1]
    title = (
        f"{words.pair_name(one)}: {wording.times(one.speed_up)} with {least} in flight, "
        f"{wording.times(other.speed_up)} with {most}"
    )
    bars = tuple(
        Bar(
            label=f"{words.pair_name(pair)}, {load}",
            value=pair.speed_up,
            low=pair.low,
            high=pair.high,
            text=wording.times(pair.speed_up),
            role="memory",
            detail=(words.both_ratios(pair), words.middle_half(pair)),
        )
        for load, pair in shown
    )
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle="Median speed-up and middle half of the workloads, by requests in flight.",
            alt=f"{title}.",
            source=source,
            x=linear_axis(
                "Measured speed-up [×]",
                [1.0, *(end for bar in bars for end in (bar.low or 1.0, bar.high or 1.0))],
                word=lambda value: f"{value:g}×",
            ),
            base=1.0,
            dots=True,
            bars=bars,
        ),
        table=table(LOAD_COLUMNS, shown),
    )


def _spread(kind: Sequence[ByLoad]) -> float:
    return abs(math.log(kind[-1][1].speed_up / kind[0][1].speed_up))
