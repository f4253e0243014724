"""The same forecast from an earlier release of the data, against what this release shows, drawn and told."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from analysis.track_record import vintages
from analysis.track_record.vintages import VintageComparison
from analysis.trend.calendar_year import from_decimal_year
from analysis.trend.estimators import Recipe
from analysis.trend.growth import Growth, Series, Window
from analysis.trend.selection import Rule
from charts.chart import Mark
from data.releases import Release, beside, load
from views import wording
from views.axes import year_axis
from views.exhibits import count_figure, xy_exhibit
from views.result import Exhibit, Figure, Table
from views.table import column, table
from views.track_record import fan as track_record_charts
from views.track_record.settings import Subject
from views.trend import figures as trend_figures
from views.trend import marks as trend_charts


@dataclass(frozen=True, kw_only=True)
class Vintage:
    """What an earlier release forecast and what became of it: chart and table, figures, and a sentence."""

    exhibit: Exhibit
    figures: tuple[Figure, ...]
    note: str


def earlier(release: Release) -> str | None:
    """Return the release before this one; the newest there is, for a reader's own data; None for the first."""
    known = beside()
    if release.name not in known:
        return known[-1]
    place = known.index(release.name)
    return known[place - 1] if place else None


def compared(
    release: Release,
    *,
    history_of: Callable[[Release], tuple[Series, Subject]],
    rule: Rule,
    window: Window,
    recipe: Recipe,
    level: float,
) -> Vintage | None:
    """Return the comparison with the release before; None without one, or where it cannot be fitted."""
    name = earlier(release)
    if name is None:
        return None
    then, subject = history_of(load(name))
    now, _ = history_of(release)
    if not len(then.year) or not len(now.year):
        return None
    try:
        comparison = vintages.compared(then, now, rule=rule, window=window, recipe=recipe, level=level)
    except ValueError:
        return None
    shown = _Shown(
        then=then, now=now, comparison=comparison, subject=subject, earlier=name, later=release.name
    )
    return Vintage(
        exhibit=_exhibit(shown),
        figures=_figures(comparison),
        note=_note(shown),
    )


@dataclass(frozen=True, kw_only=True)
class _Shown:
    """Two releases compared, with the names of both, their series, and what a reader calls it."""

    then: Series
    now: Series
    comparison: VintageComparison
    subject: Subject
    earlier: str
    later: str


def _figures(comparison: VintageComparison) -> tuple[Figure, ...]:
    def rate(growth: Growth, *, name: str, label: str) -> Figure:
        return replace(trend_figures.rate_figure(growth, name=name, label=label), key=False)

    return (
        rate(comparison.before, name="yearly_growth_before", label="Growth a year, release before"),
        rate(comparison.after, name="yearly_growth_now", label="Growth a year, this release"),
        count_figure("new_since", int(comparison.new.sum()), label="New points since the release before"),
        count_figure("new_inside", int(comparison.inside.sum()), label="Of these inside the interval"),
        count_figure("revised", len(comparison.changes.revised), label="Rows revised"),
    )


def _note(shown: _Shown) -> str:
    before, after, changes = shown.comparison.before, shown.comparison.after, shown.comparison.changes
    return (
        f"Release {shown.earlier} gave {wording.times(before.trend.yearly_growth)} a year, {shown.later} gives "
        f"{wording.times(after.trend.yearly_growth)}. {_came_words(shown)} Among the selected, "
        f"{wording.counted(len(changes.revised), 'value')} changed by more than 1 %, "
        f"{wording.counted(len(changes.added), 'row')} with earlier dates came in, {len(changes.gone)} left."
    )


def _came_words(shown: _Shown) -> str:
    inside, point = shown.comparison.inside, shown.subject.point
    if not len(inside):
        return f"No {point} that the rule takes has been added since."
    held = "all" if inside.all() else f"{int(inside.sum())}" if inside.any() else "none"
    few = ", too few to judge by" if shown.comparison.few else ""
    return (
        f"Of {wording.counted(len(inside), point)} since, {held} fell inside the "
        f"{wording.percent(shown.comparison.before.level)} interval{few}."
    )


def _exhibit(shown: _Shown) -> Exhibit:
    then, now, subject, before = shown.then, shown.now, shown.subject, shown.comparison.before
    to = int(np.ceil(max(float(now.year.max()), float(then.year.max()) + 1)))
    bands, lines = trend_charts.trend_marks(
        before,
        series=f"Release {shown.earlier}",
        role="context",
        to=to,
        end_label=(f"As of {shown.earlier}", f"{wording.times(before.trend.yearly_growth)} a year"),
    )
    old = track_record_charts.points(then, before.selected, subject=subject, hollow=True)
    fresh = track_record_charts.points(now, shown.comparison.new, subject=subject)
    marks: tuple[Mark, ...] = (*bands, *lines, old, *((fresh,) if shown.comparison.new.any() else ()))
    came = _came_words(shown).rstrip(".")
    title = f"Forecast from release {shown.earlier}: {wording.small_initial(came)}"
    return xy_exhibit(
        marks,
        title=title,
        subtitle=(
            f"{wording.sentence_case(subject.noun)}. Hollow: known in release {shown.earlier}; filled: added since, as "
            f"in release {shown.later}. Line and {wording.percent(before.level)} bands: from the earlier release alone."
        ),
        source=f"{subject.words}. Data: Epoch AI (CC BY 4.0), curated, releases {shown.earlier} and {shown.later}.",
        x=year_axis(before.trend.first_year, to),
        y=trend_charts.value_axis(subject.axis, marks, unit=subject.unit),
        numbers=_table(shown),
        section="sure",
    )


@dataclass(frozen=True, kw_only=True)
class _Row:
    """What became of one row: its forecast or former value, and what this release has."""

    what: str
    name: str
    date: str = ""
    before: float | None = None
    value: float | None = None


def _rows(shown: _Shown) -> tuple[_Row, ...]:
    now, new, comparison = shown.now, shown.comparison.new, shown.comparison
    return (
        *(
            _Row(
                what="inside" if held else "outside",
                name=str(name),
                date=str(from_decimal_year(year)),
                before=float(expected),
                value=float(value),
            )
            for name, year, value, expected, held in zip(
                now.name[new],
                now.year[new],
                now.value[new],
                comparison.forecast,
                comparison.inside,
                strict=True,
            )
        ),
        *(
            _Row(what="revised", name=row.name, before=row.was, value=row.now)
            for row in comparison.changes.revised
        ),
        *(_Row(what="added later", name=name) for name in comparison.changes.added),
        *(_Row(what="gone", name=name) for name in comparison.changes.gone),
    )


def _table(shown: _Shown) -> Table:
    unit = shown.subject.unit
    return table(
        (
            column("what", lambda row: row.what, label="Status", kind="text"),
            column(
                "name", lambda row: row.name, label=wording.sentence_case(shown.subject.point), kind="text"
            ),
            column("date", lambda row: row.date, label="Date", kind="date"),
            column(
                "forecast_or_was",
                lambda row: row.before,
                label="Forecast, or value before",
                unit=unit,
                kind="scientific",
            ),
            column("value", lambda row: row.value, label="This release", unit=unit, kind="scientific"),
        ),
        _rows(shown),
    )
