"""The story: each step is a link, says what its view says, and together they make a deck."""

import re
from dataclasses import replace
from typing import Any

import pytest

from charts.chart import BarChart, Line
from data.releases import latest, load, names
from scripts.same_results import plain
from tests.length import LONG
from views.briefing import STORY_TITLE, briefing, briefing_link
from views.claims.cards import TONES, WORDS
from views.claims.statements import judged
from views.deck import parse_deck
from views.story.settings import BY_WORD, STEPS, StorySettings, verdict_name
from views.story.view import NOT_CLAIMED, VIEW, cards, result_of
from views.view import answer, pinned, read

EACH = pytest.mark.parametrize("step", BY_WORD.values(), ids=lambda step: step.word)
RELEASES = pytest.mark.parametrize("name", names() if LONG else names()[-1:])
EVERY_RELEASE = pytest.mark.parametrize("name", names())


def marks(chart: Any) -> Any:
    return chart.bars if isinstance(chart, BarChart) else chart.marks


def drawn_at(step: str) -> Any:
    return answer(VIEW, StorySettings(step=step)).exhibits[0].chart


def test_a_claimed_rate_is_a_line_from_the_start_of_the_trend_and_a_claimed_number_a_row():
    grows = drawn_at("compute")
    trend = next(mark for mark in grows.marks if isinstance(mark, Line) and mark.dash == "solid")
    claim = grows.marks[-1]
    assert (claim.x[0], claim.y[0], claim.end_label) == (trend.x[0], trend.y[0], ("Claimed: 5× a year",))
    assert claim.y[1] / claim.y[0] == pytest.approx(5 ** (claim.x[1] - claim.x[0]))
    assert claim.y[1] <= grows.y.high
    gap = drawn_at("gap")
    assert (gap.bars[0].low, gap.bars[0].high, gap.bars[0].text) == (15, 20, "15–20×") and gap.x.high > 20
    time = drawn_at("training")
    communication = [bar.value for bar in time.bars[2:] if bar.label.endswith("communication")]
    assert (time.bars[0].value, time.bars[1].value) == (50, pytest.approx(sum(communication)))


@RELEASES
@EACH
def test_a_step_says_what_its_view_says(*, step, name):
    result = answer(VIEW, StorySettings(step=step.word, release=name))
    requested = replace(read(step.view, step.choices)[0], release=name)
    shown = answer(step.view, requested)
    assert result.headline.endswith(shown.headline) or step.finding
    (exhibit,), first = result.exhibits, shown.exhibits[0]
    if step.claimed:
        drawn, usual = marks(exhibit.chart), marks(first.chart)
        added = [mark for mark in drawn if mark not in usual]
        assert len(added) == 1 + bool(step.ours)
        assert {mark.series for mark in usual if mark not in drawn} <= {"Kinked trend"}
    else:
        titled = replace(first, chart=replace(first.chart, title=result.headline))
        assert plain(exhibit) == plain(titled)
    assert (exhibit.chart.title, exhibit.table) == (result.headline, first.table)
    assert (result.settings_line, tuple(result.notes)) == (shown.settings_line, tuple(shown.notes))
    assert tuple(result.sure) == (*filter(None, [shown.subtitle]), *shown.sure)
    key = [figure for figure in result.figures if figure.key]
    assert 1 <= len(key) <= 3
    assert all(replace(shown.figure(figure.name), key=True) == figure for figure in key)
    address = next(one.address for card in result.cards for one in card.links if "Open " in one.text)
    path, _, query = address.partition("?")
    assert (path, *read(step.view, query)) == (step.view.path, requested, ())


@RELEASES
def test_every_step_shows_its_verdict_in_the_list_in_its_line_and_on_its_card(name):
    verdicts = {item.claim_id: item for item in judged(load(name))}
    for step in BY_WORD.values():
        shown = answer(VIEW, StorySettings(step=step.word, release=name))
        figure = shown.figure(verdict_name(step.word))
        if step.statement:
            item, (card,) = verdicts[step.statement], shown.cards
            assert (figure.text, figure.tone) == (WORDS[item.verdict], TONES[item.verdict])
            assert "{}" not in step.argument or item.claimed in shown.subtitle
            assert (card.name, card.title) == (item.claim_id, item.statement)
            assert (card.verdict, card.tone) == (f"Claim {WORDS[item.verdict].lower()}", TONES[item.verdict])
            assert f"/claims?statement={card.name}&release={name}" in [link.address for link in card.links]
        elif step is not STEPS[-1]:
            assert (shown.cards[0].verdict, shown.cards[0].tone) == (NOT_CLAIMED, "none")
            assert figure.text == NOT_CLAIMED


def test_the_verdict_of_the_last_step_counts_as_its_headline_does():
    result = answer(VIEW, StorySettings(step="verdict"))
    held, tested = re.findall(r"\d+", result.figure("verdict_verdict").text)
    assert result.headline.startswith(f"{held} of {tested} ")


def test_a_readers_own_rows_are_told_by_every_step():
    own = replace(load(latest()), name="mine", origin="own models", base=latest())
    for step in STEPS if LONG else STEPS[::3]:
        result = answer(VIEW, StorySettings(step=step.word), release=own)
        assert not result.link and result.headline.endswith(result_of(step, own).headline)
        assert all("release=" not in one.address for card in result.cards for one in card.links)


def test_the_whole_story_is_a_deck_of_its_steps():
    deck = briefing(StorySettings(step="place"))
    assert [item.settings for item in deck.items] == [pinned(StorySettings(step=step.word)) for step in STEPS]
    assert deck.title == STORY_TITLE


@RELEASES
def test_the_deck_of_the_story_is_read_from_the_same_release_and_its_link_opens_it(name):
    settings = StorySettings(release=name)
    address = briefing_link(settings)
    deck, ignored = parse_deck(address.partition("?")[2])
    assert not ignored and deck == briefing(settings)
    assert {item.settings.release for item in deck.items} == {name}
    assert len(address) < 2_000


def cards_of(step, name):
    release = load(name)
    statements = {item.claim_id: item for item in judged(release)}
    return statements, cards(step, statements, release=release, link="/somewhere")


@EVERY_RELEASE
def test_the_last_step_counts_every_statement_of_the_story_once(name):
    statements, result = cards_of(STEPS[-1], name)
    *summary, to_do = result
    text = [step.statement for step in STEPS if step.statement]
    assert sum(int(card.title.partition(" ")[0]) for card in summary) == len(text)
    for statement in text:
        item = statements[statement]
        (holding,) = [card for card in summary if item.statement in card.text]
        assert holding.verdict == WORDS[item.verdict]
    assert {link.address for link in to_do.links} >= {"/placement", "/training-run", "/techniques"}


def test_steps_have_words_labels_and_statements_of_their_own_and_leave_numbers_to_the_statements():
    statements = [step.statement for step in STEPS if step.statement]
    assert len(statements) == len(set(statements)) == len(STEPS) - 1 == 6
    assert len(BY_WORD) == len({step.label for step in BY_WORD.values()}) == 16
    for step in BY_WORD.values():
        assert not read(step.view, step.choices)[1]
        assert not any(letter.isdigit() for letter in step.argument)
        assert step.argument.count("{}") <= bool(step.statement) and step.argument.endswith(".")
