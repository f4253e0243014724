"""Finding of /track-record: coverage and errors of past forecasts of a series."""

from collections.abc import Iterator
from contextlib import suppress

from analysis.track_record.backtest import Backtest, Rival, backtest
from analysis.track_record.break_test import break_test
from analysis.track_record.record_outlook import record_checks, silence
from analysis.trend.estimators import Recipe
from data.releases import Release
from views import wording, written
from views.lazy_sequence import LazySequence
from views.result import Exhibit
from views.track_record import bars as track_record_bars
from views.track_record import fan as track_record_charts
from views.track_record import figures as track_record_figures
from views.track_record import vintages
from views.track_record.fan import PublishedRate, published_rate
from views.track_record.settings import Subject, TrackRecordSettings, history, known, rule
from views.trend import finding as trend
from views.trend import fit as fit_settings
from views.view import Finding, View


def build(settings: TrackRecordSettings, release: Release) -> Finding:
    """Return the finding on the accuracy of past forecasts of the chosen series."""
    series, subject = history(release, settings)
    window = fit_settings.window(settings.since, fit_settings.END)
    recipe = Recipe(estimator=settings.estimator)
    data_words = f"{settings.chosen_words('horizon', 'level')}{trend.data_words(release)}"
    published = published_rate(settings.series)
    try:
        tested = backtest(
            series,
            rule=rule(settings),
            window=window,
            recipe=recipe,
            published_rate=published.yearly_growth if published else None,
        )
    except ValueError as problem:
        inside = window.holds(series.year)
        count = int(inside.sum())
        return trend.unfitted(
            headline=f"{wording.counted(count, subject.point)} are too few to check past forecasts",
            problem=str(problem),
            words=f"{subject.words}. {data_words}",
            points=track_record_charts.points(series, inside, subject=subject),
            table=track_record_charts.points_table(series, inside, subject=subject),
            to=fit_settings.LAST_YEAR,
            axis_title=subject.axis,
            unit=subject.unit,
        )
    level = int(settings.level) / 100
    estimator = {
        "least-squares": "least squares",
        "theil-sen": "Theil-Sen",
        "quantile": "the median line",
    }.get(settings.estimator, "kinked least squares")
    source = (
        f"{subject.words}. {len(tested.origins)} half-yearly forecasts, {estimator}, bootstrap; "
        f"{len(tested.row):,} pairs of forecast and later {subject.point}. {data_words}"
    )
    headline = _headline(tested, settings=settings, subject=subject)
    frontier, warning = known(release, settings)
    records = record_checks(tested, series, level=level)
    figures = list(
        track_record_figures.figures(
            tested, horizon=settings.horizon, level=level, other_shape=_other_shape(settings), records=records
        )
    )
    notes: list[str] = []
    with suppress(ValueError):
        broken = break_test(series.year[tested.selected], series.value[tested.selected])
        bend_figures, bend_note = track_record_figures.bending(broken)
        figures += bend_figures
        notes.append(bend_note)
    with suppress(ValueError):
        waited = silence(series, rule=rule(settings), window=window, recipe=recipe)
        wait_figures, wait_notes = track_record_figures.waiting(waited, subject=subject)
        figures += wait_figures
        notes += wait_notes
    notes.append(_hindsight(published))
    vintage = vintages.compared(
        release,
        history_of=lambda other: history(other, settings),
        rule=rule(settings),
        window=window,
        recipe=recipe,
        level=level,
    )
    if vintage:
        figures += vintage.figures
        notes.append(vintage.note)
    rivals: dict[Rival, str] = {
        rival: _rival_label(rival, label, settings=settings, published=published)
        for rival, _, label in track_record_figures.RIVALS
    }

    def exhibits() -> Iterator[Exhibit | None]:
        yield track_record_charts.fan(
            tested,
            series,
            subject=subject,
            headline=headline,
            level=level,
            ahead=settings.horizon,
            source=source,
        )
        yield track_record_bars.coverage_bars(tested, records, subject=subject, level=level, source=source)
        yield track_record_bars.rival_bars(
            tested, rivals=rivals, horizon=settings.horizon, subject=subject, source=source
        )
        yield vintage.exhibit() if vintage else None

    return Finding(
        headline=headline,
        figures=tuple(figures),
        exhibits=LazySequence(exhibits),
        settings_line=source,
        subtitle=_subtitle(tested, settings=settings, warning=warning, point=subject.point),
        notes=(
            *_caution(tested, settings=settings),
            "Past forecasts use today's data for past rows, so they look somewhat better than real forecasts would.",
        ),
        sure=(*notes, *frontier),
        changes=(
            "Coverage depends on four settings of this page: the series, the rule, the estimator and the years ahead.",
        ),
    )


def _headline(tested: Backtest, *, settings: TrackRecordSettings, subject: Subject) -> str:
    level = int(settings.level) / 100
    covered = tested.coverage(level=level, horizon=settings.horizon)
    if covered is None:
        return f"No past forecast is old enough to check {wording.counted(settings.horizon, 'year')} ahead"
    year = track_record_figures.ordinal(settings.horizon)
    share, stated = wording.share(covered.share), wording.percent(level)
    return f"{stated} intervals covered {share} of {subject.point}s in a forecast's {year} year"


def _subtitle(tested: Backtest, *, settings: TrackRecordSettings, warning: str, point: str) -> str:
    """Return a subtitle on the intervals' width, with a warning or, if there is none, the counts behind the share."""
    level = int(settings.level) / 100
    covered = tested.coverage(level=level, horizon=settings.horizon)
    if covered is None:
        return f"{wording.counted(len(tested.origins), 'past forecast')}; choose fewer years ahead. {warning}".rstrip()
    verdict = {"too narrow": "too narrow", "too wide": "wider than needed", "as stated": "as wide as stated"}
    ends = wording.interval(*(wording.share(end) for end in (covered.low, covered.high)))
    year, held = track_record_figures.ordinal(settings.horizon), round(covered.share * covered.n)
    counts = f"Including mid-year forecasts, {held} of {covered.n} pairs of forecast and {point} were inside."
    return (
        f"The intervals were {verdict[covered.verdict]} (90% interval of the share covered: {ends}). "
        f"Bands are forecasts for their {year} year; points in another colour fell outside. {warning or counts}"
    )


def _caution(tested: Backtest, *, settings: TrackRecordSettings) -> tuple[str, ...]:
    level = int(settings.level) / 100
    missed = [
        f"{wording.share(covered.share)} in the {track_record_figures.ordinal(horizon)} year"
        for horizon, covered in tested.coverages(level=level).items()
        if covered.verdict == "too narrow"
    ]
    if missed:
        return (
            f"{wording.percent(level)} intervals covered only {wording.listed(missed[:2])} ahead. The calibrated "
            "interval on trend pages is wider by the factor that these forecasts needed.",
        )
    return ()


def _other_shape(settings: TrackRecordSettings) -> str:
    return "Straight trend" if settings.estimator == "kinked" else "Kinked trend"


def _rival_label(
    rival: Rival, label: str, *, settings: TrackRecordSettings, published: PublishedRate | None
) -> str:
    if rival == "published rate" and published:
        return f"Published {published.words}"
    return _other_shape(settings) if rival == "other shape" else label


def _hindsight(published: PublishedRate | None) -> str:
    words = "Past forecasts use rows and values that were added to the data or corrected after the forecast's date."
    if published:
        words += (
            f" The published rate ({published.words}) was measured over much the same years as the forecasts cover, "
            "so it benefits from hindsight."
        )
    return words


VIEW = View(settings=TrackRecordSettings, build=build, **written.page(__file__, path="/track-record"))
