"""Growth taken apart, compared: with what grows beside compute, and under other choices of runs and years."""

from collections.abc import Mapping, Sequence

from analysis.growth_accounting import Part
from analysis.trend.rule_spread import SpreadRow
from charts.chart import Axis, Line, Mark, Points, Tick, XYChart
from views import wording
from views.axes import linear_axis
from views.growth_accounting.charts import ROLES, SHORT
from views.growth_accounting.figures import BESIDE, LABELS
from views.result import Column, Exhibit, Table
from views.runs.parts import FACTORS
from views.trend import rates


def beside(found: Mapping[str, Part], *, source: str) -> Exhibit:
    """Return how fast cost, power, parameters and data of the selected runs grow, with compute."""
    names = {name: label for name, (_, label) in BESIDE.items() if name in found}
    kept = {"all": "Training compute", **names}
    rows = sorted(
        (
            SpreadRow(
                label=label,
                yearly_growth=found[name].yearly_growth,
                low=found[name].low,
                high=found[name].high,
                n=found[name].n,
            )
            for name, label in kept.items()
        ),
        key=lambda row: -row.yearly_growth,
    )
    own = next(row for row in rows if row.label == "Training compute")
    told = [f"{label.lower()} {wording.times(found[name].yearly_growth)}" for name, label in names.items()]
    title = "Beside compute grow " + (" and ".join([", ".join(told[:-1]), told[-1]]) if len(told) > 1 else "")
    return rates.rates_exhibit(
        rows,
        title=f"{title} a year" if len(told) > 1 else "What grows beside compute is known for too few runs",
        subtitle=(
            "Growth a year along the selected runs, each quantity on the runs where it is known, with its "
            f"{wording.percent(found['all'].level)} interval. Cost in dollars of 2023."
        ),
        emphasised=own,
        roles={row.label: "compute" if row is own else "context" for row in rows},
        source=source,
        first_column="Quantity",
    )


def sensitivity(
    cases: Sequence[tuple[str, Mapping[str, Part]]],
    *,
    source: str,
    level: float,
) -> Exhibit:
    """Return the factors under every choice of leading runs and window, this view's first."""
    marks: list[Mark] = []
    ends = [1.0]
    places = tuple(float(place) for place in range(1, len(cases) + 1))
    for name in FACTORS:
        values = tuple(parts[name].yearly_growth for _, parts in cases)
        ends += values
        details = tuple(
            (
                f"{wording.times(parts[name].yearly_growth)} a year, n = {parts[name].n}",
                wording.at_level(level, wording.times(parts[name].low), wording.times(parts[name].high)),
            )
            for _, parts in cases
        )
        marks.append(
            Line(
                series=f"{LABELS[name]} ",
                role=ROLES[name],
                x=places,
                y=values,
                dash="dotted",
                end_label=(SHORT[name],),
            )
        )
        marks.append(
            Points(
                series=LABELS[name],
                role=ROLES[name],
                x=places,
                y=values,
                names=tuple(label for label, _ in cases),
                details=details,
            )
        )
    spans = {name: [parts[name].yearly_growth for _, parts in cases] for name in FACTORS}
    title = (
        f"Whichever runs and years: chips {_range(spans['chips'])} a year, time {_range(spans['time'])}, "
        f"FLOP/s per chip {_range(spans['flop_per_s_per_chip'])}"
    )
    return Exhibit(
        chart=XYChart(
            title=title,
            subtitle="Growth a year of each factor: this view first, then the same view with one choice changed.",
            alt=f"{title}; utilization {_range(spans['utilization'])}.",
            source=source,
            x=Axis(
                title="",
                low=0.5,
                high=len(cases) + 0.5 + 0.16 * len(cases),
                ticks=tuple(
                    Tick(value=place, label=label) for place, (label, _) in zip(places, cases, strict=True)
                ),
            ),
            y=linear_axis("Growth a year", ends, wording.times),
            marks=tuple(marks),
        ),
        table=Table(
            columns=(
                Column(name="choice", label="Choice", kind="text"),
                Column(name="total", label="Compute", unit="x/year"),
                *(
                    Column(name=f"{name}{end}", label=f"{SHORT[name]}{words}", unit="x/year")
                    for name in FACTORS
                    for end, words in (("_growth", ""), ("_low", ", low"), ("_high", ", high"))
                ),
                Column(name="n", label="Runs"),
            ),
            rows=tuple(
                (
                    label,
                    parts["total"].yearly_growth,
                    *(
                        value
                        for name in FACTORS
                        for value in (parts[name].yearly_growth, parts[name].low, parts[name].high)
                    ),
                    parts["total"].n,
                )
                for label, parts in cases
            ),
        ),
    )


def _range(values: Sequence[float]) -> str:
    return wording.interval(wording.times(min(values)), wording.times(max(values)))
