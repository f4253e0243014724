"""Every option of a setting: the leading figure of each in a chart, and the other figures in a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from charts.chart import Bar
from views import wording
from views.exhibits import ValueAxis, bars_exhibit
from views.result import Cell, Column, Figure, Result, Table

MOST_OPTIONS = 6
MOST_KEY = 3
FACTORS = ("x", "x/year")
WIDE = 20.0
"""Ratio of the largest to the smallest figure above which the chart has a log axis. [1]"""


@dataclass(frozen=True, kw_only=True)
class OptionAnswer:
    """One option's label and answer. The answer is None if the other settings exclude the option."""

    label: str
    result: Result | None
    current: bool

    def figure(self, like: Figure) -> Figure | None:
        """Return the figure with the name and unit of ``like``. None if the answer lacks it."""
        figures = self.result.figures if self.result else ()
        return next(
            (
                one
                for one in figures
                if (one.name, one.unit) == (like.name, like.unit) and one.value is not None
            ),
            None,
        )

    def cell(self, like: Figure, part: str = "value") -> Cell:
        """Return a part of the figure with the name of ``like``, as a table cell."""
        figure = self.figure(like)
        return getattr(figure, part) if figure else None


def every_option(
    setting: str, options: Sequence[OptionAnswer], *, now: Result, applies: bool
) -> dict[str, Any]:
    """Return the parts of the answer ``now`` that change when all options of a ``setting`` are shown.

    The figure drawn is the first key figure that differs between options, or else the one that most options have.
    ``applies`` states whether the setting can change the result at all.
    """
    key = [figure for figure in now.figures if figure.key][:MOST_KEY] or list(now.figures[:1])
    lead = max(key, key=lambda one: _reach(one, options))
    figures = {option.label: figure for option in options if (figure := option.figure(lead))}
    ordered = sorted(figures.values(), key=lambda figure: figure.value or 0.0)
    headline = f"“{setting}” has no effect with the other settings"
    if applies:
        headline = _headline(lead, ordered, setting=setting, n=len(options))
    least, most = (ordered[0].value or 0.0, ordered[-1].value or 0.0) if ordered else (0.0, 0.0)
    exhibit = bars_exhibit(
        tuple(_bar(option, figures.get(option.label), lead=lead) for option in options),
        title=headline,
        subtitle=f"{lead.label} for each option of “{setting}”, with all other settings as chosen.",
        source=f"With the option as chosen: {now.settings_line}",
        axis=_axis(lead, log=least > 0 and most > WIDE * least),
        numbers=_table(setting, options, key=key, lead=lead),
        dots=True,
        section="finding",
    )
    return {
        "headline": headline,
        "subtitle": exhibit.chart.subtitle,
        "exhibits": (exhibit,),
        "cards": (),
        "notes": (),
        "sources": tuple(
            dict.fromkeys(one for option in options if option.result for one in option.result.sources)
        ),
    }


def _axis(lead: Figure, *, log: bool) -> ValueAxis:
    """Return a figure's axis. Factors, dollars and units that take a prefix are on the ticks, others in the title."""
    if lead.unit in FACTORS:
        return ValueAxis(title=lead.label, word=wording.factor_tick, log=log)
    if lead.unit in (*wording.PREFIXED_UNITS, "USD"):
        return ValueAxis(title=lead.label, word=partial(wording.quantity, unit=lead.unit), log=log)
    return ValueAxis(title=f"{lead.label} [{lead.unit}]" if lead.unit else lead.label, log=log)


def _reach(figure: Figure, options: Sequence[OptionAnswer]) -> tuple[bool, int]:
    """Return whether a figure differs between options, and the number of options that have it."""
    texts = [one.text for option in options if (one := option.figure(figure))]
    return len(set(texts)) > 1, len(texts)


def _headline(lead: Figure, ordered: Sequence[Figure], *, setting: str, n: int) -> str:
    """Return a short headline on a figure's range over the options."""
    if len(ordered) < 2:
        return f"The options of “{setting}” have no key figure in common"
    label = f"{lead.label}: " if {figure.label for figure in ordered} == {lead.label} else ""
    text = ordered[-1].text
    if ordered[0].text == text:
        which = "every option" if len(ordered) == n else f"{len(ordered)} of {n} options"
        return wording.fitting(f"{label}{text} for {which} of “{setting}”", f"{label}{text} for {which}")
    span = f"{wording.number_words(ordered[0].text, beside=text)} to {text}"
    return wording.fitting(f"{label}{span} by “{setting}”", f"{span} by “{setting}”", span)


def _bar(option: OptionAnswer, figure: Figure | None, *, lead: Figure) -> Bar:
    if figure is None or figure.value is None:
        text = "no such figure" if option.result else "not possible with the other settings"
        return Bar(label=option.label, value=0.0, text=text, role="context", absent=True)
    name = "" if figure.label == lead.label else f", {wording.small_initial(figure.label)}"
    return Bar(
        label=option.label,
        value=figure.value,
        low=figure.low,
        high=figure.high,
        text=f"{figure.text}{name}",
        role="compute",
        emphasised=option.current,
        detail=(figure.interval_text,) if figure.interval_text else (),
    )


def _table(setting: str, options: Sequence[OptionAnswer], *, key: Sequence[Figure], lead: Figure) -> Table:
    columns = [
        Column(name="option", label=setting, kind="text"),
        Column(name="headline", label="Headline", kind="text"),
        *(Column(name=figure.name, label=figure.label, unit=figure.unit) for figure in key),
        Column(name=f"{lead.name}_low", label=f"{lead.label}, low", unit=lead.unit),
        Column(name=f"{lead.name}_high", label=f"{lead.label}, high", unit=lead.unit),
    ]
    rows: list[tuple[Cell, ...]] = [
        (
            option.label,
            option.result.headline if option.result else "not possible with the other settings",
            *(option.cell(figure) for figure in key),
            option.cell(lead, "low"),
            option.cell(lead, "high"),
        )
        for option in options
    ]
    return Table(columns=tuple(columns), rows=rows)
