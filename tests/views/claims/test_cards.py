from data.releases import latest, load
from views.claims.cards import FIRST_CARDS, own_card, statement_address, statement_cards
from views.claims.own_claim import own_claim
from views.claims.statements import judged
from views.claims.view import VIEW
from views.result import CardLink, Fact
from views.view import read, split

RELEASE = load(latest())
STATEMENTS = judged(RELEASE)
CARDS = {card.name: card for card in statement_cards(STATEMENTS, release=RELEASE, most=len(STATEMENTS))}


def test_a_card_says_verdict_statement_claim_and_ours_with_interval():
    card = CARDS["S0-02"]
    assert (card.verdict, card.tone) == ("Supported", "good")
    assert card.title == "GPU memory bandwidth improved only 28 % a year"
    assert card.facts == (
        Fact(label="Claimed", text="1.28× a year"),
        Fact(
            label="Ours: memory bandwidth per chip since 2008", text="1.26× a year", note="90 %: 1.22–1.53×"
        ),
        Fact(label="Tested by", text="Our data"),
    )
    assert card.text.startswith("Inside our interval. ")


def test_the_tone_of_a_card_follows_its_verdict():
    assert {(card.verdict, card.tone) for card in CARDS.values()} == {
        ("Supported", "good"),
        ("Off", "part"),
        ("Wrong", "bad"),
        ("Not checkable", "none"),
    }


def test_several_tests_are_numbered_as_in_the_reason():
    labels = [fact.label.partition(":")[0] for fact in CARDS["S0-04"].facts]
    assert labels == ["Claimed", "Ours (1)", "Ours (2)", "Ours (3)", "Tested by"]
    assert "(2) all of our interval is above no change" in CARDS["S0-04"].text


def test_every_card_leads_to_its_test_its_source_its_own_page_and_its_slide():
    for item in STATEMENTS:
        *tests, source, link, slide = CARDS[item.claim_id].links
        assert bool(tests) == bool(item.parts)
        assert source == CardLink(address=item.url, text="Source")
        assert link.address == statement_address(item.claim_id, release=RELEASE)
        path, query = split(link.address)
        settings, ignored = read(VIEW, query)
        assert path == VIEW.path and not ignored
        assert settings.described()["statement"] == item.claim_id
        assert slide.address == link.address.replace("/claims?", "/claims.pptx?")
        names = [one.text for one in CARDS[item.claim_id].links]
        assert len(names) == len(set(names))


def test_more_statements_than_fit_are_counted_and_led_to():
    cards = statement_cards(STATEMENTS, release=RELEASE, rest="/claims?cards=all")
    assert len(cards) == FIRST_CARDS + 1
    assert cards[-1].title == f"{len(STATEMENTS) - FIRST_CARDS} more statements"
    assert cards[-1].links == (CardLink(address="/claims?cards=all", text="Show all"),)
    assert len(statement_cards(STATEMENTS[:FIRST_CARDS], release=RELEASE)) == FIRST_CARDS


def test_an_own_claim_has_a_card_once_a_value_is_given():
    assert own_card(None) == ()
    assert own_card(own_claim("cost", value="", release=RELEASE)) == ()
    [card] = own_card(own_claim("training-compute", value="10x", release=RELEASE))
    assert (card.title, card.verdict, card.tone) == (
        "Compute per frontier run grows 10× a year",
        "Off",
        "part",
    )
