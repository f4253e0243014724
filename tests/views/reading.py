"""What tests read of a view: its answer to a link, the value of a figure, the cells of a table."""

from functools import cache
from typing import Any

from views.result import Exhibit, Result
from views.view import View, answer, read


@cache
def answer_to(view: View, query: str = "", *, holds: bool = False) -> Result:
    """Return a view's answer to a link; every setting of it ``holds`` where that is said."""
    settings, ignored = read(view, query)
    assert not (holds and ignored)
    return answer(view, settings, ignored=ignored)


def value(result, name) -> float:
    """Return the value of a figure, which there must be."""
    number = result.figure(name).value
    assert number is not None
    return number


def columns(exhibit: Exhibit) -> dict[str, tuple[Any, ...]]:
    """Return the cells of a table by the name of their column."""
    names = [column.name for column in exhibit.table.columns]
    return dict(zip(names, zip(*exhibit.table.rows, strict=True), strict=True))


def rows(exhibit: Exhibit) -> list[dict[str, Any]]:
    """Return the rows of a table, each by the name of its columns."""
    names = [column.name for column in exhibit.table.columns]
    return [dict(zip(names, row, strict=True)) for row in exhibit.table.rows]
