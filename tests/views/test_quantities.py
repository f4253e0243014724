"""One number for one quantity: every page, step and claim says the same, or names how its own differs."""

import pytest

from data.releases import latest, load, names
from tests.views.reading import answer_to
from views import written
from views.claims.statements import judged
from views.registry import VIEWS
from views.view import answer

SAME = written.toml(__file__, name="quantities.toml")
DIFFERS = {"/accelerators": "of all products", "/growth-accounting": "Since 2018", "/fleet": "Chips in use"}
"""Pages whose default is another definition, with the words of their headline that say so."""


def text_of(place: str, *, release: str) -> str:
    address, _, figure = place.partition(" ")
    path, _, query = address.partition("?")
    return answer_to(VIEWS[path], f"{query}&release={release}", holds=True).figure(figure).text


@pytest.mark.parametrize("release", names()[-2:])
@pytest.mark.parametrize("quantity", SAME)
def test_every_page_gives_a_quantity_the_same_number(quantity, release):
    assert len({text_of(place, release=release) for place in SAME[quantity]}) == 1


@pytest.mark.parametrize("path", DIFFERS)
def test_a_page_of_another_definition_names_it_in_its_headline(path):
    assert DIFFERS[path] in answer(VIEWS[path], VIEWS[path].settings()).headline


def test_the_claim_about_the_gap_has_the_number_of_the_pages():
    gap = text_of(SAME["gap between a run and one chip"][0], release=latest())
    claim = next(item for item in judged(load(latest())) if item.claim_id == "S0-03")
    assert f"{claim.parts[0].number} a year" == gap
