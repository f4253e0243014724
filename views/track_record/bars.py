"""Charts of past forecasts: coverage of their intervals, and errors beside those of rivals."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from analysis.track_record.backtest import HORIZONS_YEARS, Backtest, Rival
from analysis.track_record.record_outlook import RecordCheck
from charts.chart import Bar, Role
from views import wording
from views.exhibits import ValueAxis, bar_exhibit, share_axis
from views.result import Exhibit
from views.table import Getter, column, finite, stated_columns
from views.track_record.figures import factor, ordinal
from views.track_record.settings import COLUMNS, Subject

THIS_FORECAST = "This forecast"


@dataclass(frozen=True, kw_only=True)
class _Target:
    """A forecast quantity (later points some years ahead, or the record) and its coverage."""

    label: str
    share: float
    error_log10: float
    n: int
    role: Role
    low: float | None = None
    high: float | None = None
    too_narrow: bool = False

    @property
    def text(self) -> str:
        """Return the covered share and the number of targets as text: 79%, n = 210."""
        return f"{wording.share(self.share)}, n = {self.n}"


def coverage_bars(
    tested: Backtest, records: Sequence[RecordCheck], *, subject: Subject, level: float, source: str
) -> Exhibit:
    """Return an exhibit of how often prediction intervals covered later points and records."""
    by_year = tested.coverages(level=level)
    targets = [
        *(
            _Target(
                label=f"{wording.sentence_case(ordinal(horizon))} year ahead",
                share=covered.share,
                low=covered.low,
                high=covered.high,
                error_log10=tested.median_error_log10(horizon=horizon),
                n=covered.n_points,
                role=subject.role,
                too_narrow=covered.verdict == "too narrow",
            )
            for horizon, covered in by_year.items()
        ),
        *(
            _Target(
                label=f"Record, {wording.counted(check.horizon, 'year')} ahead",
                share=check.share,
                error_log10=check.median_error_log10,
                n=check.n,
                role="context",
            )
            for check in records
        ),
    ]
    stated = wording.percent(level)
    narrow = [horizon for horizon, covered in by_year.items() if covered.verdict == "too narrow"]
    wide = [horizon for horizon, covered in by_year.items() if covered.verdict == "too wide"]
    if narrow:
        title = f"{stated} intervals were too narrow {_years(narrow)} ahead"
    elif wide:
        title = f"{stated} intervals covered more than {stated} of {subject.point}s {_years(wide)} ahead"
    else:
        title = f"{stated} intervals covered about {stated} of {subject.point}s"
    reach = [end for target in targets for end in (target.share, target.low or target.share)]
    return bar_exhibit(
        targets,
        lambda target: Bar(
            label=target.label,
            value=target.share,
            low=target.low,
            high=target.high,
            text=target.text,
            role=target.role,
            emphasised=target.too_narrow,
        ),
        title=title,
        subtitle=(
            f"Bars run from the stated {stated} to the share of later {subject.point}s covered: leftwards if intervals "
            "were too narrow. Lines are the share's 90% intervals. The bars at the bottom are for simulated records."
        ),
        alt=f"{title}: {', '.join(f'{target.label} {target.text}' for target in targets)}.",
        source=source,
        axis=share_axis("Share covered", level, 1.0, *reach),
        base=level,
        columns=stated_columns(COLUMNS["coverage"], level=lambda _: level),
        section="sure",
    )


def _years(horizons: Sequence[int]) -> str:
    if len(horizons) == len(HORIZONS_YEARS):
        return "in every year"
    names = [ordinal(horizon) for horizon in horizons]
    which = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    return f"in the {which} year"


def rival_bars(
    tested: Backtest, *, rivals: Mapping[Rival, str], horizon: int, subject: Subject, source: str
) -> Exhibit:
    """Return an exhibit of the typical errors of the forecast and its rivals, smallest first."""
    names: dict[Rival | None, str] = {None: THIS_FORECAST, **rivals}
    known = tested.closest_first(tuple(rivals), horizon=horizon)
    when = ordinal(horizon)
    own, published = dict(known).get(None, math.nan), "published rate" in dict(known)
    if not known:
        title = f"No forecast is old enough to be checked in the {when} year ahead"
    elif known[0][1] >= own:
        title = f"No rival forecast beat the trend's median error of {factor(own)} in the {when} year ahead"
    else:
        closest, error = known[0]
        title = (
            f"{names[closest]} had a smaller median error in the {when} year ahead: {factor(error)} against "
            f"{factor(own)}"
        )
    return bar_exhibit(
        known,
        lambda miss: Bar(
            label=names[miss[0]],
            value=miss[1],
            text=factor(miss[1]),
            role="context" if miss[0] else subject.role,
            emphasised=miss[0] is None,
        ),
        title=title,
        subtitle=f"Bars show each forecast's median distance from later {subject.point}s, in orders of magnitude; 0.3 "
        f"is about a factor of 2.{' The forecast at the published rate benefits from hindsight.' if published else ''}",
        alt=f"{title}: {', '.join(f'{names[rival]} {error:.2f}' for rival, error in known)}.",
        source=source,
        axis=ValueAxis(
            title="Median error [orders of magnitude]", word=lambda error: f"{error:.2g}", span=(0.0,)
        ),
        columns=_error_columns(tested, names),
        listed=tuple(names),
        section="sure",
    )


def _error_columns(tested: Backtest, names: Mapping[Rival | None, str]) -> tuple[Getter[Rival | None], ...]:
    """Return the columns of a table whose rows are the forecast itself (None) and its rivals."""

    def year(ahead: int) -> Getter[Rival | None]:
        return column(
            f"median_error_log10_year_{ahead}",
            lambda rival: finite(tested.median_error_log10(horizon=ahead, rival=rival)),
            label=f"Year {ahead}",
            unit="log10",
        )

    name: Getter[Rival | None] = column("forecast", lambda rival: names[rival], label="Forecast", kind="text")
    return (name, *(year(ahead) for ahead in HORIZONS_YEARS))
