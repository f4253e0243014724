"""Growth rates side by side: what the choice of rule does, and which quantity lags."""

from collections.abc import Mapping, Sequence

from analysis.growth_accounting import PartGrowth
from analysis.trend.growth import Growth
from analysis.trend.rule_spread import RuleCase, SpreadRow, spread
from analysis.trend.simex import Corrected
from charts.chart import Bar, Role
from views import wording
from views.exhibits import GROWTH_AXIS, bar_exhibit, rate_columns
from views.result import Exhibit, Section
from views.table import column


def spread_exhibit(
    growth: Growth,
    cases: Sequence[RuleCase],
    *,
    subject: str,
    role: Role,
    source: str,
    further: Sequence[SpreadRow] = (),
) -> Exhibit | None:
    """Return the rates of ``subject`` under all sensible rules, and ``further``, below its own; None if it is alone."""
    tried = (*spread(cases, interval=growth.interval, level=growth.level), *further)
    others = [row for row in tried if not row.problem]
    if not others:
        return None
    own = SpreadRow.of(growth, label="This view")
    rows = [own, *sorted(others, key=lambda row: -row.yearly_growth)]
    rates = [row.yearly_growth for row in rows]
    lowest, highest = wording.times(min(rates)), wording.times(max(rates))
    return rates_exhibit(
        rows,
        title=f"{subject} grows {lowest} to {highest} a year, depending on the rule",
        subtitle=(
            f"Growth a year with its {wording.percent(growth.level)} interval: this view, then the same "
            "with one choice changed."
        ),
        emphasised=own,
        roles={row.label: role for row in rows},
        source=source,
        first_column="Rule",
    )


def row_of(rate: PartGrowth | Corrected, *, label: str) -> SpreadRow:
    """Return a growth rate as a row among others."""
    return SpreadRow(label=label, yearly_growth=rate.yearly_growth, low=rate.low, high=rate.high, n=rate.n)


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
    """Return growth rates as bars from no growth, with their intervals, and the table of them."""
    return bar_exhibit(
        rows,
        lambda row: Bar(
            label=row.label,
            value=row.yearly_growth,
            low=row.low,
            high=row.high,
            text=f"{wording.times(row.yearly_growth)}, n = {row.n}",
            role=roles[row.label],
            emphasised=row is emphasised,
        ),
        title=title,
        subtitle=subtitle,
        alt=f"{title}; {emphasised.label}: {wording.times(emphasised.yearly_growth)} a year.",
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
