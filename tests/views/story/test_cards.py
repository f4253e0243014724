"""What stands beside a step: its statement as Claims judges it, and at the end all of the story."""

import pytest

from data.releases import load, names
from views.claims.cards import TONES, WORDS
from views.claims.statements import judged
from views.result import CardLink
from views.story.cards import NOT_CLAIMED, cards
from views.story.steps import BY_WORD, STEPS

RELEASES = pytest.mark.parametrize("name", names())


def cards_of(step, name):
    release = load(name)
    statements = {item.claim_id: item for item in judged(release)}
    return statements, cards(step, statements, release=release, link="/somewhere")


@RELEASES
def test_a_card_has_the_verdict_of_its_statement_and_leads_to_the_view(name):
    for step in (one for one in STEPS if one.statement):
        statements, (card,) = cards_of(step, name)
        item = statements[step.statement]
        assert (card.name, card.title) == (step.statement, item.statement)
        assert (card.verdict, card.tone) == (f"Claim {item.verdict}", TONES[item.verdict])
        assert f"/claims?statement={card.name}&release={name}" in [link.address for link in card.links]
        assert card.links[0] == CardLink(address="/somewhere", text=f"Open {step.view.title}")


def test_a_step_that_no_article_takes_is_not_judged():
    _, (card,) = cards_of(BY_WORD["like-for-like"], names()[-1])
    assert (card.verdict, card.tone) == (NOT_CLAIMED, "none")


@RELEASES
def test_the_last_step_counts_every_statement_of_the_story_once(name):
    statements, found = cards_of(STEPS[-1], name)
    *summary, to_do = found
    told = [step.statement for step in STEPS if step.statement]
    assert sum(int(card.title.partition(" ")[0]) for card in summary) == len(told)
    for statement in told:
        item = statements[statement]
        (holding,) = [card for card in summary if item.statement in card.text]
        assert holding.verdict == WORDS[item.verdict]
    assert {link.address for link in to_do.links} >= {"/placement", "/training-run", "/techniques"}
