"""One number for one quantity: every page, step and claim says the same, or names how its own differs."""

import pytest

from data.releases import latest, load, names
from views.claims.statements import judged
from views.registry import VIEWS
from views.view import answer, read

SAME = {
    "gap between a run and one chip": (
        "/ gap_growth",
        "/growth-gap run_chip_gap",
        "/story?step=gap gap_growth",
    ),
    "gap between a run and its own chips": ("/ run_run_gap_growth", "/growth-gap run_run_gap"),
    "gap within one chip": (
        "/ chip_chip_gap_growth",
        "/growth-gap chip_chip_gap",
        "/compute-to-memory yearly_growth",
        "/story?step=chips yearly_growth",
    ),
    "compute of a frontier run since 2012": (
        "/ compute_growth",
        "/growth-gap compute_growth",
        "/training-compute yearly_growth",
        "/story yearly_growth",
        "/growth-accounting?since=2012 all_runs_growth",
        "/track-record yearly_growth_now",
    ),
    "bandwidth of NVIDIA's flagships since 2012": (
        "/ bandwidth_growth",
        "/growth-gap bandwidth_growth",
        "/techniques yearly_growth",
        "/accelerators?rule=flagships&vendor=nvidia&since=2012 yearly_growth",
    ),
    "bandwidth of NVIDIA's chips in use": ("/fleet growth", "/growth-gap bandwidth_shipped"),
}
DIFFERS = {"/accelerators": "of all products", "/growth-accounting": "Since 2018", "/fleet": "Chips in use"}
"""Pages whose default is another definition, with the words of their headline that say so."""


def text_of(place: str, *, release: str) -> str:
    address, _, figure = place.partition(" ")
    path, _, query = address.partition("?")
    settings, ignored = read(VIEWS[path], f"{query}&release={release}")
    assert not ignored
    return answer(VIEWS[path], settings).figure(figure).text


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
