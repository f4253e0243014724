"""The rows and the table of a tornado, whatever its measure: a dot at each end of a lever, joined by a line."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from analysis.placement.verdict import Verdict
from charts.chart import Axis, Bar, BarChart
from views.placement.levers import Lever
from views.result import Cell, Exhibit, Table
from views.table import Getter, column, table


@dataclass(frozen=True, kw_only=True)
class MovedVerdicts:
    """The verdict as chosen, and at both ends of each lever; ``names`` are the places' short names."""

    levers: Sequence[Lever]
    ends: Sequence[tuple[Verdict, Verdict]]
    base: Verdict
    names: Sequence[str]

    @property
    def changing(self) -> int:
        """Return how many levers change the cheapest place."""
        return sum(self.changes(k) for k in range(len(self.levers)))

    def changes(self, k: int) -> bool:
        """Return whether a lever changes the cheapest place at one of its ends."""
        return any(end.winner != self.base.winner for end in self.ends[k])

    def cheapest(self, end: Verdict) -> str:
        """Return the cheapest place at an end in words."""
        return "none" if end.winner is None else self.names[end.winner]

    def ranked(self, span: Callable[[Verdict, Verdict], float]) -> list[int]:
        """Return the levers from the widest span between their ends."""
        spans = [span(low, high) for low, high in self.ends]
        return sorted(range(len(self.levers)), key=lambda k: -spans[k])


@dataclass(frozen=True, kw_only=True)
class TornadoMeasure:
    """What a tornado measures: ``at`` places an end on the axis, ``words`` says it and ``cell`` stands in the table.

    ``column`` is the name, label and unit of that cell.
    """

    axis: Axis
    base: float
    at: Callable[[Verdict], float]
    words: Callable[[Verdict], str]
    cell: Callable[[Verdict], float | None]
    column: tuple[str, str, str]


def tornado(
    moved: MovedVerdicts,
    measure: TornadoMeasure,
    *,
    order: Sequence[int],
    title: str,
    subtitle: str,
    source: str,
) -> Exhibit:
    """Return the rows and the table of a tornado; ``order`` holds the levers from the widest span."""
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle=subtitle,
            alt=f"{title}.",
            source=source,
            x=measure.axis,
            base=measure.base,
            bars=tuple(_bar(moved, measure, k=k) for k in order),
            dots=True,
        ),
        table=_table(moved, measure, order=order),
    )


def _bar(moved: MovedVerdicts, measure: TornadoMeasure, *, k: int) -> Bar:
    lever, ends, changes = moved.levers[k], moved.ends[k], moved.changes(k)
    return Bar(
        label=lever.label,
        start=measure.at(ends[0]),
        value=measure.at(ends[1]),
        text=" to ".join(dict.fromkeys(measure.words(end) for end in ends)),
        role="edge" if changes else "context",
        emphasised=changes,
        detail=tuple(
            f"At {words}: {measure.words(end)}, cheapest: {moved.cheapest(end)}"
            for words, end in zip(lever.ends, ends, strict=True)
        ),
    )


@dataclass(frozen=True, kw_only=True)
class _Row:
    """One row of the table: a lever with its ends in words and the verdicts there."""

    label: str
    ends: tuple[str, str]
    verdicts: tuple[Verdict, Verdict]


def _table(moved: MovedVerdicts, measure: TornadoMeasure, *, order: Sequence[int]) -> Table:
    name, label, unit = measure.column

    def end(side: int) -> Callable[[_Row], Cell]:
        return lambda row: row.ends[side]

    def value(side: int) -> Callable[[_Row], Cell]:
        return lambda row: measure.cell(row.verdicts[side])

    def cheapest(side: int) -> Callable[[_Row], Cell]:
        return lambda row: moved.cheapest(row.verdicts[side])

    columns: list[Getter[_Row]] = [column("lever", lambda row: row.label, label="Lever", kind="text")]
    for side, (key, words) in enumerate((("low", "low end"), ("high", "high end"))):
        columns += [
            column(f"{key}_end", end(side), label=words.capitalize(), kind="text"),
            column(f"{name}_{key}", value(side), label=f"{label}, {words}", unit=unit),
            column(f"cheapest_{key}", cheapest(side), label=f"Cheapest option, {words}", kind="text"),
        ]
    chosen = _Row(label="As chosen", ends=("", ""), verdicts=(moved.base, moved.base))
    rows = (
        _Row(label=moved.levers[k].label, ends=moved.levers[k].ends, verdicts=moved.ends[k]) for k in order
    )
    return table(columns, (chosen, *rows))
