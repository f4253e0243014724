"""The briefing: a deck ready made from the choices on the start page."""

from dataclasses import replace

from hypothesis import given
from hypothesis import settings as hypothesis_settings

from data.releases import latest, names
from tests.views import links
from views.briefing import SLIDES, TITLE, briefing, briefing_link, carried
from views.deck import parse_deck
from views.growth_gap.settings import GapSettings
from views.overview import VIEW
from views.registry import VIEWS
from views.view import link


def test_the_briefing_holds_answer_three_ways_like_for_like_drivers_and_decision():
    deck = briefing(GapSettings())
    paths = ["/", "/growth-gap", "/compute-to-memory", "/growth-accounting", "/placement"]
    assert ([item.view.path for item in deck.items], deck.title) == (paths, TITLE)


@given(settings=links.settings(VIEW))
@hypothesis_settings(max_examples=30, deadline=None)
def test_its_link_opens_that_very_deck_with_nothing_ignored_whatever_was_chosen(settings):
    path, _, query = briefing_link(settings).partition("?")
    assert path == "/deck"
    deck, ignored = parse_deck(query)
    assert not ignored
    assert deck == briefing(settings)
    assert len(deck.items) == len(SLIDES)
    assert deck.items[0].link == link(VIEW, settings)


def test_choices_go_along_where_a_view_has_the_same_setting():
    chosen = GapSettings(since=2016, domain="language", chips="all", level="80", to=2035, release=names()[0])
    start, three, chip, drivers, place = (item.settings.described() for item in briefing(chosen).items)
    assert start == chosen.described()
    assert {name: three[name] for name in start} == start
    assert (chip["since"], chip["level"], chip["to"]) == ("2016", "80", "2035")
    assert (drivers["since"], drivers["domain"], drivers["level"]) == ("2016", "language", "80")
    assert {chip["release"], drivers["release"], place["release"]} == {names()[0]}


def test_what_was_not_chosen_or_means_something_else_stays_at_the_views_own_default():
    drivers = VIEWS["/growth-accounting"]
    assert carried(GapSettings(), to=drivers, own={}) == replace(drivers.settings(), release=latest())
    place = carried(GapSettings(chips="all"), to=VIEWS["/placement"], own={})
    assert getattr(place, "chips") is None  # noqa: B009 - the accelerators of a cloud, another question
