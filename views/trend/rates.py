"""Growth rates side by side: what the choice of rule does, and which quantity lags."""

from collections.abc import Mapping, Sequence

from analysis.trend.growth import Growth
from analysis.trend.rule_spread import RuleCase, SpreadRow, spread
from charts.chart import Bar, BarChart, Role
from views import wording
from views.axes import linear_axis
from views.result import Exhibit, Section
from views.table import Getter, column, table

COLUMNS: tuple[Getter[SpreadRow], ...] = (
    column("yearly_growth", lambda row: row.yearly_growth, label="Growth", unit="x/year"),
    column("low", lambda row: row.low, label="Low", unit="x/year"),
    column("high", lambda row: row.high, label="High", unit="x/year"),
    column("n", lambda row: row.n, label="Points"),
)


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
    own = own_row(growth, label="This view")
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


def own_row(growth: Growth, *, label: str) -> SpreadRow:
    """Return a view's own rate as a row among others."""
    return SpreadRow(
        label=label,
        yearly_growth=growth.trend.yearly_growth,
        low=growth.growth_low,
        high=growth.growth_high,
        n=growth.n,
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
    """Return growth rates as bars from no growth, with their intervals, and the table of them."""
    ends = [1.0, *(end for row in rows for end in (row.yearly_growth, row.low, row.high))]
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle=subtitle,
            alt=f"{title}; {emphasised.label}: {wording.times(emphasised.yearly_growth)} a year.",
            source=source,
            x=linear_axis("Growth a year", ends, word=wording.factor_tick),
            base=1.0,
            bars=tuple(
                Bar(
                    label=row.label,
                    value=row.yearly_growth,
                    low=row.low,
                    high=row.high,
                    text=f"{wording.times(row.yearly_growth)}, n = {row.n}",
                    role=roles[row.label],
                    emphasised=row is emphasised,
                )
                for row in rows
            ),
        ),
        table=table(
            (
                column(first_column.lower(), lambda row: row.label, label=first_column, kind="text"),
                *COLUMNS,
            ),
            rows,
        ),
        section=section,
    )
