"""Evaluation of short expressions such as `a / "row".column` on a view or a published table."""

import ast
import csv
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any
from urllib.parse import parse_qsl, urlencode

from analysis.claims.verdict import Measured
from data import contract, records, standing
from data.by_release import kept_by_release
from data.releases import Release
from views.result import Result
from views.view import View, answer, read, split

MODELS = ("/training-run", "/cost-of-tokens", "/latency-floor", "/techniques", "/placement")
"""Views whose numbers come from a model of hardware and work instead of rows."""

Lookup = Callable[[str, str], Measured]


class Missing(LookupError):  # noqa: N818 - the reader's word for it
    """Error for a number that a view or table lacks in a release. The message names the number."""


def views() -> Mapping[str, View]:
    """Return every view, keyed by address. Loaded on first use, because the list includes this view."""
    from views.registry import VIEWS

    return VIEWS


def measured(measure: str, *, at: str, release: Release) -> Measured:
    """Return the value of an expression at a view's link or in a published table.

    ``measure`` adds, multiplies and divides figures (``yearly_growth``), cells (``"row".column``) and plain numbers,
    none below zero. A row is named by its first columns, joined with " / ". ``at`` is a link such as
    ``/growth-gap?since=2018`` or the name of a table such as ``published``, whose rows are named by their key.

    Raises Missing if there is no such figure, row or number at this release; ValueError if the expression is invalid,
    the view is unknown, or parts of the link would be ignored.
    """
    if at.startswith("/"):
        result = _result(at, release)
        return _value(measure, lambda row, column: _of_view(result, row=row, column=column))
    return _value(measure, lambda row, column: _published(at, row=row, column=column))


def divided(one: Measured, other: Measured, *, what: str = "the number it is divided by") -> Measured:
    """Return the ratio of two numbers. Each of its bounds is a bound of ``one`` over the opposite bound of ``other``.

    Raises Missing if the interval of ``other``, named ``what`` in the message, includes zero.
    """
    if other.low <= 0:
        raise Missing(f"{what} is not above zero")
    return Measured(
        value=one.value / other.value,
        low=one.low / other.high,
        high=one.high / other.low,
        level=one.level or other.level,
    )


def pinned_link(at: str, *, release: Release) -> str:
    """Return a view's link, pinned to the release, with the settings in ``at``. Empty for a published table."""
    path, query = split(at)
    if not at.startswith("/"):
        return ""
    frozen = frozen_release(at, release)
    query = urlencode(dict(parse_qsl(query)) | ({"release": frozen} if frozen else {}))
    return f"{path}?{query}" if query else path


def frozen_release(at: str, release: Release) -> str:
    """Return the frozen release of a link or table. Empty if it uses a reader's own rows.

    Models of hardware and work and published figures use a frozen release: a reader's export does not change them.
    """
    if release.origin == "curated":
        return release.name
    return "" if at.startswith("/") and not at.startswith(MODELS) else release.stands_on


def _result(at: str, release: Release) -> Result:
    path, query = split(at)
    if path not in views():
        raise ValueError(f"statements are tested by the views {', '.join(views())}; got {at!r}.")
    frozen = frozen_release(at, release)
    settings, ignored = read(views()[path], f"{query}&release={frozen or release.stands_on}")
    if ignored:
        raise ValueError(f"the link {at!r} has a part that is not used: {ignored[0].sentence}")
    return answer(views()[path], settings, release=None if frozen else release)


def _value(measure: str, lookup: Lookup) -> Measured:
    """Return the value of an expression. Its interval is never too narrow."""
    unclear = f'a measure reads like figure * "row".column / 2e9; got {measure!r}.'
    try:
        expression = ast.parse(measure, mode="eval").body
    except SyntaxError:
        raise ValueError(unclear) from None

    def value_of(part: ast.expr) -> Measured:
        match part:
            case ast.Constant(value=int() | float() as number):
                return Measured(value=float(number), low=float(number), high=float(number))
            case ast.Name(id=figure):
                return lookup("", figure)
            case ast.Attribute(value=ast.Constant(value=str() as row), attr=column):
                return lookup(row, column)
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                what = ast.get_source_segment(measure, right) or ""
                return divided(value_of(left), value_of(right), what=what)
            case ast.BinOp(left=left, op=ast.Mult() | ast.Add() as sign, right=right):
                one, other = value_of(left), value_of(right)
                value, low, high = (
                    getattr(one, end) * getattr(other, end)
                    if isinstance(sign, ast.Mult)
                    else getattr(one, end) + getattr(other, end)
                    for end in ("value", "low", "high")
                )
                return Measured(value=value, low=low, high=high, level=one.level or other.level)
            case _:
                raise ValueError(unclear)

    return value_of(expression)


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
                low, high = (_exact(line[end], what=f"{end} of {row}") for end in ("low", "high"))
                return Measured(value=value, low=low, high=high)
    raise Missing(f"/{result.view} has no {column} of {row} at this release")


def _name(cells: Iterable[object]) -> str:
    """Return a row's name: its first cells, with numbers rounded to integers."""
    return " / ".join(f"{cell:.0f}" if isinstance(cell, float) else str(cell) for cell in cells)


@kept_by_release(32)
def _rows_by_key(table: str) -> Mapping[str, Mapping[str, object]]:
    """Return a published table's rows, keyed by their primary key. Numbers in keys are rounded to integers."""
    key = contract.schema(table)["primaryKey"]
    names = [key] if isinstance(key, str) else list(key)
    rows = standing.table(table).to_dict("records")
    return {_name(row[name] for name in names): {str(name): row[name] for name in row} for row in rows}


def _published(table: str, *, row: str, column: str) -> Measured:
    if not table.startswith("published"):
        raise ValueError(f"a measure is taken at a view's link or a published table; got {table!r}.")
    line = _rows_by_key(table).get(row)
    if line is None or column not in line:
        raise Missing(f"the table {table} has no {column} of {row or 'no row'}")
    value = _exact(line[column], what=f"{column} of {row}")
    return Measured(value=value, low=value, high=value)


FILE = records.FOLDER / "claim_tests.csv"

Key = tuple[str, str, int]
"""A release, a claim's number and the number of one of its tests."""


@cache
def on_record() -> Mapping[Key, Measured]:
    """Return every recorded number, keyed by release, claim and test."""
    with FILE.open(encoding="utf-8", newline="") as file:
        return {
            (row["release"], row["claim_id"], int(row["part"])): Measured(
                value=float(row["value"]),
                low=float(row["low"]),
                high=float(row["high"]),
                level=float(row["level"]) if row["level"] else None,
            )
            for row in csv.DictReader(file)
        }


def key_of(release: str, test: Any) -> Key:
    """Return the key in the record for a row of the table ``claim_tests``."""
    return release, test.claim_id, int(test.part)


def recorded(release: str, test: Any) -> Measured | None:
    """Return a test's recorded value at a frozen release. None if it is not recorded."""
    return on_record().get(key_of(release, test))


def is_on_record(release: str) -> bool:
    """Return whether a release's tests are recorded; those of a new release are not."""
    return any(recorded == release for recorded, _, _ in on_record())


def as_text(rows: Iterable[tuple[Key, Measured]]) -> str:
    """Return the record as CSV, in full precision."""
    cells = ((*key, *map(repr, (ours.value, ours.low, ours.high)), ours.level or "") for key, ours in rows)
    return records.text_of("recorded_claim_tests", cells)
