"""What other choices make of the rates: each changed alone."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from analysis.cost_of_bandwidth import growth
from analysis.fleet import DrawnSeries, FleetGrowth, balance
from charts.chart import Bar, BarChart, Role
from data.releases import Release
from views import wording
from views.axes import log_axis
from views.cost_of_bandwidth.inputs import unit_cost
from views.cost_of_bandwidth.settings import ALL, LONGEST_LAG, MAKERS, PER, CostOfBandwidthSettings
from views.cost_of_bandwidth.words import NAMES, UNITS, against, lags, whose
from views.result import Column, Exhibit, Table

PRECISION = "FLOP/s at"
"""How the choice of another precision is named, which moves the cost of compute alone."""
COSTS = {
    "own": "Memory or logic alone",
    "packaged": "Memory with packaging",
    "whole": "All parts of the chip",
}
SAME_SINCE = 2024.75
"""The lag of three quarters begins with what ships after this, in Q4 2024. [decimal year]"""


@dataclass(frozen=True, kw_only=True)
class Case:
    """A choice by name, growth of what a unit costs under it, and of that cost over what the other side costs."""

    label: str
    cost: FleetGrowth
    gap: FleetGrowth
    quarters: int
    of_lag: bool = False


def chosen_label(settings: CostOfBandwidthSettings) -> str:
    """Return what the case of the link itself is called."""
    return f"As chosen: {whose(settings)}, {lags(settings.lag)}"


def cases(release: Release, settings: CostOfBandwidthSettings) -> list[Case]:
    """Return the rates as chosen, then under each other choice that leaves enough quarters."""
    level = int(settings.level) / 100
    found: list[Case] = []

    def add(
        label: str,
        case: CostOfBandwidthSettings,
        *,
        since: float | None = None,
        of_lag: bool = False,
        late_h200: bool = False,
        logic_before: int = 0,
    ) -> None:
        own, other = (
            unit_cost(
                release,
                replace(case, lag=case.lag + logic_before * (per == "compute")),
                per=per,
                late_h200=late_h200,
            )
            for per in (case.per, against(case.per))
        )
        own, other = _at_both(own, other)
        if not (len(own.end_year) and own.end_year.shape == other.end_year.shape):
            return
        start = {} if since is None else {"since": since}
        with suppress(ValueError):
            found.append(
                Case(
                    label=label,
                    cost=growth(own, level=level, **start),
                    gap=growth(balance(own, other), level=level, **start),
                    quarters=int((own.end_year > (since or 0) + 1e-6).sum()),
                    of_lag=of_lag,
                )
            )

    add(chosen_label(settings), settings, of_lag=True)
    for lag in range(LONGEST_LAG + 1):
        if lag != settings.lag:
            add(f"Shipped {lags(lag)}", replace(settings, lag=lag), of_lag=True)
    add("Only chips shipped since Q4 2024", settings, since=SAME_SINCE)
    if settings.cost != "whole":
        add("Logic used a quarter before HBM", settings, logic_before=1)
    if settings.maker in {"nvidia", ALL}:
        add("If all H100 since Q4 2024 were H200", settings, late_h200=True)
    for word, label in COSTS.items():
        if word != settings.cost:
            add(label, replace(settings, cost=word))
    for word, (label, _) in PER.items():
        if word not in {settings.per, against(settings.per)}:
            add(f"Per {label}", replace(settings, per=word))
    other = "fp8" if settings.precision == "fp16" else "fp16"
    add(f"{PRECISION} {8 if other == 'fp8' else 16} bits", replace(settings, precision=other))
    for word in (*MAKERS, ALL):
        if word != settings.maker:
            add("All four makers" if word == ALL else MAKERS[word], replace(settings, maker=word))
    return found


def _at_both(one: DrawnSeries, other: DrawnSeries) -> tuple[DrawnSeries, DrawnSeries]:
    """Return two series at the quarters that both have."""
    both = np.intersect1d(one.end_year, other.end_year)

    def at(of: DrawnSeries) -> DrawnSeries:
        keep = np.isin(of.end_year, both)
        return DrawnSeries(end_year=of.end_year[keep], total=of.total[:, keep])

    return at(one), at(other)


def choices_exhibit(
    found: Sequence[Case], settings: CostOfBandwidthSettings, *, gap: bool, source: str
) -> Exhibit:
    """Return the rates of all cases, the chosen first: of the cost, or of the gap to the other side."""
    if not gap and settings.per != "compute":
        found = [case for case in found if not case.label.startswith(PRECISION)]
    rates = {case.label: case.gap if gap else case.cost for case in found}
    unit, beside = UNITS[settings.per][1], UNITS[against(settings.per)][1]
    other = wording.small_initial(NAMES[against(settings.per)])
    lagged = [rates[case.label].factor for case in found if case.of_lag]
    least, most = wording.times(min(lagged)), wording.times(max(lagged))
    title = (
        f"Relative to a {beside}, the cost of a {unit} grows {least} to {most} a year, depending on the lag"
        if gap
        else f"The cost of a {unit} grows {least} to {most} a year, depending on the lag"
    )
    role: Role = "memory" if gap else "compute"
    bars = tuple(
        Bar(
            label=label,
            value=rate.factor,
            low=rate.low,
            high=rate.high,
            text=wording.times(rate.factor),
            role=role,
            emphasised=label == found[0].label,
        )
        for label, rate in rates.items()
    )
    what = f"Cost of a {unit} over that of {other}" if gap else f"Cost of a {unit}"
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle=f"{what}: growth a year with its {settings.level} % interval, one choice changed at a time.",
            alt=f"{title}.",
            source=source,
            x=log_axis(
                "Growth a year",
                [1.0, *(end for bar in bars for end in (bar.value, bar.low or 1.0, bar.high or 1.0))],
                word=wording.factor_tick,
            ),
            base=1.0,
            dots=True,
            bars=bars,
        ),
        table=Table(
            columns=(
                Column(name="choice", label="Choice", kind="text"),
                Column(name="growth", label="Growth", unit="x/year"),
                Column(name="low", label=f"From ({settings.level} %)", unit="x/year"),
                Column(name="high", label="to", unit="x/year"),
                Column(name="quarters", label="Quarters"),
            ),
            rows=tuple(
                (
                    case.label,
                    rates[case.label].factor,
                    rates[case.label].low,
                    rates[case.label].high,
                    case.quarters,
                )
                for case in found
            ),
        ),
        section="sure" if not gap else "changes",
    )
