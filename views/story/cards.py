"""What stands beside a step: its statement with the verdict, and at the end what is sure and what to do."""

from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import urlencode

from analysis.claims.verdict import VERDICTS, Verdict
from data.releases import Release
from views import wording
from views.claims.cards import TONES, WORDS, statement_address, verdict_card
from views.claims.statements import Statement
from views.result import Card, CardLink
from views.story.steps import STEPS, Step

NOT_CLAIMED = "Not in the articles"
SAYS: Mapping[Verdict, tuple[str, str]] = {
    "supported": ("holds", "hold"),
    "off": (
        "holds in part, or is off by up to a factor of two",
        "hold in part, or are off by up to a factor of two",
    ),
    "wrong": ("is off by more, or points the other way", "are off by more, or point the other way"),
    "not checkable": ("cannot be checked here", "cannot be checked here"),
}
"""What a verdict says of one statement, and of several."""


def cards(
    step: Step, statements: Mapping[str, Statement], *, release: Release, link: str
) -> tuple[Card, ...]:
    """Return the cards of a step; ``link`` leads to its view."""
    onward = CardLink(address=link, text=f"Open {step.view.title}")
    if step is STEPS[-1]:
        return (*_summary(statements, release=release), _what_to_do(onward))
    if not step.statement:
        not_claimed = Card(
            name="not-claimed",
            title="What the articles leave out",
            verdict=NOT_CLAIMED,
            text=f"None of their {len(statements)} statements sets a run against its own chips, so there is nothing "
            "to judge here; these are our numbers.",
            links=(onward,),
        )
        return (not_claimed,)
    item = statements[step.statement]
    address = statement_address(item.claim_id, release=release)
    card = verdict_card(
        item,
        links=(
            onward,
            CardLink(address=address, text=f"Statement {item.claim_id}"),
            CardLink(address=item.url, text="Article"),
        ),
    )
    # On a slide the verdict stands beside our own headline: it says what it is on.
    return (replace(card, verdict=f"Claim {item.verdict}"),)


def _summary(statements: Mapping[str, Statement], *, release: Release) -> tuple[Card, ...]:
    """Return the statements of this story by their verdict, a card for each verdict."""
    of_story = [statements[step.statement] for step in STEPS if step.statement]
    frozen = {"release": release.name} if release.origin == "curated" else {}

    def card(verdict: Verdict) -> Card | None:
        items = [item for item in of_story if item.verdict == verdict]
        if not items:
            return None
        word = verdict.replace(" ", "-")
        address = f"/claims?{urlencode({'verdict': word} | frozen)}"
        return Card(
            name=word,
            title=f"{wording.counted(len(items), 'statement')} of this story {SAYS[verdict][len(items) > 1]}",
            verdict=WORDS[verdict],
            tone=TONES[verdict],
            text=f"{'; '.join(item.statement for item in items)}.",
            links=(CardLink(address=address, text="All statements like this"),),
        )

    return tuple(filter(None, map(card, VERDICTS)))


def _what_to_do(onward: CardLink) -> Card:
    return Card(
        name="what-to-do",
        title="What to do with it",
        text="Before you plan by a gap, ask what was compared with what. Then size your own case: where to run it, "
        "on which chips, and with which techniques.",
        links=(
            CardLink(address="/placement", text="Edge or cloud"),
            CardLink(address="/training-run", text="Training run"),
            CardLink(address="/techniques", text="Techniques"),
            onward,
        ),
    )
