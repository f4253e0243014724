"""Figures on the accuracy of past forecasts, and text on trend breaks and the record's age."""

import math
from collections.abc import Iterator
from functools import partial

from analysis.intervals import Estimate
from analysis.track_record.backtest import Backtest, Coverage, Rival
from analysis.track_record.break_test import BreakTest
from analysis.track_record.record_outlook import RecordCheck, Silence
from views import wording, written
from views.chips.rents import month
from views.exhibits import count_figure, estimate_figure, stated_figure
from views.result import Figure
from views.track_record.settings import Subject

_figure = partial(stated_figure, written.toml(__file__, name="figures.toml"))
RIVALS: tuple[tuple[Rival, str, str], ...] = (
    ("no growth", "skill_no_growth", "No growth"),
    ("last year's growth", "skill_last_year", "Last year's growth"),
    ("published rate", "skill_published", "Published rate"),
    ("other shape", "skill_other_shape", "Kinked trend"),
)


def factor(error_log10: float) -> str:
    """Return an error factor as text: 2.4×."""
    return wording.times(10**error_log10)


def ordinal(horizon: int) -> str:
    """Return the ordinal for a number of years ahead: first, second, third, fourth."""
    return ("first", "second", "third", "fourth")[horizon - 1]


def figures(
    tested: Backtest, *, horizon: int, level: float, other_shape: str, records: tuple[RecordCheck, ...]
) -> tuple[Figure, ...]:
    """Return figures for coverage, typical error, comparison with rivals, and the forecasts of records."""
    covered = tested.coverage(level=level, horizon=horizon)
    return (
        *(_accuracy_figures(tested, covered, horizon=horizon) if covered else ()),
        *_rival_figures(tested, covered, horizon=horizon, other_shape=other_shape),
        *(figure for check in records for figure in _record_figures(check)),
        count_figure(
            "n_origins",
            len(tested.origins),
            label="Past forecasts",
            interval_text=f"{month(tested.origins[0].year)} – {month(tested.origins[-1].year)}",
            n=len(tested.origins),
        ),
    )


def _accuracy_figures(tested: Backtest, covered: Coverage, *, horizon: int) -> tuple[Figure, Figure]:
    error = tested.median_error_log10(horizon=horizon)
    return (
        estimate_figure(
            "coverage",
            Estimate(value=covered.share, low=covered.low, high=covered.high),
            label=f"Share of points covered in the {ordinal(horizon)} year",
            unit="1",
            level=0.9,
            word=wording.share,
            method=(
                f"share of later points inside their {wording.percent(covered.level)} prediction interval; Wilson "
                "interval with the effective sample size by calendar year"
            ),
            n=covered.n_points,
        ),
        _figure(
            "median_error_log10",
            value=error,
            text=factor(error),
            interval_text=f"{wording.significant(error)} orders of magnitude",
            n=covered.n_points,
        ),
    )


def _rival_figures(
    tested: Backtest, covered: Coverage | None, *, horizon: int, other_shape: str
) -> Iterator[Figure]:
    for rival, name, label in RIVALS:
        skill = tested.skill(rival, horizon=horizon)
        if math.isnan(skill):
            continue
        shown = other_shape if rival == "other shape" else label
        theirs = tested.median_error_log10(horizon=horizon, rival=rival)
        yield _figure(
            "skill",
            name=name,
            label=f"Accuracy compared with {'the ' * (rival in ('published rate', 'other shape'))}{shown.lower()}",
            value=skill,
            text=_skill_words(skill),
            interval_text=f"its median error: {factor(theirs)}",
            n=covered.n_points if covered else None,
            key=name == "skill_no_growth",
        )


def _record_figures(check: RecordCheck) -> tuple[Figure, Figure]:
    ahead = f"{wording.counted(check.horizon, 'year')} ahead"
    return (
        _figure(
            "record_coverage",
            name=f"record_coverage_{check.horizon}",
            label=f"Share of records covered, {ahead}",
            value=check.share,
            text=wording.share(check.share),
            n=check.n,
        ),
        _figure(
            "record_error_log10",
            name=f"record_error_log10_{check.horizon}",
            label=f"Median error of the record, {ahead}",
            value=check.median_error_log10,
            text=factor(check.median_error_log10),
            n=check.n,
        ),
    )


def _skill_words(skill: float) -> str:
    if abs(skill) < 0.005:
        return "no better"
    return f"{abs(skill) * 100:.0f}% {'better' if skill > 0 else 'worse'}"


def waiting(silence: Silence, *, subject: Subject) -> tuple[tuple[Figure, ...], tuple[str, ...]]:
    """Return figures and a note on the time since the last record."""
    chances = {"no_record_at_pace": silence.likely_at_pace, "no_record_as_came": silence.likely_as_came}
    figures = tuple(
        _figure(name, value=chance, text=_chance(chance), n=silence.came) for name, chance in chances.items()
    )
    kind = subject.point
    note = (
        f"No {kind} has beaten the record of {month(silence.record_year)} in the {wording.duration(silence.years)} "
        "of data since. If the trend until then held, the chance of no new record was "
        f"{_chance(silence.likely_at_pace)} at the earlier pace of new {kind}s"
    )
    if silence.fewer_came:
        note += f". At the actual pace, it was {_chance(silence.likely_as_came)}"
    return figures, ((f"{note}.",) if silence.long else ())


def _chance(probability: float) -> str:
    if probability < 0.005:
        return "under 1%"
    return f"{100 * probability:.0f}%"


def bending(test: BreakTest) -> tuple[tuple[Figure, ...], str]:
    """Return figures and a note on whether the trend has a break."""
    gain = wording.significant(test.bic_gain)
    figures = (
        _figure("break_p_value", value=test.p_value, text=_chance(test.p_value), n=test.n),
        _figure("break_bic_gain", value=test.bic_gain, text=gain, n=test.n),
    )
    rates = f"{wording.times(test.growth_before)} a year before it and {wording.times(test.growth_after)} after it"
    verdict = {
        "established": f"Growth has {'slowed' if test.slower else 'quickened'}",
        "possible": "The data may show a break in the trend",
        "none": f"The data do not show a {'slowdown' if test.slower else 'break in the trend'}",
    }[test.verdict]
    note = (
        f"{verdict}. With the best-fitting break, growth is {rates}; {_chance(test.p_value)} of simulated straight "
        "trends show a break at least as strong."
    )
    return figures, note
