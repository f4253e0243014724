"""What moves the verdict of /placement: each lever to both its ends, all else as chosen."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from analysis.placement.verdict import Verdict, verdict
from views import wording
from views.axes import linear_axis, log_axis
from views.placement.asked import FIRST_YEAR
from views.placement.inputs import PlacementInputs
from views.placement.levers import levers_of
from views.placement.settings import PlacementSettings
from views.placement.table import usd
from views.placement.tornado_bars import MovedVerdicts, TornadoMeasure, tornado
from views.result import Exhibit

VISIBLE = 0.005
"""A chance that moves by less than this has not moved. [1]"""


def tornado_exhibit(settings: PlacementSettings, inputs: PlacementInputs, *, source: str) -> Exhibit | None:
    """Return what moves the verdict: own over rented cost, where one side has none the cheapest place's cost, where
    nothing meets what is asked the nearest place's chance.

    Hardware is that of the middle expectation in the chosen year.
    """
    base = verdict(inputs.question)
    levers = levers_of(settings, inputs.question)
    moved = MovedVerdicts(
        levers=levers,
        ends=[(verdict(lever.low), verdict(lever.high)) for lever in levers],
        base=base,
        names=tuple(name.partition(" (")[0] for name in inputs.names),
    )
    as_of = (
        ""
        if settings.year == FIRST_YEAR
        else f" Places are those of the middle expectation for {settings.year}."
    )
    if base.ratio is None and base.cost_usd is None:
        return _by_chance(moved, as_of=as_of, source=source)
    money = COST if base.ratio is None else RATIO
    return _by_money(moved, money=money, as_of=as_of, source=source)


@dataclass(frozen=True, kw_only=True)
class _Money:
    """A measure of the verdict in money: what it is of each end, and its words."""

    of: Callable[[Verdict], float | None]
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
    axis="Own cost over rented cost",
    subtitle="Cost of the cheapest own place that meets what is asked over that of the cheapest rented one, log "
    "scale, one lever at a time; left of 1 one's own is cheaper.",
    verdict=_dearer,
    column=("cost_ratio", "Own over rented", "1"),
)
COST = _Money(
    of=lambda end: end.cost_usd,
    words=usd,
    tick=usd,
    axis="Cost of 1,000 requests",
    subtitle="Cost of 1,000 requests at the cheapest place that meets what is asked, log scale, one lever at a time;",
    verdict=lambda cost: f"1,000 requests cost {usd(cost)}",
    column=("cost_usd_per_1000_requests", "Cost of 1,000 requests", "USD"),
)


def _by_money(moved: MovedVerdicts, *, money: _Money, as_of: str, source: str) -> Exhibit:
    of, base = money.of, moved.base
    now = of(base)
    assert now is not None
    known = [now, *(value for pair in moved.ends for end in pair if (value := of(end)) is not None)]
    axis = log_axis(money.axis, [min(known) / 1.3, max(known) * 1.3], word=money.tick)

    def at(end: Verdict) -> float:
        # Without a place of one's own, or any, the measure has no upper end; without a rented one no lower.
        value = of(end)
        if value is not None:
            return value
        return axis.high if end.own is None else axis.low

    def words(end: Verdict) -> str:
        value = of(end)
        if value is not None:
            return money.words(value)
        if end.winner is None:
            return "nothing meets it"
        return "none of one's own" if end.own is None else "none for rent" if end.rented is None else "free"

    order = moved.ranked(lambda low, high: abs(math.log(at(high) / at(low))))
    top, (low, high) = moved.levers[order[0]], moved.ends[order[0]]
    title = (
        f"The verdict hangs most on {wording.small_initial(top.label)}: {money.verdict(now)}, "
        f"{words(low)} at {top.ends[0]} and {words(high)} at {top.ends[1]}"
    )
    reason = f" {_why(base)}." if base.ratio is None else ""
    return tornado(
        moved,
        TornadoMeasure(axis=axis, base=now, at=at, words=words, cell=of, column=money.column),
        order=order,
        title=title,
        subtitle=f"{money.subtitle}{reason} {_as_chosen(moved)} {_changes(moved)}{as_of}",
        source=source,
    )


def _by_chance(moved: MovedVerdicts, *, as_of: str, source: str) -> Exhibit:
    def nearest(end: Verdict) -> float:
        return end.nearest

    def best(end: Verdict) -> float:
        return end.best

    def widest(of: Callable[[Verdict], float]) -> float:
        return max(abs(of(high) - of(low)) for low, high in moved.ends)

    side = widest(nearest) > VISIBLE or widest(best) <= VISIBLE
    chance = nearest if side else best
    order = moved.ranked(lambda low, high: abs(chance(high) - chance(low)))
    top, (low, high) = moved.levers[order[0]], moved.ends[order[0]]

    def words(end: Verdict) -> str:
        return "over 99 %" if 0.995 <= chance(end) < 1 else f"{100 * chance(end):.0f} %"

    title = (
        f"The verdict hangs most on {wording.small_initial(top.label)}: "
        f"the nearest place meets what is asked with {words(low)} at {top.ends[0]} and {words(high)} at {top.ends[1]}"
        if abs(chance(high) - chance(low)) > VISIBLE
        else "No single lever brings any place nearer to what is asked"
    )
    axis = linear_axis(
        "Chance of the nearest place to meet what is asked",
        [0.0, 1.0],
        word=lambda value: f"{100 * value:.0f} %",
    )
    return tornado(
        moved,
        TornadoMeasure(
            axis=axis,
            base=chance(moved.base),
            at=chance,
            words=words,
            cell=chance,
            column=("probability", "Chance of the nearest", "1"),
        ),
        order=order,
        title=title,
        subtitle="Probability that the nearest place meets what is asked, one lever at a time: "
        f"{_why(moved.base)}, so that costs cannot be compared. {_as_chosen(moved)} "
        f"{_changes(moved)}{as_of}",
        source=source,
    )


def _as_chosen(moved: MovedVerdicts) -> str:
    winner = moved.base.winner
    stays = "no place meets it" if winner is None else f"the cheapest is the {moved.names[winner]}"
    return f"As chosen {stays}; the bars in violet change that."


def _changes(moved: MovedVerdicts) -> str:
    return f"{moved.changing} of {len(moved.levers)} levers change the cheapest place."


def _why(base: Verdict) -> str:
    if base.own is None:
        return "no place of one's own meets it" if base.rented is not None else "no place meets it"
    return "no rented place meets it" if base.rented is None else "one's own costs nothing"
