"""Charts of the decomposition: its factors as steps, beside other quantities, and under other choices."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from analysis.growth_accounting import FACTORS, PartGrowth, Step, steps
from analysis.trend.rule_spread import SpreadRow
from charts.chart import Axis, Line, Mark, Points, Span, Tick
from views import wording
from views.exhibits import GROWTH_AXIS, ValueAxis, interval_columns, xy_exhibit
from views.growth_accounting.figures import BESIDE, WORDS
from views.result import Exhibit, Table
from views.table import Getter, column, table
from views.trend import rates

Choice = tuple[str, Mapping[str, PartGrowth]]
"""Label of a choice of runs and years, and each part's growth under it."""
RISER = 0.3
"""Horizontal distance between the vertical line and the dot of a step. [steps]"""


def staircase(parts: Mapping[str, PartGrowth], *, headline: str, source: str, numbers: Table) -> Exhibit:
    """Return an exhibit of the factors in a year's growth as steps on a log axis."""
    level = wording.percent(parts["total"].level)
    taken = steps(parts, factors=FACTORS, total="total")
    ticks = tuple(
        Tick(value=place, label=WORDS[step.name].on_axis) for place, step in enumerate(taken, start=1)
    )
    return xy_exhibit(
        [
            mark
            for place, step in enumerate(taken, start=1)
            for mark in _step(step, parts[step.name], place=place)
        ],
        title=headline,
        subtitle=(
            f"Each step multiplies the growth of the steps before it; the thin line is the step's {level} interval. "
            "“Per chip” means FLOP/s per chip."
        ),
        alt=f"{headline}: four steps from 1× to {wording.times(parts['total'].value)} a year.",
        source=source,
        x=Axis(title="", low=0.4, high=len(taken) + 0.6, ticks=ticks),
        y=ValueAxis(title="Cumulative growth a year", word=wording.factor_tick, log=True, span=(1.0,)),
        numbers=numbers,
    )


def _step(step: Step, part: PartGrowth, *, place: int) -> Iterator[Mark]:
    """Yield the marks of a step: its lines, its interval and its dot."""
    role, rate = WORDS[step.name].role, wording.times(part.value)
    whole, label = step.name == "total", WORDS[step.name].label
    text = (f"{rate} a year", _interval(part))
    if not whole:
        yield Line(
            series=label,
            role=role,
            x=(place - RISER, place - RISER, float(place)),
            y=(step.start, step.top, step.top),
            hover=(text[0],) * 3,
        )
        yield Line(
            series=f"Up to {WORDS[step.name].within}",
            role="context",
            dash="dotted",
            faded=True,
            x=(float(place), place + 1 - (RISER if place < len(FACTORS) else 0)),
            y=(step.top, step.top),
            hover=(f"{wording.times(step.top)} a year so far",) * 2,
        )
    yield Span(x=float(place), low=step.low, high=step.high, label=(rate,))
    yield Points(series=label, role=role, x=(float(place),), y=(step.top,), names=(label,), details=(text,))


def _interval(part: PartGrowth) -> str:
    return wording.at_level(part.level, low=wording.times(part.low), high=wording.times(part.high))


def beside(parts: Mapping[str, PartGrowth], *, source: str) -> Exhibit:
    """Return an exhibit of the runs' growth in cost, power, parameters and data, beside their growth in compute."""
    labels = {"all": "Training compute"} | {
        name: label for name, (_, label) in BESIDE.items() if name in parts
    }
    rows = sorted(
        (SpreadRow.of(parts[name], label=label, n=parts[name].n) for name, label in labels.items()),
        key=lambda row: -row.value,
    )
    own = next(row for row in rows if row.label == "Training compute")
    growths = [f"{wording.times(row.value)} for {row.label.lower()}" for row in rows if row is not own][:3]
    return rates.rates_exhibit(
        rows,
        title=f"Yearly growth is {wording.listed(growths)}"
        if len(growths) > 1
        else "Too few runs report what grows beside compute",
        subtitle=(
            f"Each quantity's yearly growth, with its {wording.percent(parts['all'].level)} interval, is fitted on "
            "the selected runs that report the quantity. Cost is in 2023 dollars."
        ),
        emphasised=own,
        roles={row.label: "compute" if row is own else "context" for row in rows},
        source=source,
        first_column="Quantity",
    )


def sensitivity(cases: Sequence[Choice], *, source: str) -> Exhibit:
    """Return an exhibit of the factors under each choice of runs and start year."""
    rows = tuple(float(row) for row in range(len(cases), 0, -1))
    of_factor = {name: [parts[name] for _, parts in cases] for name in FACTORS}
    marks = [
        Points(
            series=WORDS[name].label,
            role=WORDS[name].role,
            x=tuple(part.value for part in parts),
            y=rows,
            names=tuple(label for label, _ in cases),
            details=tuple(
                (f"{wording.times(part.value)} a year, n = {part.n}", _interval(part)) for part in parts
            ),
            marked=((0, WORDS[name].short),),
        )
        for name, parts in of_factor.items()
    ]
    spans = {name: wording.factors(*(part.value for part in parts)) for name, parts in of_factor.items()}
    title = (
        f"Under other choices, chip count grows {spans['chips']} a year, training time {spans['time']} and FLOP/s "
        f"per chip {spans['flop_per_s_per_chip']}"
    )
    ticks = tuple(Tick(value=row, label=label) for row, (label, _) in zip(rows, cases, strict=True))
    return xy_exhibit(
        marks,
        title=title,
        subtitle="Each row shows the yearly growth of every factor. Every row except the first changes one choice.",
        alt=f"{title}; utilization {spans['utilization']}.",
        source=source,
        x=GROWTH_AXIS.over(value for mark in marks for value in mark.x),
        y=Axis(title="", low=0.5, high=len(cases) + 0.8, ticks=ticks),
        numbers=table(CHOICE_COLUMNS, cases),
        section="sure",
    )


def _of(name: str, end: str = "value") -> Callable[[Choice], float]:
    return lambda choice: getattr(choice[1][name], end)


CHOICE_COLUMNS: tuple[Getter[Choice], ...] = (
    column("choice", lambda choice: choice[0], label="Choice", kind="text"),
    column("total", _of("total"), label="Compute", unit="x/year"),
    *(
        getter
        for name in FACTORS
        for getter in (
            column(f"{name}_growth", _of(name), label=WORDS[name].short, unit="x/year"),
            *interval_columns(
                _of(name, "low"),
                _of(name, "high"),
                unit="x/year",
                names=(f"{name}_low", f"{name}_high"),
                labels=(f"{WORDS[name].short}, low", f"{WORDS[name].short}, high"),
            ),
        )
    ),
    column("n", lambda choice: choice[1]["total"].n, label="Runs"),
)
"""Columns of a table of choices: growth of compute and each factor."""
