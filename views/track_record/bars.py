"""Past forecasts judged: how often their intervals held, and whether a rival was closer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.track_record.backtest import HORIZONS_YEARS, Backtest, Rival
from analysis.track_record.record_outlook import RecordCheck
from charts.chart import Bar, BarChart
from views import wording
from views.axes import linear_axis
from views.result import Exhibit
from views.table import Getter, column, table
from views.track_record.figures import factor, ordinal, share_words
from views.track_record.settings import Subject

THIS_FORECAST = "This forecast"


@dataclass(frozen=True, kw_only=True)
class _Target:
    """What was forecast, and how many of it fell inside: later points of a year ahead, or the record."""

    label: str
    share: float
    error_log10: float
    n: int
    level: float
    low: float | None = None
    high: float | None = None


COVERAGE_COLUMNS: tuple[Getter[_Target], ...] = (
    column("target", lambda target: target.label, label="Target", kind="text"),
    column("coverage", lambda target: target.share, label="Share inside", unit="1"),
    column("low", lambda target: target.low, label="Low", unit="1"),
    column("high", lambda target: target.high, label="High", unit="1"),
    column("level", lambda target: target.level, label="Stated", unit="1"),
    column("median_error_log10", lambda target: target.error_log10, label="Median error", unit="log10"),
    column("n", lambda target: target.n, label="Points"),
)


def coverage_bars(
    tested: Backtest,
    records: Sequence[RecordCheck],
    *,
    subject: Subject,
    level: float,
    source: str,
) -> Exhibit:
    """Return by year ahead how many later points, and records, fell inside; bars start at the stated level."""
    by_year = tested.coverages(level=level)
    points = [
        _Target(
            label=f"{wording.sentence_case(ordinal(horizon))} year ahead",
            share=covered.share,
            low=covered.low,
            high=covered.high,
            level=level,
            error_log10=tested.median_error_log10(horizon=horizon),
            n=covered.n_points,
        )
        for horizon, covered in by_year.items()
    ]
    checked = [
        _Target(
            label=f"Record, {wording.counted(check.horizon, 'year')} ahead",
            share=check.share,
            level=level,
            error_log10=check.median_error_log10,
            n=check.n,
        )
        for check in records
    ]
    bars = [
        Bar(
            label=target.label,
            value=target.share,
            low=target.low,
            high=target.high,
            text=f"{share_words(target.share)}, n = {target.n}",
            role=subject.role,
            emphasised=covered.verdict == "too narrow",
        )
        for target, covered in zip(points, by_year.values(), strict=True)
    ]
    bars += [
        Bar(
            label=target.label,
            value=target.share,
            text=f"{share_words(target.share)}, n = {target.n}",
            role="context",
        )
        for target in checked
    ]
    stated = wording.percent(level)
    narrow = [horizon for horizon, covered in by_year.items() if covered.verdict == "too narrow"]
    wide = [horizon for horizon, covered in by_year.items() if covered.verdict == "too wide"]
    if narrow:
        title = f"Intervals that state {stated} were too narrow {_years(narrow)} ahead"
    elif wide:
        title = f"Intervals that state {stated} held more than that {_years(wide)} ahead"
    else:
        title = f"Intervals that state {stated} held about as many as they state"
    ends = [level, 1.0, *(end for bar in bars for end in (bar.value, bar.low or bar.value))]
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle=(
                f"Share of later {subject.point}s inside their interval; bars start at the stated {stated}: to the "
                "left is too narrow. Whiskers: 90 % interval of the share. Below: the record, simulated."
            ),
            alt=f"{title}: {', '.join(f'{bar.label} {bar.text}' for bar in bars)}.",
            source=source,
            x=linear_axis("Share inside", ends, word=lambda share: f"{100 * share:.3g} %"),
            base=level,
            bars=tuple(bars),
        ),
        table=table(COVERAGE_COLUMNS, (*points, *checked)),
        section="sure",
    )


def _years(horizons: Sequence[int]) -> str:
    if len(horizons) == len(HORIZONS_YEARS):
        return "in every year"
    names = [ordinal(horizon) for horizon in horizons]
    which = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    return f"in the {which} year"


def rival_bars(
    tested: Backtest,
    *,
    rivals: Mapping[Rival, str],
    horizon: int,
    subject: Subject,
    source: str,
) -> Exhibit:
    """Return how far off the forecast and its rivals typically were, closest first."""
    names: dict[Rival | None, str] = {None: THIS_FORECAST, **rivals}
    known = tested.closest_first(tuple(rivals), horizon=horizon)
    when = ordinal(horizon)
    own = dict(known).get(None, np.nan)
    if not known:
        title = f"No forecast is old enough to be checked in the {when} year ahead"
    elif known[0][1] >= own:
        title = f"In the {when} year ahead no rival was closer: median error {factor(own)}"
    else:
        closest, error = known[0]
        title = (
            f"{names[closest]} was closer in the {when} year ahead: median error "
            f"{factor(error)}, the forecast's {factor(own)}"
        )
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle=(
                f"Median distance from the {subject.point}s that came, in orders of magnitude: 0.3 is a factor "
                "of 2. The published rate was made with hindsight."
            ),
            alt=f"{title}: {', '.join(f'{names[rival]} {error:.2f}' for rival, error in known)}.",
            source=source,
            x=linear_axis(
                "Median error [orders of magnitude]",
                [0.0, *(error for _, error in known)],
                word=lambda error: f"{error:.2g}",
            ),
            base=0.0,
            bars=tuple(
                Bar(
                    label=names[rival],
                    value=error,
                    text=factor(error),
                    role=subject.role if rival is None else "context",
                    emphasised=rival is None,
                )
                for rival, error in known
            ),
        ),
        table=table(_error_columns(tested, names), tuple(names)),
        section="sure",
    )


def _error_columns(tested: Backtest, names: Mapping[Rival | None, str]) -> tuple[Getter[Rival | None], ...]:
    """Return the columns of a table with a row for the forecast (None) and each rival."""

    def year(ahead: int) -> Getter[Rival | None]:
        return column(
            f"median_error_log10_year_{ahead}",
            lambda rival: _known(tested.median_error_log10(horizon=ahead, rival=rival)),
            label=f"Year {ahead}",
            unit="log10",
        )

    name: Getter[Rival | None] = column("forecast", lambda rival: names[rival], label="Forecast", kind="text")
    return (name, *(year(ahead) for ahead in HORIZONS_YEARS))


def _known(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
