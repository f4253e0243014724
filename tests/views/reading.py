"""What tests read of an answer: the value of a figure, the cells of a table."""

from typing import Any

from views.result import Exhibit


def value(result, name) -> float:
    """Return the value of a figure, which there must be."""
    number = result.figure(name).value
    assert number is not None
    return number


def columns(exhibit: Exhibit) -> dict[str, tuple[Any, ...]]:
    """Return the cells of a table by the name of their column."""
    names = [column.name for column in exhibit.table.columns]
    return dict(zip(names, zip(*exhibit.table.rows, strict=True), strict=True))
