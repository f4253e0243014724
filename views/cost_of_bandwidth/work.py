"""What it means for a run: how the parts that work uses grow dearer, by how many FLOP it needs per byte."""

import numpy as np

from analysis.cost_of_bandwidth import growth, of_work
from analysis.fleet import DrawnSeries, FleetGrowth
from charts.chart import Band, Line, Points, XYChart
from views import wording
from views.axes import log_axis
from views.cost_of_bandwidth.settings import CostOfBandwidthSettings
from views.cost_of_bandwidth.words import dollars, whose
from views.result import Column, Exhibit, Table

LEAST, MOST, STEPS = 1.0, 10_000.0, 17
BYTES = {"fp16": 2, "fp8": 1}
MATRIX = 8192
PETA = 1e15


def named_work(settings: CostOfBandwidthSettings, *, chips: float) -> dict[str, float]:
    """Return the FLOP per byte of work that readers know; ``chips`` is that of the chips shipped. [FLOP/byte]

    A token of one request is two FLOP for each weight read; 32 requests share the reading; a product of square
    matrices of n rows does 2 n³ FLOP on 3 n² numbers.
    """
    size = BYTES[settings.precision]
    return {
        "One request": 2 / size,
        "32 requests": 64 / size,
        "Chips shipped": chips,
        "Training, prompts": 2 * MATRIX / (3 * size),
    }


def work_exhibit(
    compute: DrawnSeries,
    bandwidth: DrawnSeries,
    *,
    settings: CostOfBandwidthSettings,
    chips: float,
    source: str,
) -> Exhibit:
    """Return growth a year of what work costs, from bound by bandwidth to bound by compute."""
    level, whole = int(settings.level) / 100, settings.cost == "whole"
    named = named_work(settings, chips=chips)
    at = sorted({*np.geomspace(LEAST, MOST, STEPS).tolist(), *named.values()})
    costs = {each: of_work(compute, bandwidth, flop_per_byte=each, whole_chip=whole) for each in at}
    rates = {each: growth(of, level=level) for each, of in costs.items()}
    few, many = (wording.times(rates[each].factor) for each in (at[0], at[-1]))
    title = f"Parts for bandwidth-bound work cost {few} as much each year, compute-bound {many}"
    share = float(bandwidth.middle()[-1] / chips / costs[chips].middle()[-1])
    own = rates[chips]
    paid = (
        "Work pays for as many whole chips as it needs."
        if whole
        else f"At {wording.significant(chips, 3)} FLOP per byte, as the chips shipped offer, memory is "
        f"{wording.percent(round(share, 2))} of the cost of memory and logic, which grows "
        f"{wording.times(own.factor)} a year."
    )
    return Exhibit(
        chart=XYChart(
            title=title,
            subtitle=f"{wording.sentence_case(whose(settings))}: how the cost of the parts that work uses grows. "
            f"{paid}",
            alt=f"{title}.",
            source=source,
            x=log_axis("FLOP per byte that the work needs", at, word=lambda value: f"{value:,.0f}"),
            y=log_axis(
                "Growth a year",
                [1.0, *(end for rate in rates.values() for end in (rate.low, rate.high))],
                word=wording.factor_tick,
            ),
            marks=(
                Band(
                    series=f"{settings.level} % interval",
                    role="memory",
                    strength="confidence",
                    x=tuple(at),
                    low=tuple(rates[each].low for each in at),
                    high=tuple(rates[each].high for each in at),
                ),
                Line(
                    series="Growth a year",
                    role="memory",
                    x=tuple(at),
                    y=tuple(rates[each].factor for each in at),
                    hover=tuple(f"{each:,.0f} FLOP per byte: {_said(rates[each])}" for each in at),
                ),
                Points(
                    series="Work that readers know",
                    role="compute",
                    x=tuple(named.values()),
                    y=tuple(rates[each].factor for each in named.values()),
                    names=tuple(named),
                    details=tuple(
                        (
                            f"{wording.significant(each, 3)} FLOP per byte: {_said(rates[each])}",
                            f"{dollars(PETA * float(costs[each].middle()[-1]))} per PFLOP/s of work",
                        )
                        for each in named.values()
                    ),
                    marked=tuple(enumerate(named)),
                ),
            ),
        ),
        table=Table(
            columns=(
                Column(name="flop_per_byte", label="FLOP per byte", unit="FLOP/byte"),
                Column(name="work", label="Work", kind="text"),
                Column(name="growth", label="Growth", unit="x/year"),
                Column(name="low", label=f"From ({settings.level} %)", unit="x/year"),
                Column(name="high", label="to", unit="x/year"),
                Column(name="first", label=f"In {_quarter(compute, 0)}", unit="USD per PFLOP/s"),
                Column(name="last", label=f"In {_quarter(compute, -1)}", unit="USD per PFLOP/s"),
            ),
            rows=tuple(
                (
                    each,
                    next((name for name, value in named.items() if value == each), ""),
                    rates[each].factor,
                    rates[each].low,
                    rates[each].high,
                    *(PETA * float(costs[each].middle()[end]) for end in (0, -1)),
                )
                for each in at
            ),
        ),
        section="finding",
    )


def _quarter(of: DrawnSeries, at: int) -> str:
    return wording.quarter(float(of.end_year[at]))


def _said(rate: FleetGrowth) -> str:
    ends = wording.interval(wording.times(rate.low), wording.times(rate.high))
    return f"{wording.times(rate.factor)} a year ({ends})"
