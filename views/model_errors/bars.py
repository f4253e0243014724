"""Error and bias by group about zero, and how often intervals hold by group about their level."""

from collections.abc import Sequence

from analysis.model_errors import LEVEL
from charts.chart import Axis, Bar, BarChart, Tick
from views import wording
from views.axes import linear_axis, log_axis
from views.model_errors import words
from views.model_errors.groups import Group
from views.result import Exhibit
from views.table import Getter, column, table

LEAST = 0.02
"""An error of −98 % and beyond is drawn there. [predicted over measured]"""

ERROR_COLUMNS: tuple[Getter[Group], ...] = (
    column("group", lambda group: group.name, label="Group", kind="text"),
    column("rows", lambda group: group.errors.rows, label="Rows"),
    column("left_out", lambda group: group.errors.groups, label="Chips, models or sources left out"),
    column("median_error", lambda group: group.errors.size, label="Median size of the error", unit="1"),
    column("bias", lambda group: group.errors.bias, label="Median error", unit="1"),
    column("low", lambda group: group.errors.low, label="Nine in ten from", unit="1"),
    column("high", lambda group: group.errors.high, label="Nine in ten to", unit="1"),
    column("inside", lambda group: group.errors.inside, label="Inside 90 % intervals", unit="1"),
)
COVERAGE_COLUMNS: tuple[Getter[Group], ...] = (
    column("group", lambda group: group.name, label="Group", kind="text"),
    column("rows", lambda group: group.errors.rows, label="Rows"),
    column("inside", lambda group: group.errors.inside, label="Inside 90 % intervals", unit="1"),
    column("inside_low", lambda group: group.errors.inside_low, label="By chance from", unit="1"),
    column("inside_high", lambda group: group.errors.inside_high, label="By chance to", unit="1"),
    column("verdict", lambda group: group.errors.verdict, label="Intervals are", kind="text"),
)


def _error_axis(groups: Sequence[Group], *, high: str) -> Axis:
    ends = [
        max(1 + end, LEAST)
        for group in groups
        for end in (group.errors.low, group.errors.high, group.errors.bias)
    ]
    axis = log_axis(
        f"Median error and nine in ten rows (right: too {high})",
        [*ends, 0.8, 1.25],
        word=lambda ratio: words.signed(ratio - 1),
    )
    places = (0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)
    near = (0.6, 0.8, 1, 1.25, 1.6) if axis.high / axis.low < 5 else places
    ticks = tuple(
        Tick(value=place, label=words.signed(place - 1)) for place in near if axis.low <= place <= axis.high
    )
    return Axis(title=axis.title, scale="log", low=axis.low, high=axis.high, ticks=ticks)


def error_exhibit(
    groups: Sequence[Group], *, every: Sequence[Group], title: str, directions: tuple[str, str], source: str
) -> Exhibit:
    """Return the median error of each group about zero, with where nine in ten errors lie; the table has ``every``."""
    high, low = directions
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle=f"Dot: median error; right of the line predictions are too {high}, left of it too {low}. "
            "Whiskers: nine in ten rows. Words: how far off half of the rows are, and how many there are.",
            alt=f"{title}. "
            + "; ".join(
                f"{group.name}: median error {words.percent(group.errors.size)} over "
                f"{wording.counted(group.errors.rows, 'row')}"
                for group in groups
            )
            + ".",
            source=source,
            x=_error_axis(groups, high=high),
            base=1.0,
            bars=tuple(
                Bar(
                    label=group.name,
                    value=max(1 + group.errors.bias, LEAST),
                    low=max(1 + group.errors.low, LEAST),
                    high=max(1 + group.errors.high, LEAST),
                    text=f"half within {words.percent(group.errors.size)}, {wording.counted(group.errors.rows, 'row')}",
                    role="context" if group.pooled else "compute",
                    detail=(
                        f"Median error {words.signed(group.errors.bias)}",
                        f"Nine in ten from {words.signed(group.errors.low)} to {words.signed(group.errors.high)}",
                        f"{words.share(group.errors.inside)} inside 90 % intervals",
                    ),
                )
                for group in groups
            ),
            dots=True,
        ),
        table=table(ERROR_COLUMNS, tuple(every)),
    )


def _aside(group: Group) -> str:
    return "" if group.errors.verdict == "as stated" else f", {group.errors.verdict}"


def coverage_exhibit(groups: Sequence[Group], *, every: Sequence[Group], source: str) -> Exhibit:
    """Return the share of rows inside their 90 % intervals by group, about 90 %; the table has ``every``."""
    narrow = [group for group in groups if group.errors.verdict == "too narrow"]
    stated = words.share(LEVEL)
    title = (
        f"{stated} intervals are too narrow in {len(narrow)} of {wording.counted(len(groups), 'group')}"
        if narrow
        else f"In no group do {stated} intervals hold clearly less than they state"
    )
    ends = [end for group in groups for end in (group.errors.inside_low, group.errors.inside_high)]
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle=f"Share of rows inside their {stated} interval; the line is {stated}. Whiskers: what chance may "
            "make of it, where rows of one chip, model or source count as one where they lie alike.",
            alt=f"{title}. "
            + "; ".join(f"{group.name}: {words.share(group.errors.inside)}" for group in groups)
            + ".",
            source=source,
            x=linear_axis(
                "Share of rows inside",
                [*(100 * end for end in ends), 100.0, 80.0],
                word=lambda value: f"{value:g} %",
            ),
            base=100 * LEVEL,
            bars=tuple(
                Bar(
                    label=group.name,
                    value=100 * group.errors.inside,
                    low=100 * group.errors.inside_low,
                    high=100 * group.errors.inside_high,
                    text=f"{words.share(group.errors.inside)}{_aside(group)}",
                    role="edge"
                    if group.errors.verdict == "too narrow"
                    else "context"
                    if group.pooled
                    else "compute",
                    detail=(wording.counted(group.errors.rows, "row"),),
                )
                for group in groups
            ),
            dots=True,
        ),
        table=table(COVERAGE_COLUMNS, tuple(every)),
        section="sure",
    )
