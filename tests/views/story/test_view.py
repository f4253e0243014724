"""The story: each step is a link, says what its view says, and together they make a deck."""

import re
from dataclasses import replace
from io import BytesIO
from urllib.parse import urlsplit

import pytest
from pptx import Presentation
from pptx.shapes.autoshape import Shape

from data.releases import latest, load, names
from scripts.same_results import plain
from tests.length import LONG
from views.briefing import STORY_TITLE, briefing, briefing_link
from views.claims.cards import TONES, WORDS
from views.claims.statements import judged
from views.deck import parse_deck
from views.overview import VIEW as START
from views.registry import MENU
from views.resolve import long_link
from views.settings import Ignored
from views.story.settings import StorySettings, verdict_name
from views.story.steps import BY_WORD, STEPS
from views.story.view import VIEW, result_of
from views.view import answer, link, pinned, printed, read, short
from web.deck import deck_file

EACH = pytest.mark.parametrize("step", STEPS, ids=lambda step: step.word)
NO_BREAK = "\N{NO-BREAK SPACE}"
RELEASES = pytest.mark.parametrize("name", names() if LONG else names()[-1:])


def test_the_story_stands_in_the_menu_right_after_the_start_page():
    assert MENU[""] == (START, VIEW)


@RELEASES
@EACH
def test_a_step_opens_again_as_it_was_by_its_long_and_its_short_link(*, step, name):
    settings = StorySettings(step=step.word, release=name)
    for address in (link(VIEW, settings), long_link(short(VIEW, settings).rpartition("/")[2])):
        parts = urlsplit(address)
        assert parts.path == "/story"
        again, ignored = read(VIEW, parts.query)
        assert (again, ignored) == (settings, ())
    assert printed(VIEW, settings).startswith(("/v/", "/story"))


def test_a_step_there_is_none_of_is_told_and_the_first_one_shown():
    settings, ignored = read(VIEW, "step=thirteen")
    assert settings == StorySettings()
    assert ignored == (Ignored(setting="step", value="thirteen", allowed=", ".join(BY_WORD)),)


@RELEASES
@EACH
def test_a_step_says_what_its_view_says(*, step, name):
    told = answer(VIEW, StorySettings(step=step.word, release=name))
    asked = replace(read(step.view, step.choices)[0], release=name)
    shown = answer(step.view, asked)
    assert told.headline == shown.headline
    assert plain(told.exhibits) == [plain(shown.exhibits[0])]
    assert (told.settings_line, tuple(told.notes)) == (shown.settings_line, tuple(shown.notes))
    key = [figure for figure in told.figures if figure.key]
    assert 1 <= len(key) <= 3
    assert all(replace(shown.figure(figure.name), key=True) == figure for figure in key)
    address = next(one.address for card in told.cards for one in card.links if "Open " in one.text)
    path, _, query = address.partition("?")
    assert (path, *read(step.view, query)) == (step.view.path, asked, ())


@RELEASES
def test_every_step_shows_its_verdict_in_the_list_and_in_its_line(name):
    release = load(name)
    verdicts = {item.claim_id: item for item in judged(release)}
    for step in STEPS:
        told = answer(VIEW, StorySettings(step=step.word, release=name))
        for other in (one for one in STEPS if one.statement):
            figure = told.figure(verdict_name(other.word))
            verdict = verdicts[other.statement].verdict
            assert (figure.text, figure.tone) == (WORDS[verdict], TONES[verdict])
        if step.statement:
            assert f"{step.statement}: {verdicts[step.statement].verdict})." in told.subtitle
        if "{}" in step.argument:
            assert verdicts[step.statement].claimed in told.subtitle


def test_the_verdict_of_the_last_step_counts_as_its_headline_does():
    told = answer(VIEW, StorySettings(step="verdict"))
    held, tested = re.findall(r"\d+", told.figure("verdict_verdict").text)
    assert told.headline.startswith(f"{held} of {tested} ")


def test_a_readers_own_rows_are_told_by_every_step():
    own = replace(load(latest()), name="mine", origin="own models", base=latest())
    for step in STEPS:
        told = answer(VIEW, StorySettings(step=step.word), release=own)
        assert not told.link and told.headline == result_of(step, own).headline
        assert all("release=" not in one.address for card in told.cards for one in card.links)


def test_the_whole_story_is_a_deck_of_slides_with_the_headline_of_each_step():
    deck = briefing(StorySettings(step="place"))
    assert [item.settings for item in deck.items] == [pinned(StorySettings(step=step.word)) for step in STEPS]
    file = Presentation(BytesIO(deck_file(deck, origin="https://example.org")))
    titles = [
        next((shape.text_frame.text for shape in slide.shapes if isinstance(shape, Shape)), "")
        for slide in file.slides
    ]
    assert titles[:2] == [STORY_TITLE, "Contents"]
    steps = [
        number
        for number, title in enumerate(titles)
        if number and not title.startswith(("Contents", "Sources"))
    ]
    told = [titles[number].replace(NO_BREAK, " ") for number in steps]
    assert told == [answer(item.view, item.settings).headline for item in deck.items]
    assert len(told) == len(STEPS) and all(titles)
    assert all(any(shape.has_chart for shape in file.slides[number].shapes) for number in steps)


@RELEASES
def test_the_deck_of_the_story_is_read_from_the_same_release_and_its_link_opens_it(name):
    settings = StorySettings(release=name)
    address = briefing_link(settings)
    deck, ignored = parse_deck(address.partition("?")[2])
    assert not ignored and deck == briefing(settings)
    assert {item.settings.release for item in deck.items} == {name}
    assert len(address) < 2_000


@pytest.mark.parametrize("step", ["compute", "gap", "like-for-like", "drivers"])
def test_a_step_on_the_frontier_says_until_when_it_is_known(step):
    shown = answer(VIEW, StorySettings(step=step))
    assert any(text.startswith("The frontier is known until Jul 2025") for text in shown.sure)
