"""Comparisons of growth rates: under other rules, and of several quantities."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from analysis.trend.growth import Growth, Series
from analysis.trend.rule_spread import RuleCase, SpreadRow, spread
from analysis.trend.selection import Rule
from charts.chart import Bar, Role
from views import wording
from views.exhibits import GROWTH_AXIS, bar_exhibit, rate_columns
from views.result import Exhibit, Section
from views.settings import Settings
from views.table import column
from views.trend import fit as fit_settings
from views.trend.fit import FitSettings


def spread_exhibit(
    growth: Growth, cases: Sequence[RuleCase], *, subject: str, role: Role, source: str
) -> Exhibit | None:
    """Return an exhibit of ``subject``'s growth under all plausible rules. None if no other rule can be fitted."""
    others = [row for row in spread(cases, interval=growth.interval, level=growth.level) if not row.problem]
    if not others:
        return None
    own = SpreadRow.of(growth.yearly, label="This view", n=growth.n)
    rows = [own, *sorted(others, key=lambda row: -row.value)]
    rates = [row.value for row in rows]
    lowest, highest = wording.times(min(rates)), wording.times(max(rates))
    return rates_exhibit(
        rows,
        title=f"With other choices, {wording.small_initial(subject)} grows {lowest} to {highest} a year",
        subtitle=(
            f"Each row shows the yearly growth if one choice on this page is changed, with its "
            f"{wording.percent(growth.level)} interval."
        ),
        emphasised=own,
        roles={row.label: role for row in rows},
        source=source,
        first_column="Rule",
        section="sure",
    )


def rates_exhibit(
    rows: Sequence[SpreadRow],
    *,
    title: str,
    subtitle: str,
    emphasised: SpreadRow,
    roles: Mapping[str, Role],
    source: str,
    first_column: str,
    section: Section = "changes",
) -> Exhibit:
    """Return an exhibit of growth rates with intervals, as bars that start at 1 (no growth)."""
    return bar_exhibit(
        rows,
        lambda row: Bar(
            label=row.label,
            value=row.value,
            low=row.low,
            high=row.high,
            text=f"{wording.times(row.value)}, n = {row.n}",
            role=roles[row.label],
            emphasised=row is emphasised,
        ),
        title=title,
        subtitle=subtitle,
        alt=f"{title}; {emphasised.label}: {wording.times(emphasised.value)} a year.",
        source=source,
        axis=GROWTH_AXIS,
        base=1.0,
        columns=(
            column(first_column.lower(), lambda row: row.label, label=first_column, kind="text"),
            *rate_columns(),
            column("n", lambda row: row.n, label="Points"),
        ),
        section=section,
    )


Chosen = TypeVar("Chosen", bound=Settings)
Fitted = TypeVar("Fitted", bound=FitSettings)
Changes = Sequence[tuple[str, Mapping[str, Any]]]
"""Named changes of settings: a name, and the changed values."""

FIT_ONLY = ("since", "until", "estimator", "tau", "top")
"""Settings that affect the fit of a history, but not its rows."""


def changed(settings: Chosen, changes: Changes) -> list[tuple[str, Chosen]]:
    """Return each change's name and settings, omitting duplicates, conflicts and changes without effect."""
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
) -> list[RuleCase]:
    """Return the history to fit under each change. Equal histories are built once."""
    histories: dict[Fitted, Series] = {}
    under_changes = []
    for label, case in changed(settings, changes):
        rows = replace(case, **{name: getattr(settings, name) for name in FIT_ONLY})
        if rows not in histories:
            histories[rows] = series_of(case)
        since = case.described()["since"]
        under_changes.append(
            fit_settings.case(histories[rows], case, label=label, rule=rule_of(case), since=since)
        )
    return under_changes
