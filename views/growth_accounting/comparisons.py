"""Growth taken apart, compared: with what grows beside compute, and under other choices of runs and years."""

from collections.abc import Callable, Mapping, Sequence

from analysis.growth_accounting import PartGrowth
from charts.chart import Axis, Points, Tick
from views import wording
from views.exhibits import GROWTH_AXIS, interval_columns, xy_exhibit
from views.growth_accounting.figures import BESIDE, WORDS
from views.result import Exhibit
from views.runs.parts import FACTORS
from views.table import Getter, column, table
from views.trend import rates

Choice = tuple[str, Mapping[str, PartGrowth]]
"""A choice of runs and years by name, with the growth of the parts under it."""


def beside(parts: Mapping[str, PartGrowth], *, source: str) -> Exhibit:
    """Return how fast cost, power, parameters and data of the selected runs grow, with compute."""
    labels = {"all": "Training compute"} | {
        name: label for name, (_, label) in BESIDE.items() if name in parts
    }
    rows = sorted(
        (rates.row_of(parts[name], label=label) for name, label in labels.items()),
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
    marks: list[Points] = []
    rows = tuple(float(row) for row in range(len(cases), 0, -1))
    for name in FACTORS:
        values = tuple(parts[name].yearly_growth for _, parts in cases)
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
                series=WORDS[name].label,
                role=WORDS[name].role,
                x=values,
                y=rows,
                names=tuple(label for label, _ in cases),
                details=details,
                marked=((0, WORDS[name].short),),
            )
        )
    spans = {name: _range([parts[name].yearly_growth for _, parts in cases]) for name in FACTORS}
    title = (
        f"Across other choices: chips {spans['chips']} a year, time {spans['time']}, "
        f"FLOP/s per chip {spans['flop_per_s_per_chip']}"
    )
    ticks = tuple(Tick(value=row, label=label) for row, (label, _) in zip(rows, cases, strict=True))
    return xy_exhibit(
        marks,
        title=title,
        subtitle="Growth a year of each factor: this view at the top, then the same view with one choice changed.",
        alt=f"{title}; utilization {spans['utilization']}.",
        source=source,
        x=GROWTH_AXIS.over(value for mark in marks for value in mark.x),
        y=Axis(title="", low=0.5, high=len(cases) + 0.8, ticks=ticks),
        numbers=table(_columns(), cases),
    )


def _columns() -> tuple[Getter[Choice], ...]:
    """Return the columns of a table of cases: the growth of compute, and of each factor with its interval."""

    def growth(name: str) -> Callable[[Choice], float]:
        return lambda choice: choice[1][name].yearly_growth

    def factor(name: str) -> tuple[Getter[Choice], ...]:
        label = WORDS[name].short
        return (
            column(f"{name}_growth", growth(name), label=label, unit="x/year"),
            *interval_columns(
                lambda choice: choice[1][name].low,
                lambda choice: choice[1][name].high,
                unit="x/year",
                names=(f"{name}_low", f"{name}_high"),
                labels=(f"{label}, low", f"{label}, high"),
            ),
        )

    return (
        column("choice", lambda choice: choice[0], label="Choice", kind="text"),
        column("total", growth("total"), label="Compute", unit="x/year"),
        *(getter for name in FACTORS for getter in factor(name)),
        column("n", lambda choice: choice[1]["total"].n, label="Runs"),
    )


def _range(values: Sequence[float]) -> str:
    return wording.interval(wording.times(min(values)), wording.times(max(values)))
