"""A view's own choices with one of them changed: what the spread of a rate is shown over."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from analysis.trend.growth import Series
from analysis.trend.rule_spread import RuleCase
from analysis.trend.selection import Rule
from analysis.trend.undisclosed import Hidden
from views.settings import Settings
from views.trend import fit as fit_settings
from views.trend.fit import FitSettings

Chosen = TypeVar("Chosen", bound=Settings)
Fitted = TypeVar("Fitted", bound=FitSettings)
Changes = Sequence[tuple[str, Mapping[str, Any]]]
"""What each change is called, and the settings it changes."""

FIT_ONLY = ("since", "until", "estimator", "tau", "top")
"""Settings that say how a history is fitted, not which rows it has."""


def changed(settings: Chosen, changes: Changes) -> list[tuple[str, Chosen]]:
    """Return the settings under every change, with its name: no two alike, none in conflict, none unchanged."""
    kept: dict[Chosen, str] = {}
    for label, change in changes:
        case = replace(settings, **change)
        if case != settings and not case.conflicts():
            kept.setdefault(case, label)
    return [(label, case) for case, label in kept.items()]


def cases(
    settings: Fitted,
    changes: Changes,
    *,
    series_of: Callable[[Fitted], Series],
    rule_of: Callable[[Fitted], Rule],
    hidden_of: Callable[[Fitted], Hidden | None] = lambda _: None,
) -> list[RuleCase]:
    """Return the history under every change, to be fitted; one that serves several changes is made once.

    ``hidden_of`` gives the rows of a case that are known by an interval alone, None where it has none.
    """
    histories: dict[Fitted, Series] = {}
    under_changes = []
    for label, case in changed(settings, changes):
        rows = replace(case, **{name: getattr(settings, name) for name in FIT_ONLY})
        if rows not in histories:
            histories[rows] = series_of(case)
        since = case.described()["since"]
        under_changes.append(
            fit_settings.case(
                histories[rows], case, label=label, rule=rule_of(case), since=since, hidden=hidden_of(case)
            )
        )
    return under_changes
