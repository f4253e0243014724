"""What number does a view, or a published table, give for a short expression such as `a / "row".column`?"""

import re
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from urllib.parse import parse_qsl, urlencode

from analysis.claims.verdict import Measured
from data import contract, standing
from data.by_release import kept_by_release
from data.releases import Release
from views import accelerators, overview, training_compute
from views.compute_to_memory import view as compute_to_memory
from views.cost_of_bandwidth import view as cost_of_bandwidth
from views.cost_of_tokens import view as cost_of_tokens
from views.data_tables import view as data_tables
from views.fleet import view as fleet
from views.growth_accounting import view as growth_accounting
from views.growth_gap import view as growth_gap
from views.in_practice import view as in_practice
from views.latency_floor import view as latency_floor
from views.placement import view as placement
from views.result import Result
from views.techniques import view as techniques
from views.training_run import view as training_run
from views.view import View, answer, read, split

TESTING: Mapping[str, View] = MappingProxyType(
    {
        view.path: view
        for view in (
            overview.VIEW,
            growth_gap.VIEW,
            compute_to_memory.VIEW,
            cost_of_bandwidth.VIEW,
            training_compute.VIEW,
            accelerators.VIEW,
            fleet.VIEW,
            growth_accounting.VIEW,
            training_run.VIEW,
            cost_of_tokens.VIEW,
            latency_floor.VIEW,
            placement.VIEW,
            techniques.VIEW,
            in_practice.VIEW,
            data_tables.VIEW,
        )
    }
)
"""The views that test statements, by path."""

MODELS = ("/training-run", "/cost-of-tokens", "/latency-floor", "/techniques", "/placement")
"""Views whose numbers come from a model of hardware and work, not from rows."""

_TERM = re.compile(
    r'"(?P<row>[^"]+)"\.(?P<column>[a-z0-9_]+)|(?P<figure>[a-z][a-z0-9_]*)'
    r"|(?P<number>[0-9]+(?:\.[0-9]+)?(?:e[0-9]+)?)"
)

Lookup = Callable[[str, str], Measured]


class Missing(LookupError):  # noqa: N818 - the reader's word for it
    """A view or table has no such number at this release; the text says which."""


def measured(measure: str, *, at: str, release: Release) -> Measured:
    """Return the number that an expression gives at a view's link or in a published table.

    ``measure`` adds and multiplies figures (``yearly_growth``), cells (``"row".column``, the row by its first
    columns, joined with " / ") and plain numbers, none below zero. ``at`` is a link such as
    ``/growth-gap?since=2018`` or the name of a table such as ``published``, its rows named by their key.

    Raises
    ------
    Missing
        No such figure, row or number at this release.
    ValueError
        An expression that cannot be read, an unknown view, or a link with parts that would be ignored.
    """
    if at.startswith("/"):
        result = _result(at, release)
        return _value(measure, lambda row, column: _of_view(result, row=row, column=column))
    return _value(measure, lambda row, column: _published(at, row=row, column=column))


def divided(one: Measured, other: Measured) -> Measured:
    """Return one number over another, such as the same figure at a second link; intervals end by end.

    Raises
    ------
    Missing
        The other reaches down to zero.
    """
    return _joined(one, other, divide=True, what="the number it is divided by")


def pinned_link(at: str, *, release: Release) -> str:
    """Return a view's link, spelled out for an address, with the release; empty for a published table."""
    path, query = split(at)
    if not at.startswith("/"):
        return ""
    frozen = _frozen(path, release)
    pinned = {"release": frozen} if frozen else {}
    query = urlencode({**dict(parse_qsl(query)), **pinned})
    return f"{path}?{query}" if query else path


def _result(at: str, release: Release) -> Result:
    path, query = split(at)
    if path not in TESTING:
        raise ValueError(f"statements are tested by the views {', '.join(TESTING)}; got {at!r}.")
    frozen = _frozen(path, release)
    settings, ignored = read(TESTING[path], f"{query}&release={frozen or release.stands_on}")
    if ignored:
        raise ValueError(f"the link {at!r} has a part that is not used: {ignored[0].sentence}")
    return answer(TESTING[path], settings, release=None if frozen else release)


def _frozen(path: str, release: Release) -> str:
    """Return the frozen release that a view is asked at, empty if it is to read a reader's own rows.

    Models of hardware and work always stand on a frozen release: a reader's export does not change them.
    """
    if release.origin == "curated":
        return release.name
    return release.stands_on if path in MODELS else ""


def _value(measure: str, lookup: Lookup) -> Measured:
    """Return the sum of products; intervals are taken end by end, which never makes them too narrow."""
    products: list[Measured] = []
    place, sign = 0, " + "
    while True:
        term = _TERM.match(measure, place)
        if term is None:
            raise ValueError(_unclear(measure, place))
        number = _term(term, lookup)
        if sign == " + ":
            products.append(number)
        else:
            products[-1] = _joined(products[-1], number, divide=sign == " / ", what=term.group())
        place = term.end()
        if place == len(measure):
            return Measured(
                value=sum(item.value for item in products),
                low=sum(item.low for item in products),
                high=sum(item.high for item in products),
                level=next((item.level for item in products if item.level), None),
            )
        sign = measure[place : place + 3]
        if sign not in (" * ", " / ", " + "):
            raise ValueError(_unclear(measure, place))
        place += 3


def _joined(one: Measured, other: Measured, *, divide: bool, what: str) -> Measured:
    level = one.level or other.level
    if divide and other.low <= 0:
        raise Missing(f"{what} is not above zero")
    low, high = (other.high, other.low) if divide else (other.low, other.high)
    ends = [one.value, one.low, one.high]
    by = [other.value, low, high]
    value, low, high = (
        end / factor if divide else end * factor for end, factor in zip(ends, by, strict=True)
    )
    return Measured(value=value, low=low, high=high, level=level)


def _unclear(measure: str, place: int) -> str:
    return (
        f'a measure reads like figure * "row".column / 2e9; got {measure!r}, which is not clear from '
        f"place {place}."
    )


def _term(term: re.Match[str], lookup: Lookup) -> Measured:
    if term.group("number"):
        number = float(term.group("number"))
        return Measured(value=number, low=number, high=number)
    return lookup(term.group("row") or "", term.group("column") or term.group("figure"))


def _exact(value: object, *, what: str) -> float:
    if not isinstance(value, float | int) or isinstance(value, bool) or value != value:
        raise Missing(f"{what} is not known")
    return float(value)


def _of_view(result: Result, *, row: str, column: str) -> Measured:
    if not row:
        figure = next((figure for figure in result.figures if figure.name == column), None)
        if figure is None or figure.value is None:
            raise Missing(f"/{result.view} has no figure {column} at this release")
        value = figure.value
        return Measured(
            value=value,
            low=value if figure.low is None else figure.low,
            high=value if figure.high is None else figure.high,
            level=figure.level,
        )
    for exhibit in result.exhibits:
        names = [item.name for item in exhibit.table.columns]
        if column not in names:
            continue
        width = row.count(" / ") + 1
        for cells in exhibit.table.rows:
            if _name(cells[:width]) == row:
                line = dict(zip(names, cells, strict=True))
                value = _exact(line[column], what=f"{column} of {row}")
                if column != "yearly_growth" or not isinstance(line.get("low"), float):
                    return Measured(value=value, low=value, high=value)
                ends = [_exact(line[end], what=f"{end} of {row}") for end in ("low", "high")]
                return Measured(value=value, low=ends[0], high=ends[1])
    raise Missing(f"/{result.view} has no {column} of {row} at this release")


def _name(cells: Iterable[object]) -> str:
    """Return what a row is called: its first cells, numbers without point and exponent."""
    return " / ".join(f"{cell:.0f}" if isinstance(cell, float) else str(cell) for cell in cells)


@kept_by_release(32)
def _keyed(table: str) -> Mapping[str, Mapping[str, object]]:
    """Return the rows of a published table by their key, numbers without exponent."""
    frame = standing.table(table)
    key = contract.schema(table)["primaryKey"]
    names = [key] if isinstance(key, str) else list(key)
    rows: dict[str, Mapping[str, object]] = {}
    for line in frame.to_dict("records"):
        cells = (line[name] for name in names)
        rows[_name(cells)] = {str(name): cell for name, cell in line.items()}
    return rows


def _published(table: str, *, row: str, column: str) -> Measured:
    if not table.startswith("published"):
        raise ValueError(f"a measure is taken at a view's link or a published table; got {table!r}.")
    line = _keyed(table).get(row)
    if line is None or column not in line:
        raise Missing(f"the table {table} has no {column} of {row or 'no row'}")
    value = _exact(line[column], what=f"{column} of {row}")
    return Measured(value=value, low=value, high=value)
