"""Evaluation of short expressions such as `a / "row".column` on a view or a published table."""

import ast
import csv
import math
import operator
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any
from urllib.parse import parse_qsl, urlencode

from analysis.claims.verdict import Measured, of_parts
from analysis.model_errors.comparison import error_of_ratios, from_text
from analysis.training_run.pace import EIGHT_IN_TEN, NINE_IN_TEN
from data import contract, records, standing
from data.by_release import kept_by_release
from data.releases import Release
from views import written
from views.result import Result
from views.view import View, answer, read, split

MODELS = ("/training-run", "/cost-of-tokens", "/latency-floor", "/techniques", "/placement")
"""Views whose numbers come from a model of hardware and work instead of rows."""

MODEL_ERRORS = written.toml(__file__, name="model_errors.toml")
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

        def value(parts: Mapping[str, float]) -> Measured:
            return _value(measure, lambda row, column: _of_view(result, row=row, column=column, parts=parts))

        parts, error = _step_shares(result) if ".share" in measure else ({}, 0.0)
        return of_parts(lambda changed: value(changed).value, parts, error=error) if parts else value({})
    return _value(measure, lambda row, column: _published(at, row=row, column=column))


def _step_shares(result: Result) -> tuple[Mapping[str, float], float]:
    """Return the shares of a step's parts, and half the width of the 90% interval of the step's log time. [1]

    A view that does not split the time of a step has neither.
    """
    kind = MODEL_ERRORS.get(f"/{result.view}", {})
    step = next((figure for figure in result.figures if figure.name == kind.get("step")), None)
    if step is None or not step.low or not step.high:
        return {}, 0.0
    rows = (row for row in result.table.rows if row[0] not in kind["assumed"])
    shares = {str(row[0]): float(row[1]) for row in rows if isinstance(row[1], float)}
    return shares, math.log(step.high / step.low) / 2 * NINE_IN_TEN / EIGHT_IN_TEN


@cache
def ratio_error(path: str, measure: str) -> float:
    """Return the factor to either end of the 90% interval of a ratio of a model's predictions. 1 for other measures."""
    for rule in MODEL_ERRORS.get(path, {}).get("ratios", ()):
        if re.search(rule["measure"], measure):
            file = records.FOLDER / "model_errors" / rule["file"]
            rows = from_text(file.read_text(encoding="utf-8"))
            rows = [row for row in rows if row.model == rule["model"]]
            return math.exp(error_of_ratios(rows, same=rule["same"], differ=rule["differ"]))
    return 1.0


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
                return Measured.exactly(float(number))
            case ast.Name(id=figure):
                return lookup("", figure)
            case ast.Attribute(value=ast.Constant(value=str() as row), attr=column):
                return lookup(row, column)
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                what = ast.get_source_segment(measure, right) or ""
                return divided(value_of(left), value_of(right), what=what)
            case ast.BinOp(left=left, op=ast.Mult() | ast.Add() as sign, right=right):
                one, other = value_of(left), value_of(right)
                join = operator.mul if isinstance(sign, ast.Mult) else operator.add
                value, low, high = map(join, one.numbers, other.numbers)
                return Measured(value=value, low=low, high=high, level=one.level or other.level)
            case _:
                raise ValueError(unclear)

    return value_of(expression)


def _exact(value: object, *, what: str) -> float:
    if not isinstance(value, float | int) or isinstance(value, bool) or value != value:
        raise Missing(f"{what} is not known")
    return float(value)


def _of_view(result: Result, *, row: str, column: str, parts: Mapping[str, float]) -> Measured:
    """Return a figure or cell of a view's answer. ``parts`` are shares that replace those in the answer."""
    if column == "share" and row in parts:
        return Measured.exactly(parts[row])
    if not row:
        figure = next((figure for figure in result.figures if figure.name == column), None)
        if figure is None or figure.value is None:
            raise Missing(f"/{result.view} has no figure {column} at this release")
        low, high = (figure.value if end is None else end for end in (figure.low, figure.high))
        return Measured(value=figure.value, low=low, high=high, level=figure.level)
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
                    return Measured.exactly(value)
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
    return Measured.exactly(_exact(line[column], what=f"{column} of {row}"))


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
    cells = ((*key, *map(repr, ours.numbers), ours.level or "") for key, ours in rows)
    return records.text_of("recorded_claim_tests", cells)
