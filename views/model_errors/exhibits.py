"""Charts of errors by group, of predictions against measurements, and of blind tests."""

import math
from collections.abc import Iterator, Sequence

from analysis.model_errors.comparison import Comparison
from charts.chart import Bar, Line, Points, Role
from data import records
from data.records import Prediction
from views import wording, written
from views.axes import log_axis
from views.exhibits import ValueAxis, bar_exhibit, bars_exhibit, xy_exhibit
from views.model_errors.answer import Answer, Group, chip_of, source_title
from views.model_errors.settings import named
from views.model_errors.words import TEXTS, address, percent, rows_range, signed, source_line
from views.result import Exhibit
from views.table import Getter, stated_columns, table

FAR = 2.0
"""Factor between prediction and measurement above which a point has the other colour. [1]"""
LABELLED = 3
MOST, FURTHEST = 700, 300
"""Maximum number of points, and number of those with the largest errors. The others are sampled."""

_COLUMNS = written.toml(__file__, name="columns.toml")
ERROR_COLUMNS: tuple[Getter[Group], ...] = stated_columns(_COLUMNS["errors"])
ROW_COLUMNS: tuple[Getter[Comparison], ...] = stated_columns(
    _COLUMNS["rows"],
    software_date=lambda row: None if math.isnan(row.software_date) else round(row.software_date, 2),
    inside=lambda row: "yes" if row.inside else "no",
    source=source_title,
    locator=address,
)
PREDICTION_COLUMNS: tuple[Getter[Prediction], ...] = stated_columns(
    _COLUMNS["predictions"], inside=lambda row: "yes" if row.is_inside else "no"
)


def error_exhibit(answer: Answer, *, title: str, source: str) -> Exhibit:
    """Return an exhibit of each group's median error. Its table also has each group's bias and 90% range."""

    def bar(group: Group) -> Bar:
        errors = group.errors
        return Bar(
            label=group.name,
            value=100 * errors.size,
            text=f"{percent(errors.size)}, {wording.counted(errors.sources, 'source')}",
            role="context" if group.pooled else "compute",
            detail=(
                f"Median bias {signed(errors.bias)}, {wording.counted(errors.rows, 'row')}",
                rows_range(errors),
                f"{wording.share(errors.inside)} covered by 90% intervals",
            ),
        )

    sizes = "; ".join(
        f"{group.name}: median error {percent(group.errors.size)} over "
        f"{wording.counted(group.errors.rows, 'row')}"
        for group in answer.drawn
    )
    return bar_exhibit(
        answer.drawn,
        bar,
        title=title,
        subtitle="Each source has a median absolute error; each bar is the median over sources.",
        alt=f"{title}. {sizes}.",
        source=source,
        axis=ValueAxis(title="Median absolute error [%]", word=lambda value: f"{value:g}%", span=(0.0,)),
        columns=ERROR_COLUMNS,
        listed=answer.groups,
    )


def rows_exhibit(answer: Answer) -> Exhibit:
    """Return an exhibit of each row's prediction against its measurement."""
    rows = answer.rows
    furthest = sorted(rows, key=lambda row: (-abs(math.log(row.ratio)), row.model, row.row_id))
    beyond = sum(row.factor_off > FAR for row in rows)
    are = "is" if beyond == 1 else "are"
    predictions = wording.counted(len(rows), "prediction")
    title = f"{f'{beyond:,} of {predictions} {are}' if beyond else 'No prediction is'} off by more than a factor of two"
    drawn = _drawn(furthest)
    thinned = (
        f" The chart shows {len(drawn):,} points; the table lists all." if len(drawn) < len(rows) else ""
    )
    high, low = answer.directions
    units = {row.unit for row in rows}
    unit = f" [{units.pop()}]" if len(units) == 1 else ", each in its own unit"
    values = [value for row in rows for value in (row.measured, row.predicted)]
    ends = min(values), max(values)
    of_chip: dict[str, Comparison] = {}
    for row in furthest:
        of_chip.setdefault(chip_of(row), row)

    def factor(times: float, label: str) -> Line:
        heights = tuple(end * times for end in ends)
        return Line(series=label, role="context", x=ends, y=heights, dash="dotted", end_label=(label,))

    return xy_exhibit(
        (
            factor(FAR, f"{FAR:g}× too {high}"),
            factor(1.0, "As measured"),
            factor(1 / FAR, f"{FAR:g}× too {low}"),
            _points("Within a factor of two", "compute", rows=[r for r in drawn if r.factor_off <= FAR]),
            _points(
                "Beyond a factor of two",
                "memory",
                rows=[r for r in drawn if r.factor_off > FAR],
                labelled=list(of_chip.values())[:LABELLED],
            ),
        ),
        title=title,
        subtitle=f"Each point is a measurement; above the middle line, the prediction is too {high}.{thinned}",
        alt=f"{title}. The largest error is that of {furthest[0].case} on {chip_of(furthest[0])}, "
        f"{signed(furthest[0].error)}.",
        source=source_line(answer),
        x=log_axis(f"Measured{unit}", ends, word="{:,g}".format),
        y=log_axis(f"Predicted{unit}", ends, word="{:,g}".format),
        numbers=table(ROW_COLUMNS, furthest),
        section="finding",
    )


def _drawn(furthest: Sequence[Comparison]) -> list[Comparison]:
    """Return the rows to draw, in recorded order. If there are many rows, those with small errors are sampled."""
    drawn = list(furthest[:FURTHEST] if len(furthest) > MOST else furthest)
    if len(furthest) > MOST:
        others, room = furthest[FURTHEST:], MOST - FURTHEST
        drawn += [others[place * len(others) // room] for place in range(room)]
    return sorted(drawn, key=lambda row: (row.model, row.row_id))


def _points(
    name: str, role: Role, *, rows: Sequence[Comparison], labelled: Sequence[Comparison] = ()
) -> Points:
    return Points(
        series=name,
        role=role,
        x=tuple(row.measured for row in rows),
        y=tuple(row.predicted for row in rows),
        names=tuple(f"{chip_of(row)}: {row.case}" for row in rows),
        details=tuple(map(_details, rows)),
        marked=tuple((rows.index(row), chip_of(row)) for row in labelled if row in rows),
    )


def _details(row: Comparison) -> tuple[str, ...]:
    what = [wording.sentence_case(named(row.model)), row.kind, row.engine, row.held_out_by]
    return (
        f"{wording.significant(row.measured, 3)} {row.unit} measured",
        f"{wording.significant(row.predicted, 3)} predicted, {signed(row.error)}",
        ", ".join(filter(None, what)),
    )


def predictions_exhibit(release: str) -> Exhibit:
    """Return an exhibit of each blind prediction with its interval and any later measurement."""
    rows = records.predictions()
    known = [row for row in rows if row.measured_tokens_per_s is not None]
    met = sum(row.is_inside for row in known)
    title = f"{met} of {len(known)} intervals stated in advance covered the measured speed"
    return bars_exhibit(
        tuple(bar for row in rows for bar in _prediction_bars(row)),
        title=title,
        subtitle=TEXTS["predicted"].format(row=rows[0], level=wording.percent(rows[0].level)),
        source=TEXTS["predictions"].format(release=release),
        axis=ValueAxis(title="Tokens a second of one chip", word=lambda value: f"{value:,g}", log=True),
        dots=True,
        numbers=table(PREDICTION_COLUMNS, rows),
        section="sure",
    )


def _prediction_bars(row: Prediction) -> Iterator[Bar]:
    name = wording.sentence_case(row.case.partition(", ")[2])
    yield Bar(
        label=f"{name}: predicted",
        value=row.predicted_tokens_per_s,
        low=row.predicted_low_tokens_per_s,
        high=row.predicted_high_tokens_per_s,
        text=wording.significant(row.predicted_tokens_per_s),
        role="compute",
        detail=(row.assumed, f"{row.made_with}, {row.predicted_on}"),
    )
    if row.measured_tokens_per_s is not None:
        yield Bar(
            label=f"{name}: measured",
            value=row.measured_tokens_per_s,
            text=wording.significant(row.measured_tokens_per_s),
            role="memory",
            emphasised=True,
            detail=(row.measured_by,),
        )
