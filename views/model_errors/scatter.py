"""Predicted against measured, row by row, and the table of rows, the furthest off first."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from charts.chart import Line, Mark, Points, Role, XYChart
from data import sources
from views import wording
from views.axes import log_axis
from views.model_errors import words
from views.model_errors.compared import Compared
from views.model_errors.groups import chip_of, key_of
from views.result import Exhibit
from views.table import Getter, column, table

ROLES: dict[Role, str] = {"compute": "blue", "memory": "orange", "edge": "purple", "links": "green"}
"""What series are drawn in, the one of most rows first, and the colour of each."""
OTHER: Role = "context"
OTHER_COLOUR = "grey"
LABELLED = 3
MOST, FURTHEST = 700, 300
"""So many points are drawn at most; of them so many are the furthest off, the rest an even choice of the others."""

COLUMNS: tuple[Getter[Compared], ...] = (
    column("model", lambda row: row.model, label="Predicts", kind="text"),
    column("case", lambda row: row.case, label="Case", kind="text"),
    column("accelerator", lambda row: row.accelerator, label="Chip", kind="text"),
    column("kind", lambda row: row.kind, label="Class", kind="text"),
    column("engine", lambda row: row.engine, label="Engine", kind="text"),
    column(
        "software_date",
        lambda row: None if math.isnan(row.software_date) else round(row.software_date, 2),
        label="Software date",
        unit="year",
        kind="year",
    ),
    column("measured", lambda row: row.measured, label="Measured"),
    column("predicted", lambda row: row.predicted, label="Predicted"),
    column("low", lambda row: row.low, label="90 % interval from"),
    column("high", lambda row: row.high, label="90 % interval to"),
    column("unit", lambda row: row.unit, label="Unit", kind="text"),
    column("error", lambda row: row.error, label="Error", unit="1"),
    column("inside", lambda row: "yes" if row.inside else "no", label="Inside", kind="text"),
    column("way", lambda row: row.way, label="How it set nothing", kind="text"),
    column("architecture", lambda row: row.architecture, label="Language model", kind="text"),
    column("row_id", lambda row: row.row_id, label="Row", kind="text"),
    column(
        "source",
        lambda row: str(sources.rows().get(row.source_id, {}).get("title", row.source_id)),
        label="Source",
        kind="text",
    ),
    column("locator", words.address, label="Place in the source", kind="link"),
)


def furthest_first(rows: Sequence[Compared]) -> list[Compared]:
    """Return the rows by how many times they are off, in either direction."""
    return sorted(rows, key=lambda row: (-abs(math.log(row.ratio)), row.model, row.row_id))


def rows_exhibit(rows: Sequence[Compared], *, by: str, source: str) -> Exhibit:
    """Return every row as a point, predicted against measured, with the table of rows."""
    furthest = furthest_first(rows)
    beyond = sum(max(row.ratio, 1 / row.ratio) > 2 for row in rows)
    title = (
        f"{beyond:,} of {wording.counted(len(rows), 'prediction')} are off by more than a factor of two"
        if beyond
        else "No prediction is off by more than a factor of two"
    )
    drawn = _drawn(furthest)
    thinned = (
        f" Drawn: {len(drawn):,} of {len(rows):,} rows, the {FURTHEST} furthest off among them; the table has all."
        if len(drawn) < len(rows)
        else ""
    )
    high, low = words.too(rows)
    units = list(dict.fromkeys(row.unit for row in rows))
    unit = f" [{units[0]}]" if len(units) == 1 else ", each in its own unit"
    ends = [
        min(min(row.measured, row.predicted) for row in rows),
        max(max(row.measured, row.predicted) for row in rows),
    ]
    marks: list[Mark] = [
        Line(
            series="Predicted as measured",
            role="context",
            x=(ends[0], ends[1]),
            y=(ends[0], ends[1]),
            dash="dotted",
        )
    ]
    names = [key_of(by)(row) for row in drawn]
    common = [name for name, _ in Counter(names).most_common()]
    drawn_in = dict(zip(common, (*ROLES, OTHER), strict=False))
    if len(common) > len(drawn_in):
        drawn_in.pop(common[len(ROLES)])
    of_chip: dict[str, Compared] = {}
    for row in furthest:
        of_chip.setdefault(chip_of(row), row)
    labelled = list(of_chip.values())[:LABELLED]
    series: dict[str, tuple[Role, list[Compared]]] = {name: (role, []) for name, role in drawn_in.items()}
    for row, name in zip(drawn, names, strict=True):
        series.setdefault(name if name in drawn_in else "Others", (OTHER, []))[1].append(row)
    marks += [_points(name, role, rows=part, labelled=labelled) for name, (role, part) in series.items()]

    def word(value: float) -> str:
        return f"{value:,g}"

    return Exhibit(
        chart=XYChart(
            title=title,
            subtitle=f"Each point is a measured row; above the dotted line the prediction is too {high}, below too "
            f"{low}. {_key(series)}.{thinned}",
            alt=f"{title}. The furthest off is {furthest[0].case} on {chip_of(furthest[0])}, "
            f"{words.signed(furthest[0].error)}.",
            source=source,
            x=log_axis(f"Measured{unit}", ends, word=word),
            y=log_axis(f"Predicted{unit}", ends, word=word),
            marks=tuple(marks),
        ),
        table=table(COLUMNS, furthest),
        section="finding",
    )


def _drawn(furthest: Sequence[Compared]) -> list[Compared]:
    """Return the rows that are drawn, in the order of the record: all, or the furthest off and evenly chosen others."""
    if len(furthest) <= MOST:
        return _in_order(furthest)
    others = furthest[FURTHEST:]
    room = MOST - FURTHEST
    return _in_order([*furthest[:FURTHEST], *(others[place * len(others) // room] for place in range(room))])


def _in_order(rows: Sequence[Compared]) -> list[Compared]:
    return sorted(rows, key=lambda row: (row.model, row.row_id))


def _key(series: Mapping[str, tuple[Role, Sequence[Compared]]]) -> str:
    """Return which colour is which, without a full stop: Decode (blue); Prompts (orange)."""
    return "; ".join(f"{name} ({ROLES.get(role, OTHER_COLOUR)})" for name, (role, _) in series.items())


def _points(name: str, role: Role, *, rows: Sequence[Compared], labelled: Sequence[Compared]) -> Points:
    return Points(
        series=name,
        role=role,
        x=tuple(row.measured for row in rows),
        y=tuple(row.predicted for row in rows),
        names=tuple(f"{chip_of(row)}: {row.case}" for row in rows),
        details=tuple(
            (
                f"{wording.significant(row.measured, 3)} {row.unit} measured",
                f"{wording.significant(row.predicted, 3)} predicted, {words.signed(row.error)}",
                ", ".join(filter(None, [row.kind, row.engine, row.way])),
            )
            for row in rows
        ),
        marked=tuple((rows.index(row), chip_of(row)) for row in labelled if row in rows),
    )
