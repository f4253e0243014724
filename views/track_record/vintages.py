"""The same forecast from an earlier release of the data, against what this release shows."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from analysis.trend.calendar_year import from_decimal_year
from analysis.trend.estimators import Recipe
from analysis.trend.growth import Growth, Series, Window, growth
from analysis.trend.selection import Rule, select
from charts.chart import Mark, XYChart
from data.releases import Release, load, names
from views import wording
from views.axes import year_axis
from views.result import Cell, Column, Exhibit, Figure, Table
from views.track_record import fan as track_record_charts
from views.track_record.settings import Subject
from views.trend import figures as trend_figures
from views.trend import marks as trend_charts

DRAWS = 500
FEWEST_TO_JUDGE = 10
REVISED = 0.01
"""A value that changed by more than this share is revised."""


@dataclass(frozen=True, kw_only=True)
class Vintage:
    """What an earlier release forecast and what became of it: chart and table, figures, and a sentence."""

    exhibit: Exhibit
    figures: tuple[Figure, ...]
    note: str


def earlier(release: Release) -> str | None:
    """Return the release before this one; the newest there is, for a reader's own data; None for the first."""
    known = names()
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
        before = _growth(then, rule=rule, window=window, recipe=recipe, level=level)
        after = _growth(now, rule=rule, window=window, recipe=recipe, level=level)
    except ValueError:
        return None
    cut = float(then.year.max())
    new = select(now.year, now.value, rule=rule) & window.holds(now.year) & (now.year > cut)
    came = before.project(now.year[new])
    inside = (now.value[new] >= came.prediction_low) & (now.value[new] <= came.prediction_high)
    changes = _changes(then, now, cut=cut, selected_now=after.selected, selected_then=before.selected)
    return Vintage(
        exhibit=Exhibit(
            chart=_chart(
                then, now, new, before=before, inside=inside, subject=subject, names_of=(name, release.name)
            ),
            table=_table(now, new, before=before, inside=inside, changes=changes, subject=subject),
        ),
        figures=_figures(before, after, new=new, inside=inside, changes=changes),
        note=_note(
            before, after, inside=inside, changes=changes, names_of=(name, release.name), subject=subject
        ),
    )


@dataclass(frozen=True, kw_only=True)
class _Changes:
    """Rows by name: what was revised (name, was, now), added for days already past, and gone."""

    revised: tuple[tuple[str, float, float], ...]
    added: tuple[str, ...]
    gone: tuple[str, ...]


def _changes(
    then: Series, now: Series, *, cut: float, selected_now: np.ndarray, selected_then: np.ndarray
) -> _Changes:
    was = dict(zip(then.name, then.value, strict=True))
    today = dict(zip(now.name, now.value, strict=True))
    counted = {*then.name[selected_then], *now.name[selected_now]}
    revised = [
        (str(name), float(was[name]), float(today[name]))
        for name in today
        if name in was and name in counted and abs(today[name] / was[name] - 1) > REVISED
    ]
    return _Changes(
        revised=tuple(sorted(revised, key=lambda row: -abs(np.log10(row[2] / row[1])))),
        added=tuple(str(n) for n in now.name[selected_now & (now.year <= cut)] if n not in was),
        gone=tuple(str(n) for n in then.name[selected_then] if n not in today),
    )


def _growth(series: Series, *, rule: Rule, window: Window, recipe: Recipe, level: float) -> Growth:
    return growth(
        series,
        rule=rule,
        window=window,
        estimator=recipe.estimator,
        quantile=recipe.quantile,
        level=level,
        draws=DRAWS,
    )


def _figures(
    before: Growth, after: Growth, *, new: np.ndarray, inside: np.ndarray, changes: _Changes
) -> tuple[Figure, ...]:
    def plain(name: str, label: str, value: float, text: str) -> Figure:
        return Figure(name=name, label=label, value=value, unit="", text=text, key=False)

    def rate(found: Growth, name: str, label: str) -> Figure:
        return replace(trend_figures.rate_figure(found, name=name, label=label), key=False)

    return (
        rate(before, "yearly_growth_before", "Growth a year, release before"),
        rate(after, "yearly_growth_now", "Growth a year, this release"),
        plain("new_since", "New points since the release before", float(new.sum()), f"{int(new.sum())}"),
        plain("new_inside", "Of these inside the interval", float(inside.sum()), f"{int(inside.sum())}"),
        plain("revised", "Rows revised", float(len(changes.revised)), f"{len(changes.revised)}"),
    )


def _note(
    before: Growth,
    after: Growth,
    *,
    inside: np.ndarray,
    changes: _Changes,
    names_of: tuple[str, str],
    subject: Subject,
) -> str:
    told = _came_words(inside, level=before.level, subject=subject)
    return (
        f"Release {names_of[0]} gave {wording.times(before.trend.yearly_growth)} a year, {names_of[1]} gives "
        f"{wording.times(after.trend.yearly_growth)}. {told} Among the selected, "
        f"{wording.counted(len(changes.revised), 'value')} changed by more than 1 %, "
        f"{wording.counted(len(changes.added), 'row')} of earlier days came in later, {len(changes.gone)} left."
    )


def _came_words(inside: np.ndarray, *, level: float, subject: Subject) -> str:
    if not len(inside):
        return f"No {subject.point} that the rule takes has come since."
    held = "all" if inside.all() else f"{int(inside.sum())}" if inside.any() else "none"
    few = "" if len(inside) >= FEWEST_TO_JUDGE else ", too few to judge by"
    return (
        f"Of {wording.counted(len(inside), subject.point)} since, {held} fell inside the "
        f"{wording.percent(level)} interval{few}."
    )


def _chart(
    then: Series,
    now: Series,
    new: np.ndarray,
    *,
    before: Growth,
    inside: np.ndarray,
    subject: Subject,
    names_of: tuple[str, str],
) -> XYChart:
    to = int(np.ceil(max(float(now.year.max()), float(then.year.max()) + 1)))
    bands, lines = trend_charts.trend_marks(
        before,
        series=f"Release {names_of[0]}",
        role="context",
        to=to,
        end_label=(f"As of {names_of[0]}", f"{wording.times(before.trend.yearly_growth)} a year"),
    )
    old = track_record_charts.points(then, before.selected, subject=subject, hollow=True)
    fresh = track_record_charts.points(now, new, subject=subject)
    marks: tuple[Mark, ...] = (*bands, *lines, old, *((fresh,) if new.any() else ()))
    told = _came_words(inside, level=before.level, subject=subject).rstrip(".")
    title = f"Forecast from release {names_of[0]}: {told[0].lower()}{told[1:]}"
    return XYChart(
        title=title,
        subtitle=(
            f"Hollow: known in release {names_of[0]}. Full: came since, as release {names_of[1]} has them. Line and "
            f"bands ({wording.percent(before.level)}) as the earlier release alone would have drawn them."
        ),
        alt=f"{title}.",
        source=f"{subject.words}. Data: Epoch AI (CC BY 4.0), curated, releases {names_of[0]} and {names_of[1]}.",
        x=year_axis(before.trend.first_year, to),
        y=trend_charts.value_axis(
            f"{wording.sentence_case(subject.noun)} [{subject.unit}]", marks, subject.unit
        ),
        marks=marks,
    )


def _table(
    now: Series, new: np.ndarray, *, before: Growth, inside: np.ndarray, changes: _Changes, subject: Subject
) -> Table:
    forecast = before.project(now.year[new]).value
    rows: list[tuple[Cell, ...]] = [
        (
            "inside" if held else "outside",
            str(name),
            str(from_decimal_year(year)),
            float(expected),
            float(value),
        )
        for name, year, value, expected, held in zip(
            now.name[new], now.year[new], now.value[new], forecast, inside, strict=True
        )
    ]
    rows += [("revised", name, "", was, today) for name, was, today in changes.revised]
    rows += [("added later", name, "", None, None) for name in changes.added]
    rows += [("gone", name, "", None, None) for name in changes.gone]
    return Table(
        columns=(
            Column(name="what", label="What", kind="text"),
            Column(name="name", label=wording.sentence_case(subject.point), kind="text"),
            Column(name="date", label="Date", kind="date"),
            Column(
                name="forecast_or_was",
                label="Forecast, or value before",
                unit=subject.unit,
                kind="scientific",
            ),
            Column(name="value", label="This release", unit=subject.unit, kind="scientific"),
        ),
        rows=tuple(rows),
    )
