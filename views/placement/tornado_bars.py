"""The bars and the table of a tornado, whatever its measure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from charts.chart import Axis, Bar, BarChart
from views.placement.levers import Lever
from views.result import Column, Exhibit, Table


@dataclass(frozen=True, kw_only=True)
class End:
    """The verdict at one end: the cheapest places that meet what is asked, and the measures; None where none does."""

    winner: int | None
    own: int | None
    rented: int | None
    cost_usd: float | None
    ratio: float | None
    nearest: float
    best: float


def tornado(
    levers: Sequence[Lever],
    ends: Sequence[tuple[End, End]],
    base: End,
    names: Sequence[str],
    *,
    order: Sequence[int],
    axis: Axis,
    base_value: float,
    at: Callable[[End], float],
    said: Callable[[End], str],
    title: str,
    subtitle: str,
    source: str,
    measure: tuple[str, str, str],
    value: Callable[[End], float | None],
) -> Exhibit:
    """Return the bars and the table of a tornado.

    ``ends`` holds the verdict at both ends of each lever, ``order`` the levers from the widest bar; ``at`` places an
    end on the axis, ``said`` puts it into words, ``value`` is its cell in the table; ``measure`` is that column's
    name, label and unit.
    """

    def place(index: int | None) -> str:
        return "none" if index is None else names[index]

    bars = tuple(
        Bar(
            label=levers[k].label,
            start=at(ends[k][0]),
            value=at(ends[k][1]),
            text=" to ".join(dict.fromkeys(said(one) for one in ends[k])),
            role="edge" if any(one.winner != base.winner for one in ends[k]) else "context",
            emphasised=any(one.winner != base.winner for one in ends[k]),
            detail=tuple(
                f"At {words}: {said(one)}, cheapest: {place(one.winner)}"
                for words, one in zip(levers[k].ends, ends[k], strict=True)
            ),
        )
        for k in order
    )
    rows = tuple(
        (
            levers[k].label,
            *(
                cell
                for words, one in zip(levers[k].ends, ends[k], strict=True)
                for cell in (words, value(one), place(one.winner))
            ),
        )
        for k in order
    )
    name, label, unit = measure
    return Exhibit(
        chart=BarChart(
            title=title, subtitle=subtitle, alt=f"{title}.", source=source, x=axis, base=base_value, bars=bars
        ),
        table=Table(
            columns=(
                Column(name="lever", label="Lever", kind="text"),
                *(
                    column
                    for side, words in (("low", "low end"), ("high", "high end"))
                    for column in (
                        Column(name=f"{side}_end", label=words.capitalize(), kind="text"),
                        Column(name=f"{name}_{side}", label=f"{label}, {words}", unit=unit),
                        Column(name=f"cheapest_{side}", label=f"Cheapest place, {words}", kind="text"),
                    )
                ),
            ),
            rows=(
                ("As chosen", "", value(base), place(base.winner), "", value(base), place(base.winner)),
                *rows,
            ),
        ),
    )
