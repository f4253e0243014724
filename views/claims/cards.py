"""One card per claim: the verdict, our number, the reason, and links to the tests."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlencode

from analysis.claims.verdict import VERDICTS, Verdict
from data.releases import Release
from views import wording, written
from views.claims.expressions import views
from views.claims.own_claim import OwnClaim
from views.claims.statements import PUBLISHED, Statement, TestedPart
from views.result import Card, CardLink, Fact, Tone
from views.view import split

FIRST_CARDS = 6
"""Maximum number of cards on the page unless all are requested."""
NO_NUMBER = "no number"

LOOKS = written.toml(__file__, name="verdicts.toml")
WORDS: Mapping[Verdict, str] = {verdict: LOOKS[verdict]["label"] for verdict in VERDICTS}
TONES: Mapping[Verdict, Tone] = {verdict: LOOKS[verdict]["tone"] for verdict in VERDICTS}


def claims_address(*, release: Release, form: str = "", **chosen: str) -> str:
    """Return the address of /claims with the ``chosen`` settings and the release."""
    frozen = {"release": release.name} if release.origin == "curated" else {}
    return f"/claims{form}?{urlencode(chosen | frozen)}"


def statement_cards(
    statements: Sequence[Statement],
    *,
    release: Release,
    most: int = FIRST_CARDS,
    rest: str = "",
    lead: str = "",
) -> tuple[Card, ...]:
    """Return short cards of the first ``most`` claims. If there are more, a card links to ``rest``."""
    short = (
        replace(item, why=" ".join(part.note for part in item.parts if part.note) or item.why, tested_by="")
        for item in statements[:most]
    )
    shown = tuple(_card(item, release=release) for item in short)
    left = len(statements) - len(shown)
    if left <= 0:
        return shown
    title = wording.counted(left, "more claim" if most else "published claim")
    more = Card(name="more", title=title, text=lead, links=(CardLink(address=rest, text="Show all"),))
    return (*shown, more)


def alone(item: Statement, *, release: Release) -> Card:
    """Return the card of a single claim, with a link to all claims."""
    card = _card(item, release=release)
    return replace(card, links=(*card.links, CardLink(address="/claims", text="All claims")))


def own_card(own: OwnClaim | None) -> tuple[Card, ...]:
    """Return the card of a reader's own claim. Empty if there is none."""
    if own is None or own.row is None:
        return ()
    return (verdict_card(own.row, links=_tests(own.row.parts)),)


def _card(item: Statement, *, release: Release) -> Card:
    return verdict_card(
        item,
        links=(
            *_tests(item.parts),
            CardLink(address=item.url, text="Source"),
            CardLink(address=claims_address(statement=item.claim_id, release=release), text="Link"),
            CardLink(
                address=claims_address(statement=item.claim_id, release=release, form=".pptx"), text="Slide"
            ),
        ),
    )


def verdict_card(item: Statement, *, links: tuple[CardLink, ...]) -> Card:
    """Return the card with the claim, our numbers and the verdict."""
    return Card(
        name=item.claim_id,
        title=item.statement,
        verdict=WORDS[item.verdict],
        tone=TONES[item.verdict],
        facts=_facts(item),
        text=item.why,
        links=links,
    )


def _facts(item: Statement) -> tuple[Fact, ...]:
    claimed = () if item.claimed == NO_NUMBER else (Fact(label="Claimed", text=item.claimed),)
    tested = Fact(label="Tested by", text=wording.sentence_case(item.tested_by))
    several = len(item.parts) > 1
    ours = (
        Fact(label=f"Our number{f' ({n})' * several}: {part.label}", text=part.number, note=part.interval)
        for n, part in enumerate(item.parts, start=1)
    )
    return (*claimed, *ours, *((tested,) if item.parts and item.tested_by else ()))


def _tests(parts: Sequence[TestedPart]) -> tuple[CardLink, ...]:
    """Return links to the pages and published figures that test a claim, without duplicates."""
    links: dict[str, str] = {}
    for part in (one for one in parts if one.link):
        published = part.tested_by == PUBLISHED
        links.setdefault("Published figure" if published else views()[split(part.link)[0]].title, part.link)
    return tuple(CardLink(address=address, text=name) for name, address in links.items() if address)
