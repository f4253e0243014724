"""Past forecasts judged: how often their intervals held, and whether a rival was closer."""

from collections.abc import Sequence

import numpy as np

from analysis.track_record.backtest import HORIZONS_YEARS, Backtest, Rival
from analysis.track_record.record_outlook import RecordCheck
from charts.chart import Bar, BarChart
from views import wording
from views.axes import linear_axis
from views.result import Column, Exhibit, Table
from views.track_record.figures import factor, ordinal, share_words
from views.track_record.settings import Subject


def coverage_bars(
    tested: Backtest,
    records: Sequence[RecordCheck],
    *,
    subject: Subject,
    level: float,
    source: str,
) -> Exhibit:
    """Return by year ahead how many later points, and records, fell inside; bars start at the stated level."""
    found = [
        (horizon, covered)
        for horizon in HORIZONS_YEARS
        if (covered := tested.coverage(level=level, horizon=horizon))
    ]
    bars = [
        Bar(
            label=f"{wording.sentence_case(ordinal(horizon))} year ahead",
            value=covered.share,
            low=covered.low,
            high=covered.high,
            text=f"{share_words(covered.share)}, n = {covered.n_points}",
            role=subject.role,
            emphasised=covered.verdict == "too narrow",
        )
        for horizon, covered in found
    ]
    bars += [
        Bar(
            label=f"Record, {wording.counted(check.horizon, 'year')} ahead",
            value=check.share,
            text=f"{share_words(check.share)}, n = {check.n}",
            role="context",
        )
        for check in records
    ]
    stated = wording.percent(level)
    narrow = [horizon for horizon, covered in found if covered.verdict == "too narrow"]
    wide = [horizon for horizon, covered in found if covered.verdict == "too wide"]
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
            x=linear_axis("Share inside", ends, lambda share: f"{100 * share:.3g} %"),
            base=level,
            bars=tuple(bars),
        ),
        table=Table(
            columns=(
                Column(name="target", label="Target", kind="text"),
                Column(name="coverage", label="Share inside", unit="1"),
                Column(name="low", label="Low", unit="1"),
                Column(name="high", label="High", unit="1"),
                Column(name="level", label="Stated", unit="1"),
                Column(name="median_error_log10", label="Median error", unit="log10"),
                Column(name="n", label="Points"),
            ),
            rows=(
                *(
                    (
                        f"{wording.sentence_case(ordinal(horizon))} year ahead",
                        covered.share,
                        covered.low,
                        covered.high,
                        level,
                        tested.median_error_log10(horizon=horizon),
                        covered.n_points,
                    )
                    for horizon, covered in found
                ),
                *(
                    (
                        f"Record, {wording.counted(check.horizon, 'year')} ahead",
                        check.share,
                        None,
                        None,
                        level,
                        check.median_error_log10,
                        check.n,
                    )
                    for check in records
                ),
            ),
        ),
    )


def _years(horizons: Sequence[int]) -> str:
    if len(horizons) == len(HORIZONS_YEARS):
        return "in every year"
    names = [ordinal(horizon) for horizon in horizons]
    told = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    return f"in the {told} year"


def rival_bars(
    tested: Backtest,
    *,
    rivals: Sequence[tuple[Rival, str]],
    horizon: int,
    subject: Subject,
    source: str,
) -> Exhibit:
    """Return how far off the forecast and its rivals typically were, closest first."""
    errors: list[tuple[str, float, bool]] = [
        ("This forecast", tested.median_error_log10(horizon=horizon), True)
    ]
    errors += [
        (label, tested.median_error_log10(horizon=horizon, rival=rival), False) for rival, label in rivals
    ]
    known = sorted((item for item in errors if np.isfinite(item[1])), key=lambda item: item[1])
    when = ordinal(horizon)
    if known:
        best = known[0]
        own = next(item for item in known if item[2])
        title = (
            f"In the {when} year ahead no rival was closer: typically {factor(own[1])} off"
            if best[1] >= own[1]
            else f"{best[0]} was closer in the {when} year ahead: {factor(best[1])} off, the "
            f"forecast {factor(own[1])}"
        )
    else:
        title = f"No forecast is old enough to be checked in the {when} year ahead"
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle=(
                f"Median distance from the {subject.point}s that came, in orders of magnitude: 0.3 is a factor "
                "of 2. The published rate has hindsight."
            ),
            alt=f"{title}: {', '.join(f'{label} {error:.2f}' for label, error, _ in known)}.",
            source=source,
            x=linear_axis(
                "Median error [orders of magnitude]",
                [0.0, *(error for _, error, _ in known)],
                lambda error: f"{error:.2g}",
            ),
            base=0.0,
            bars=tuple(
                Bar(
                    label=label,
                    value=error,
                    text=f"{factor(error)} off",
                    role=subject.role if own else "context",
                    emphasised=own,
                )
                for label, error, own in known
            ),
        ),
        table=Table(
            columns=(
                Column(name="forecast", label="Forecast", kind="text"),
                *(
                    Column(name=f"median_error_log10_year_{ahead}", label=f"Year {ahead}", unit="log10")
                    for ahead in HORIZONS_YEARS
                ),
            ),
            rows=tuple(
                (
                    label,
                    *(
                        _known(tested.median_error_log10(horizon=ahead, rival=rival))
                        for ahead in HORIZONS_YEARS
                    ),
                )
                for rival, label in ((None, "This forecast"), *rivals)
            ),
        ),
    )


def _known(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
