"""Growth taken apart, compared: with what grows beside compute, and under other choices of runs and years."""

from collections.abc import Iterator, Mapping, Sequence

from analysis.growth_accounting import PartGrowth
from analysis.trend.rule_spread import SpreadRow
from charts.chart import Axis, Mark, Points, Tick, XYChart
from views import wording
from views.axes import linear_axis
from views.growth_accounting.charts import ROLES, SHORT
from views.growth_accounting.figures import BESIDE, LABELS
from views.result import Exhibit
from views.runs.parts import FACTORS
from views.table import Getter, column, table
from views.trend import rates

Choice = tuple[str, Mapping[str, PartGrowth]]
"""A choice of runs and years by name, with the growth of the parts under it."""


def beside(parts: Mapping[str, PartGrowth], *, source: str) -> Exhibit:
    """Return how fast cost, power, parameters and data of the selected runs grow, with compute."""
    names = {name: label for name, (_, label) in BESIDE.items() if name in parts}
    kept = {"all": "Training compute", **names}
    rows = sorted(
        (
            SpreadRow(
                label=label,
                yearly_growth=parts[name].yearly_growth,
                low=parts[name].low,
                high=parts[name].high,
                n=parts[name].n,
            )
            for name, label in kept.items()
        ),
        key=lambda row: -row.yearly_growth,
    )
    own = next(row for row in rows if row.label == "Training compute")
    growths = [f"{row.label.lower()} {wording.times(row.yearly_growth)}" for row in rows if row is not own]
    title = "Growth beside compute: " + (
        " and ".join([", ".join(growths[:-1]), growths[-1]]) if len(growths) > 1 else ""
    )
    return rates.rates_exhibit(
        rows,
        title=f"{title} a year"
        if len(growths) > 1
        else "What grows beside compute is known for too few runs",
        subtitle=(
            "Growth a year along the selected runs, each quantity on the runs where it is known, with its "
            f"{wording.percent(parts['all'].level)} interval. Cost in dollars of 2023."
        ),
        emphasised=own,
        roles={row.label: "compute" if row is own else "context" for row in rows},
        source=source,
        first_column="Quantity",
    )


def sensitivity(
    cases: Sequence[Choice],
    *,
    source: str,
    level: float,
) -> Exhibit:
    """Return the factors under every choice of leading runs and window, a row each, this view's first."""
    marks: list[Mark] = []
    ends = [1.0]
    rows = tuple(float(row) for row in range(len(cases), 0, -1))
    for name in FACTORS:
        values = tuple(parts[name].yearly_growth for _, parts in cases)
        ends += values
        details = tuple(
            (
                f"{wording.times(parts[name].yearly_growth)} a year, n = {parts[name].n}",
                wording.at_level(
                    level, low=wording.times(parts[name].low), high=wording.times(parts[name].high)
                ),
            )
            for _, parts in cases
        )
        marks.append(
            Points(
                series=LABELS[name],
                role=ROLES[name],
                x=values,
                y=rows,
                names=tuple(label for label, _ in cases),
                details=details,
                marked=((0, SHORT[name]),),
            )
        )
    spans = {name: [parts[name].yearly_growth for _, parts in cases] for name in FACTORS}
    title = (
        f"Across other choices: chips {_range(spans['chips'])} a year, time {_range(spans['time'])}, "
        f"FLOP/s per chip {_range(spans['flop_per_s_per_chip'])}"
    )
    return Exhibit(
        chart=XYChart(
            title=title,
            subtitle="Growth a year of each factor: this view at the top, then the same view with one choice changed.",
            alt=f"{title}; utilization {_range(spans['utilization'])}.",
            source=source,
            x=linear_axis("Growth a year", ends, word=wording.factor_tick),
            y=Axis(
                title="",
                low=0.5,
                high=len(cases) + 0.8,
                ticks=tuple(
                    Tick(value=row, label=label) for row, (label, _) in zip(rows, cases, strict=True)
                ),
            ),
            marks=tuple(marks),
        ),
        table=table(_columns(), cases),
    )


def _columns() -> tuple[Getter[Choice], ...]:
    """Return the columns of a table of cases: the growth of compute, and of each factor with its interval."""

    def factor(name: str) -> Iterator[Getter[Choice]]:
        label = SHORT[name]
        yield column(
            f"{name}_growth", lambda choice: choice[1][name].yearly_growth, label=label, unit="x/year"
        )
        yield column(f"{name}_low", lambda choice: choice[1][name].low, label=f"{label}, low", unit="x/year")
        yield column(
            f"{name}_high", lambda choice: choice[1][name].high, label=f"{label}, high", unit="x/year"
        )

    named: Getter[Choice] = column("choice", lambda choice: choice[0], label="Choice", kind="text")
    total: Getter[Choice] = column(
        "total", lambda choice: choice[1]["total"].yearly_growth, label="Compute", unit="x/year"
    )
    n: Getter[Choice] = column("n", lambda choice: choice[1]["total"].n, label="Runs")
    return (named, total, *(getter for name in FACTORS for getter in factor(name)), n)


def _range(values: Sequence[float]) -> str:
    return wording.interval(wording.times(min(values)), wording.times(max(values)))
