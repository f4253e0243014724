"""Common steps of trend views: fit a history, draw it with its trend, and describe the trend."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from analysis.trend.calendar_year import decimal_year
from analysis.trend.growth import Growth, Series
from analysis.trend.selection import Rule
from analysis.trend.undisclosed import bounded
from charts.chart import Mark, Points, Role
from data.releases import Release
from views import wording
from views.axes import year_axis
from views.exhibits import count_figure, xy_exhibit
from views.lazy_sequence import LazySequence
from views.result import Cell, Exhibit, Table
from views.trend import fit as fit_settings
from views.trend import words
from views.trend.figures import figures, reach_notes, subtitle
from views.trend.fit import FitSettings
from views.trend.marks import rate_label, rival_line, trend_marks, value_axis
from views.view import Finding

MOST_NOTES = 3
"""Maximum number of caveats beside a finding's chart."""
MOST_WORDS = 12


@dataclass(frozen=True, kw_only=True, eq=False)
class TrendHistory:
    """The parts specific to a trend view: its rows, its quantity, and the text on both.

    ``rows`` are the candidates before ``rule`` selects among them, one for each entry of ``series``; ``points`` and
    ``table`` show rows. ``point`` is the name of a row. The quantity is called ``name`` in a legend, ``short`` at the
    end of its line, ``drawn`` in a subtitle, and ``axis``, with unit, beside the axis. ``which`` and ``data`` describe
    the rows and their origin. ``announced`` rows are drawn hollow, as ``hollow`` explains, and never fitted. ``bounds``
    are alternative histories: the trend's intervals also cover theirs. ``years`` are included in the axis. ``tick``
    formats a value at the axis. ``catch`` is the caveat in the subtitle; ``own`` marks a reader's own rows; ``sure``
    and ``changes`` are paragraphs on the uncertainty from the rows and on what changes the trend.
    """

    rows: pd.DataFrame
    series: Series
    rule: Rule
    points: Callable[[pd.DataFrame], Points]
    table: Callable[[pd.DataFrame, Growth | None], Table]
    point: str
    name: str
    short: str
    drawn: str
    axis: str
    unit: str
    role: Role
    which: str
    data: str
    announced: Points | None = None
    hollow: str = "Hollow points are announced chips, which are not fitted."
    bounds: tuple[Series, ...] = ()
    years: tuple[float, ...] = ()
    tick: Callable[[float], str] | None = None
    catch: str = ""
    own: bool = False
    sure: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()


def data_words(release: Release, *, state: str = "curated") -> str:
    """Return a sentence on the origin of the numbers."""
    own = "" if release.origin == "curated" else f"{release.name} ({release.origin}); all else "
    return f"Data: {own}Epoch AI (CC BY 4.0), {state}, release {release.stands_on}."


def origin_words(origin: str) -> str:
    """Return the origin of a row's numbers as a line of hover text."""
    return "Source: Epoch AI" if origin == "epoch" else "Source: Scaling Gap curation"


Further = Callable[[Growth, str], Iterable[Exhibit | None]]
"""Function that returns the exhibits after a trend's own, given the growth and the settings line."""


def finding(
    history: TrendHistory,
    settings: FitSettings,
    *,
    since: str,
    headline: Callable[[Growth], str],
    further: Further,
) -> Finding:
    """Return the finding on a history's trend, with ``further`` exhibits.

    If no trend can be fitted, the finding shows the rows of the window and what to change.
    """
    try:
        growth = fitted(history, settings, since=since)
    except ValueError as problem:
        return no_trend(history, settings, since=since, problem=str(problem))
    return of_growth(history, settings, growth=growth, headline=headline(growth), further=further)


def of_growth(
    history: TrendHistory, settings: FitSettings, *, growth: Growth, headline: str, further: Further
) -> Finding:
    """Return the finding on a history whose growth is known."""
    fit = fit_settings.fit_words(settings, growth)
    chosen = settings.chosen_words("to", "undisclosed", "ratio")
    source = f"{history.which}, n = {growth.n}. {fit} {chosen}{history.data}"
    rival, rival_notes, later = rival_line(history.series, growth, to=settings.to)
    headline += later if len((headline + later).split()) <= MOST_WORDS else ""
    group = "vendor" if history.point == "chip" else "organization"

    def exhibits() -> Iterator[Exhibit | None]:
        rows = history.rows.loc[growth.selected].reset_index(drop=True)
        yield _exhibit(
            history, growth, rows=rows, rival=rival, headline=headline, to=settings.to, source=source
        )
        yield from further(growth, source)

    return Finding(
        headline=headline,
        figures=figures(growth, to=settings.to, unit=history.unit),
        exhibits=LazySequence(exhibits),
        settings_line=source,
        subtitle=f"{subtitle(growth)} {history.catch}".rstrip(),
        notes=(*reach_notes(growth, to=settings.to), *rival_notes, *words.foremost(growth))[:MOST_NOTES],
        sure=(*words.sure(growth, group=group), *history.sure),
        changes=history.changes,
    )


def fitted(history: TrendHistory, settings: FitSettings, *, since: str) -> Growth:
    """Return a history's growth, with intervals that also cover those of its ``bounds``.

    Raises ValueError if the window has too few points for the estimator or the interval, or too few of a reader's own.
    """
    plain, *others = (
        fit_settings.fitted(series, settings, rule=history.rule, since=since)
        for series in (history.series, *history.bounds)
    )
    if history.own:
        fit_settings.check_own(n=int((history.rows.loc[plain.selected, "origin"] != "added").sum()))
    return bounded(plain, others) if others else plain


def _exhibit(
    history: TrendHistory,
    growth: Growth,
    *,
    rows: pd.DataFrame,
    rival: tuple[Mark, ...],
    headline: str,
    to: int,
    source: str,
) -> Exhibit:
    """Return an exhibit of the fitted ``rows``, their trend, and the ``rival`` shape of the trend."""
    bands, lines = trend_marks(
        growth,
        series=history.name,
        role=history.role,
        to=to,
        end_label=(history.short, rate_label(growth.trend)),
    )
    hollow = () if history.announced is None else (history.announced,)
    marks: tuple[Mark, ...] = (*bands, *rival, *lines, history.points(rows), *hollow)
    years = [*history.years, *(year for points in hollow for year in points.x)]
    level, point = wording.percent(growth.level), history.point
    largest = wording.quantity(float(history.series.value[growth.selected].max()), history.unit)
    return xy_exhibit(
        marks,
        title=headline,
        subtitle=(
            f"{history.drawn}. The dark band is the trend's {level} interval, the light band that of a new {point}. "
            f"{history.hollow if hollow else ''}".rstrip()
        ),
        alt=f"{headline}: {growth.n} {point}s, up to {largest}, with trend, intervals and projection to {to}.",
        source=source,
        x=year_axis(min([growth.trend.first_year, *years]), max(growth.trend.last_year, float(to), *years)),
        y=value_axis(history.axis, marks, unit=history.unit, word=history.tick, bands=level),
        numbers=history.table(rows, growth),
    )


def newest_first(rows: pd.DataFrame, growth: Growth | None, *, date: str, value: str) -> Sequence[Any]:
    """Return the rows, newest first, with an attribute per column and one for ``ratio_to_trend``.

    ``date`` and ``value`` are the columns from which the ratio is computed; it is None without a trend.
    """

    def made() -> Iterator[Any]:
        newest = rows.iloc[::-1]
        ratio: list[Cell] = [None] * len(newest)
        if growth is not None:
            ratio = (
                newest[value].to_numpy(dtype=float) / growth.trend.at(decimal_year(newest[date]))
            ).tolist()
        return newest.assign(ratio_to_trend=pd.Series(ratio, index=newest.index, dtype=object)).itertuples()

    return LazySequence(made)


def no_trend(history: TrendHistory, settings: FitSettings, *, since: str, problem: str) -> Finding:
    """Return a finding on a history that cannot be fitted: its rows, and what to do."""
    left = history.rows.loc[fit_settings.window(since, settings.until).holds(history.series.year)]
    return unfitted(
        headline=f"These choices leave {wording.counted(len(left), history.point)}, so no trend can be fitted",
        problem=problem,
        words=f"{history.which}. {history.data}",
        points=history.points(left),
        table=history.table(left, None),
        to=settings.to,
        axis_title=history.axis,
        unit=history.unit,
    )


def unfitted(
    *,
    headline: str,
    problem: str,
    words: str,
    points: Points,
    table: Table,
    to: int,
    axis_title: str,
    unit: str,
) -> Finding:
    """Return a finding for too few rows to fit: the rows, and what to do."""
    subtitle, *notes = wording.sentences(wording.sentence_case(problem))
    first = min(points.x, default=float(to) - 1)
    exhibit = xy_exhibit(
        (points,) if points.x else (),
        title=headline,
        subtitle=wording.sentence_case(problem),
        alt=headline,
        source=words,
        x=year_axis(first, max(*points.x, float(to)) if points.x else float(to)),
        y=value_axis(axis_title, (points,), unit=unit),
        numbers=table,
    )
    count = len(points.x)
    return Finding(
        headline=headline,
        subtitle=subtitle,
        figures=(count_figure("n_points", count, label="Rows left", n=count, key=True),),
        exhibits=(exhibit,),
        settings_line=words,
        notes=notes[:MOST_NOTES],
    )
