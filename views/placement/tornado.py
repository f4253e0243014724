"""What moves the verdict of /placement: each lever to both its ends, all else as chosen."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.placement.places import RENTED, TODAY, Growth
from analysis.placement.setup import allowed
from analysis.placement.verdict import Standing, standing
from data.releases import Release
from views import wording
from views.axes import linear_axis, log_axis
from views.placement.inputs import Inputs
from views.placement.levers import Lever, levers_of
from views.placement.settings import FIRST_YEAR, PlacementSettings
from views.placement.table import usd
from views.placement.tornado_bars import End, tornado
from views.result import Exhibit


def tornado_exhibit(
    settings: PlacementSettings, release: Release, found: Inputs, *, source: str, growth: Growth = TODAY
) -> Exhibit | None:
    """Return what moves the verdict: own over rented cost, where one side has none the cheapest place's cost, where
    nothing meets what is asked the nearest place's chance.

    ``growth`` is that of the middle expectation in the chosen year.
    """
    sure = settings.sure / 100
    own = ~found.places.is_kind(RENTED) & allowed(found.places, found.requirements)
    rented = found.places.is_kind(RENTED) & allowed(found.places, found.requirements)

    def end(inputs: Inputs) -> End:
        return _end(_stand(inputs, growth), own, rented, sure=sure)

    base = end(found)
    levers = levers_of(settings, found)
    ends = [(end(lever.low), end(lever.high)) for lever in levers]
    names = tuple(name.partition(" (")[0] for name in found.places.name)
    as_of = _as_of(settings, growth)
    if base.ratio is None and base.cost_usd is None:
        return _by_chance(levers, ends, base, names, as_of=as_of, source=source)
    measure = COST if base.ratio is None else RATIO
    return _by_money(levers, ends, base, names, measure=measure, as_of=as_of, source=source)


def _stand(inputs: Inputs, growth: Growth) -> Standing:
    return standing(
        inputs.work,
        inputs.places,
        fitted=inputs.fitted,
        conditions=inputs.conditions,
        requirements=inputs.requirements,
        luck=inputs.luck,
        sustained=inputs.sustained,
        sustained_rule=inputs.sustained_rule,
        growth=growth,
    )


def _end(stand: Standing, own: np.ndarray, rented: np.ndarray, *, sure: float) -> End:
    at_own, at_rented = stand.cheapest(own, sure=sure), stand.cheapest(rented, sure=sure)
    ratio = None
    if at_own is not None and at_rented is not None:
        value = float(stand.cost_usd[0, at_own]) / max(float(stand.cost_usd[0, at_rented]), 1e-300)
        ratio = value if 0 < value < math.inf else None
    # The side without a place decides whose nearest is meant; a side ruled out altogether does not count.
    missing = own if at_own is None or not rented.any() else rented
    winner = stand.cheapest(own | rented, sure=sure)
    cost = 0.0 if winner is None else float(stand.cost_usd[0, winner])
    return End(
        winner=winner,
        cost_usd=cost if 0 < cost < math.inf else None,
        own=at_own,
        rented=at_rented,
        ratio=ratio,
        nearest=float(np.max(stand.chance[0][missing], initial=0.0)),
        best=float(np.max(stand.chance[0], initial=0.0)),
    )


def _subtitle_end(base: End, names: Sequence[str]) -> str:
    stays = "no place meets it" if base.winner is None else f"the cheapest is the {names[base.winner]}"
    return f"As chosen {stays}; the bars in violet change that."


@dataclass(frozen=True, kw_only=True)
class _Money:
    """A measure of the verdict in money: what it is of each end, and its words."""

    of: Callable[[End], float | None]
    words: Callable[[float], str]
    tick: Callable[[float], str]
    axis: str
    subtitle: str
    verdict: Callable[[float], str]
    column: tuple[str, str, str]


def _dearer(ratio: float) -> str:
    if ratio >= 1:
        return f"one's own place costs {wording.times(ratio)} the cheapest for rent"
    return f"one's own place costs {wording.significant(100 * ratio)} % of the cheapest for rent"


RATIO = _Money(
    of=lambda end: end.ratio,
    words=wording.times,
    tick=lambda value: f"{value:g}×",
    axis="Cost of the best own place over the best rented place",
    subtitle="Cost of the cheapest own place that meets what is asked over that of the cheapest rented one, log "
    "scale, one lever at a time; left of 1 one's own is cheaper.",
    verdict=_dearer,
    column=("cost_ratio", "Own over rented", "1"),
)
COST = _Money(
    of=lambda end: end.cost_usd,
    words=usd,
    tick=usd,
    axis="Cost of 1,000 requests at the cheapest place",
    subtitle="Cost of 1,000 requests at the cheapest place that meets what is asked, log scale, one lever at a time;",
    verdict=lambda cost: f"1,000 requests cost {usd(cost)}",
    column=("cost_usd_per_1000_requests", "Cost of 1,000 requests", "USD"),
)


def _by_money(
    levers: Sequence[Lever],
    ends: Sequence[tuple[End, End]],
    base: End,
    names: Sequence[str],
    *,
    measure: _Money,
    as_of: str,
    source: str,
) -> Exhibit:
    of = measure.of
    now = of(base)
    assert now is not None
    known = [now, *(value for pair in ends for one in pair if (value := of(one)) is not None)]
    axis = log_axis(measure.axis, [min(known) / 1.3, max(known) * 1.3], measure.tick)

    def at(one: End) -> float:
        # Without a place of one's own, or any, the measure has no upper end; without a rented one no lower.
        value = of(one)
        if value is not None:
            return value
        return axis.high if one.own is None else axis.low

    def said(one: End) -> str:
        value = of(one)
        if value is not None:
            return measure.words(value)
        if one.winner is None:
            return "nothing meets it"
        return "none of one's own" if one.own is None else "none for rent" if one.rented is None else "free"

    spans = [abs(math.log(at(high) / at(low))) for low, high in ends]
    order = sorted(range(len(levers)), key=lambda k: -spans[k])
    top, (low, high) = levers[order[0]], ends[order[0]]
    changing = sum(any(one.winner != base.winner for one in pair) for pair in ends)
    title = (
        f"The verdict hangs most on {_lower(top.label)}: {measure.verdict(now)}, {said(low)} at {top.ends[0]} and "
        f"{said(high)} at {top.ends[1]}"
    )
    reason = f" {_why(base)}." if base.ratio is None else ""
    return tornado(
        levers,
        ends,
        base,
        names,
        order=order,
        axis=axis,
        base_value=now,
        at=at,
        said=said,
        title=title,
        subtitle=f"{measure.subtitle}{reason} {_subtitle_end(base, names)} {_changes(changing, len(levers))}{as_of}",
        source=source,
        measure=measure.column,
        value=of,
    )


def _by_chance(
    levers: Sequence[Lever],
    ends: Sequence[tuple[End, End]],
    base: End,
    names: Sequence[str],
    *,
    as_of: str,
    source: str,
) -> Exhibit:
    def nearest(one: End) -> float:
        return one.nearest

    def best(one: End) -> float:
        return one.best

    def span(of) -> float:
        return max(abs(of(high) - of(low)) for low, high in ends)

    side = span(nearest) > 0.005 or span(best) <= 0.005
    measure = nearest if side else best
    spans = [abs(measure(high) - measure(low)) for low, high in ends]
    order = sorted(range(len(levers)), key=lambda k: -spans[k])
    top, (low, high) = levers[order[0]], ends[order[0]]

    def said(one: End) -> str:
        return "over 99 %" if 0.995 <= measure(one) < 1 else f"{100 * measure(one):.0f} %"

    title = (
        f"The verdict hangs most on {_lower(top.label)}: the nearest place meets what is asked with {said(low)} at "
        f"{top.ends[0]} and {said(high)} at {top.ends[1]}"
        if spans[order[0]] > 0.005
        else "No single lever brings any place nearer to what is asked"
    )
    changing = sum(any(one.winner != base.winner for one in pair) for pair in ends)
    return tornado(
        levers,
        ends,
        base,
        names,
        order=order,
        axis=linear_axis(
            "Chance of the nearest place to meet what is asked",
            [0.0, 1.0],
            lambda value: f"{100 * value:.0f} %",
        ),
        base_value=measure(base),
        at=measure,
        said=said,
        title=title,
        subtitle="Probability that the nearest place meets what is asked, one lever at a time: "
        f"{_why(base)}, so that costs cannot be compared. {_subtitle_end(base, names)} "
        f"{_changes(changing, len(levers))}{as_of}",
        source=source,
        measure=("probability", "Chance of the nearest", "1"),
        value=measure,
    )


def _changes(number: int, of: int) -> str:
    return f"{number} of {of} levers change the cheapest place."


def _why(base: End) -> str:
    if base.own is None:
        return "no place of one's own meets it" if base.rented is not None else "no place meets it"
    return "no rented place meets it" if base.rented is None else "one's own costs nothing"


def _lower(label: str) -> str:
    return label[:1].lower() + label[1:]


def _as_of(settings: PlacementSettings, growth: Growth) -> str:
    if settings.year == FIRST_YEAR:
        return ""
    return (
        " Places are those of today."
        if growth is TODAY
        else f" Places are those of the middle expectation for {settings.year}."
    )
