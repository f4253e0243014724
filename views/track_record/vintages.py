"""Comparison of an earlier release's forecast with this release, in a chart and in text."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from analysis.track_record import vintages
from analysis.track_record.vintages import VintageComparison
from analysis.trend.calendar_year import from_decimal_year
from analysis.trend.estimators import Recipe
from analysis.trend.growth import Series, Window
from analysis.trend.selection import Rule
from charts.chart import Mark
from data.releases import Release, before, beside, load, names
from views import wording
from views.axes import year_axis
from views.exhibits import count_figure, xy_exhibit
from views.result import Exhibit, Figure
from views.table import table
from views.track_record import fan as track_record_charts
from views.track_record.settings import Subject
from views.trend import figures as trend_figures
from views.trend import marks as trend_charts


@dataclass(frozen=True, kw_only=True)
class _Row:
    """One row's forecast or former value, and its value in this release."""

    what: str
    name: str
    date: str = ""
    before: float | None = None
    value: float | None = None


@dataclass(frozen=True, kw_only=True)
class Vintage:
    """An earlier release's forecast and its outcome: both series, the comparison, names and subject."""

    then: Series
    now: Series
    comparison: VintageComparison
    subject: Subject
    earlier: str
    later: str

    @property
    def figures(self) -> tuple[Figure, ...]:
        """Return figures for both rates, the coverage of new points, and the changed rows."""
        comparison = self.comparison
        rates = (
            (comparison.before, "yearly_growth_before", "Growth a year, earlier release"),
            (comparison.after, "yearly_growth_now", "Growth a year, this release"),
        )
        return (
            *(
                trend_figures.rate_figure(growth, name=name, label=label, key=False)
                for growth, name, label in rates
            ),
            count_figure(
                "new_since", int(comparison.new.sum()), label="New points since the earlier release"
            ),
            count_figure("new_inside", int(comparison.inside.sum()), label="New points inside the interval"),
            count_figure("revised", len(comparison.changes.revised), label="Rows revised"),
        )

    @property
    def note(self) -> str:
        """Return a paragraph on both rates, the forecast's accuracy, and the changed rows."""
        before, after, changes = self.comparison.before, self.comparison.after, self.comparison.changes
        revised = wording.counted(len(changes.revised), "value") if changes.revised else "no value"
        return (
            f"Growth was {wording.times(before.trend.yearly_growth)} a year in release {self.earlier} and is "
            f"{wording.times(after.trend.yearly_growth)} in release {self.later}; between them, {revised} changed by "
            "more than 1%."
        )

    @property
    def _outcome(self) -> str:
        """Return text, without a full stop, on how many new points were inside the interval."""
        inside, point = self.comparison.inside, self.subject.point
        if not len(inside):
            return f"No {point} of this rule has been added since release {self.earlier}"
        held = "all" if inside.all() else f"{int(inside.sum())}" if inside.any() else "none"
        number = "one is" if len(inside) == 1 else "these are"
        few = f"; {number} too few to judge" if self.comparison.few else ""
        since = f"since release {self.earlier}"
        interval = f"its {wording.percent(self.comparison.before.level)} interval{few}"
        if len(inside) == 1:
            return f"The only new {point} {since} fell {'inside' if inside.all() else 'outside'} {interval}"
        return f"Of {wording.counted(len(inside), f'new {point}')} {since}, {held} fell inside {interval}"

    def exhibit(self) -> Exhibit:
        """Return an exhibit of the earlier forecast with the new points and changed rows."""
        then, now, subject, before = self.then, self.now, self.subject, self.comparison.before
        to = math.ceil(max(float(now.year.max()), float(then.year.max()) + 1))
        bands, lines = trend_charts.trend_marks(
            before,
            series=f"Release {self.earlier}",
            role="context",
            to=to,
            end_label=(f"As of {self.earlier}", f"{wording.times(before.trend.yearly_growth)} a year"),
        )
        old = track_record_charts.points(then, before.selected, subject=subject, hollow=True)
        fresh = track_record_charts.points(now, self.comparison.new, subject=subject)
        marks: tuple[Mark, ...] = (*bands, *lines, old, *((fresh,) if self.comparison.new.any() else ()))
        data = f"Data: Epoch AI (CC BY 4.0), curated, releases {self.earlier} and {self.later}."
        return xy_exhibit(
            marks,
            title=self._outcome,
            subtitle=(
                f"Hollow points were known in release {self.earlier}; filled ones were added by release "
                f"{self.later}. The line and bands come from the earlier release."
            ),
            source=f"{subject.words}. {data}",
            x=year_axis(before.trend.first_year, to),
            y=trend_charts.value_axis(subject.axis, marks, unit=subject.unit),
            numbers=table(self.subject.columns("vintages"), [*self._rows()]),
            section="sure",
        )

    def _rows(self) -> Iterator[_Row]:
        now, new, comparison = self.now, self.comparison.new, self.comparison
        came = (now.name[new], now.year[new], now.value[new], comparison.forecast, comparison.inside)
        for name, year, value, expected, held in zip(*came, strict=True):
            yield _Row(
                what="inside" if held else "outside",
                name=str(name),
                date=str(from_decimal_year(year)),
                before=float(expected),
                value=float(value),
            )
        for row in comparison.changes.revised:
            yield _Row(what="revised", name=row.name, before=row.was, value=row.now)
        for name in comparison.changes.added:
            yield _Row(what="added later", name=name)
        for name in comparison.changes.gone:
            yield _Row(what="gone", name=name)


def earlier(release: Release) -> str | None:
    """Return the previous release. For a reader's own data, it is the newest release. None for the first release."""
    return (before(release.name) or None) if release.name in names() else beside()[-1]


def compared(
    release: Release,
    *,
    history_of: Callable[[Release], tuple[Series, Subject]],
    rule: Rule,
    window: Window,
    recipe: Recipe,
    level: float,
) -> Vintage | None:
    """Return the comparison with the previous release. None if a release is missing or cannot be fitted."""
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
    return Vintage(
        then=then, now=now, comparison=comparison, subject=subject, earlier=name, later=release.name
    )
