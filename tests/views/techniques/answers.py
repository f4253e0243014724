"""What /techniques answers to a link, and the effects that the answer is made of."""

from functools import cache
from typing import Any

from data.releases import latest, load
from views.result import Exhibit
from views.techniques import inputs
from views.techniques.inputs import Effects
from views.techniques.settings import TechniquesSettings
from views.techniques.view import VIEW
from views.view import answer, read


@cache
def ask(query=""):
    """Return the answer to a link."""
    settings, ignored = read(VIEW, query)
    return answer(VIEW, settings, ignored=ignored)


def value(result, name):
    """Return the value of a figure, which there must be."""
    number = result.figure(name).value
    assert number is not None
    return number


def effects_of(**settings: Any) -> Effects:
    """Return what the chosen techniques change, and what each alone does."""
    chosen, release = TechniquesSettings(**settings), load(latest())
    setup = inputs.setup_of(chosen, release)
    assert setup is not None
    return inputs.effects_of(chosen, setup=setup, growth=inputs.growth_of(chosen, release))


def columns(exhibit: Exhibit) -> dict[str, tuple[Any, ...]]:
    """Return the cells of a table by the name of their column."""
    names = [column.name for column in exhibit.table.columns]
    return dict(zip(names, zip(*exhibit.table.rows, strict=True), strict=True))
