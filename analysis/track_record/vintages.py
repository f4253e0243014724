"""Comparison of an earlier release's forecast with the values in a later release."""

from dataclasses import asdict, dataclass

import numpy as np

from analysis.arrays import BoolArray, FloatArray
from analysis.trend.estimators import Recipe
from analysis.trend.growth import Growth, Series, Window
from analysis.trend.rule_spread import RuleCase
from analysis.trend.selection import Rule, select

DRAWS = 500
FEWEST_TO_JUDGE = 10
REVISED = 0.01
"""Relative change above which a value counts as revised. [1]"""


@dataclass(frozen=True, kw_only=True)
class Revision:
    """A row whose value differs between two releases."""

    name: str
    was: float
    now: float


@dataclass(frozen=True, kw_only=True)
class Changes:
    """Changes in the selected rows: revised (largest change first), added for past dates, and removed."""

    revised: tuple[Revision, ...]
    added: tuple[str, ...]
    gone: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class VintageComparison:
    """Growth of one series in two releases, and the earlier release's forecast of later points.

    ``new`` marks those points among the rows of the later release, shape (n,); ``forecast`` is the earlier release's
    forecast of each, and ``inside`` whether it is inside its prediction interval, shape (m,).
    """

    before: Growth
    after: Growth
    new: BoolArray
    forecast: FloatArray
    inside: BoolArray
    changes: Changes

    @property
    def few(self) -> bool:
        """Return whether too few points were added to judge the forecast."""
        return len(self.inside) < FEWEST_TO_JUDGE


def compared(
    then: Series, now: Series, *, rule: Rule, window: Window, recipe: Recipe, level: float
) -> VintageComparison:
    """Return the earlier release's forecast of a series, compared with values in the later release.

    Raises ValueError if either release has too few points to fit.
    """
    before = _growth(then, rule=rule, window=window, recipe=recipe, level=level)
    after = _growth(now, rule=rule, window=window, recipe=recipe, level=level)
    cut = float(then.year.max())
    new = select(now.year, now.value, rule=rule) & window.holds(now.year) & (now.year > cut)
    came = before.project(now.year[new])
    return VintageComparison(
        before=before,
        after=after,
        new=new,
        forecast=came.value,
        inside=(now.value[new] >= came.prediction_low) & (now.value[new] <= came.prediction_high),
        changes=changes(then, now, selected_then=before.selected, selected_now=after.selected),
    )


def changes(then: Series, now: Series, *, selected_then: BoolArray, selected_now: BoolArray) -> Changes:
    """Return the changes in the rows selected in either release. Rows are matched by name."""
    was = dict(zip(then.name, then.value, strict=True))
    today = dict(zip(now.name, now.value, strict=True))
    counted = {*then.name[selected_then], *now.name[selected_now]}
    revised = [
        Revision(name=str(name), was=float(was[name]), now=float(today[name]))
        for name in today
        if name in was and name in counted and abs(today[name] / was[name] - 1) > REVISED
    ]
    past = now.year <= float(then.year.max())
    return Changes(
        revised=tuple(sorted(revised, key=lambda row: -abs(np.log10(row.now / row.was)))),
        added=tuple(str(name) for name in now.name[selected_now & past] if name not in was),
        gone=tuple(str(name) for name in then.name[selected_then] if name not in today),
    )


def _growth(series: Series, *, rule: Rule, window: Window, recipe: Recipe, level: float) -> Growth:
    case = RuleCase(series=series, rule=rule, window=window, **asdict(recipe))
    return case.growth(level=level, draws=DRAWS)
