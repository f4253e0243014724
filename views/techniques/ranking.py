"""Every technique by the years of growth that its saving is worth."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from analysis.techniques.worth import Bill, Effect
from charts.chart import Bar, BarChart
from views import wording
from views.axes import linear_axis
from views.result import Exhibit
from views.table import Getter, column, table
from views.techniques.evidence import EVIDENCE, Evidence
from views.techniques.inputs import Effects
from views.techniques.measures import MEASURES, Measure
from views.techniques.settings import TechniquesSettings
from views.techniques.words import idle_words, limit_words


@dataclass(frozen=True, kw_only=True)
class _Row:
    """A technique in the table: what is known of it, its effect here, and what it does not do."""

    evidence: Evidence
    effect: Effect
    says: str


NAME: Getter[_Row] = column("technique", lambda row: row.evidence.label, label="Technique", kind="text")


def _columns(what: Measure) -> tuple[Getter[_Row], ...]:
    """Return the columns of the table; the measure names the saving and its growth."""
    return (
        NAME,
        column("saving", lambda row: row.effect.worth.saving, label=f"Saving in {what.words}", unit="x"),
        column(
            "years", lambda row: row.effect.worth.years, label=f"Years of {what.growth} growth", unit="year"
        ),
        column("years_low", lambda row: _finite(row.effect.worth.low), label="Low", unit="year"),
        column("years_high", lambda row: _finite(row.effect.worth.high), label="High", unit="year"),
        *_both("memory_{}_byte", lambda bill: bill.memory_byte, label="Memory", unit="byte"),
        *_both("activations_{}_byte", lambda bill: bill.activations_byte, label="Activations", unit="byte"),
        *_both("moved_{}_byte", lambda bill: bill.moved_byte, label="Bytes", unit="byte/token"),
        *_both("flop_{}", lambda bill: bill.flop, label="FLOP", unit="FLOP/token"),
        *_both("time_{}_s", lambda bill: bill.time_s, label="Time", unit="s/token"),
        column("costs", lambda row: row.evidence.costs, label="What it costs", kind="text"),
        column("quality", lambda row: row.evidence.quality, label="Quality as published", kind="text"),
        column("says", lambda row: row.says, label="What it does not do here", kind="text"),
        column("source", lambda row: row.evidence.source, label="Source", kind="link"),
    )


def _both(
    name: str, part: Callable[[Bill], float], *, label: str, unit: str
) -> tuple[Getter[_Row], Getter[_Row]]:
    """Return the columns of a part of the bill before and after; ``name`` leaves room for which."""

    def one(when: str, cell: Callable[[_Row], float]) -> Getter[_Row]:
        return column(name.format(when), cell, label=f"{label} {when}", unit=unit, kind="scientific")

    return one("before", lambda row: part(row.effect.before)), one(
        "after", lambda row: part(row.effect.after)
    )


def _finite(years: float) -> float | None:
    return years if math.isfinite(years) else None


def _row(settings: TechniquesSettings, effects: Effects, *, name: str) -> _Row:
    effect, phase = effects.singles[name], settings.phase
    says = []
    if effect.worth.nothing:
        reason = idle_words(
            name, phase=phase, before=effect.before, setup=effects.setup, measure=settings.measure
        )
        says.append(f"No effect on the {MEASURES[settings.measure].words}. {reason}")
    says.append(limit_words(name, phase=phase, saving=effect.worth.saving))
    return _Row(evidence=EVIDENCE[name], effect=effect, says=" ".join(says).strip())


def empty_exhibit(headline: str, *, source: str) -> Exhibit:
    """Return a chart without bars, for choices that leave nothing to rank."""
    return Exhibit(
        chart=BarChart(
            title=headline,
            subtitle="Nothing can be ranked under these choices.",
            alt=headline,
            source=source,
            x=linear_axis("Years of growth", [0.0, 5.0], word=lambda value: f"{value:g}"),
            base=0.0,
        ),
        table=table((NAME,), ()),
    )


def ranking_exhibit(settings: TechniquesSettings, effects: Effects, *, label: str, source: str) -> Exhibit:
    """Return every technique by its years, those chosen standing out, and the table of all of them."""
    what, phase, year = MEASURES[settings.measure], settings.phase, effects.year
    singles = {name: item.worth for name, item in effects.singles.items()}
    shown = sorted(
        (name for name, item in singles.items() if not item.nothing), key=lambda name: -singles[name].years
    )
    bars = [(EVIDENCE[name].label, singles[name], name in settings.chosen) for name in shown]
    if len(settings.chosen) > 1:
        bars.insert(0, (f"Together: {label}", effects.together.worth, True))
    ends = [0.0, 1.0]
    for _, item, _ in bars:
        ends += [end for end in (item.years, item.low, item.high) if math.isfinite(end)]
    title = (
        f"{EVIDENCE[shown[0]].label} {'save' if EVIDENCE[shown[0]].plural else 'saves'} most {what.words} in {phase}: "
        f"{wording.duration(singles[shown[0]].years)}"
        if shown and singles[shown[0]].saving > 1
        else f"No technique saves any {what.words} in {phase}"
    )
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle=f"Years of {what.growth} growth at {wording.times(year.growth)} a year that bring the same "
            f"factor in {what.words}; whiskers: {wording.percent(year.level)} interval. Below zero: a cost.",
            alt=f"{title}.",
            source=source,
            x=linear_axis(f"Years of {what.growth} growth", ends, word=lambda value: f"{value:g}"),
            base=0.0,
            bars=tuple(
                Bar(
                    label=name,
                    value=item.years,
                    low=item.low if math.isfinite(item.low) else None,
                    high=item.high if math.isfinite(item.high) else None,
                    text=f"{wording.duration(item.years)}, {wording.times(item.saving)}",
                    role="memory" if own else "compute" if item.saving > 1 else "context",
                    emphasised=own,
                )
                for name, item, own in bars
            ),
        ),
        table=table(
            _columns(what),
            [
                _row(settings, effects, name=name)
                for name in sorted(singles, key=lambda name: -singles[name].years)
            ],
        ),
    )
