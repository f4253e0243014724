import io
from urllib.parse import urlencode

import pytest
from pptx import Presentation

from data.releases import latest, names
from views.deck import deck_link, deck_words, parse_deck
from web.delivery import FOR_GOOD, FOR_NOW

OLD, NEW = names()[0], latest()
POWERPOINT = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
THREE = [("view", "/"), ("view", f"/training-compute?release={OLD}"), ("view", "/accelerators?metric=power")]


def texts(page):
    text = "\n".join(shape.text_frame.text for shape in page.shapes if shape.has_text_frame)
    return text.replace("\N{NO-BREAK SPACE}", " ")  # keeps a number and its unit together


def chart_count(page):
    return sum(shape.has_chart for shape in page.shapes)


def test_a_deck_has_title_contents_a_slide_for_each_view_and_sources(site):
    newest = [*THREE, ("release", "latest")]
    answer = site.get(f"/deck.pptx?{urlencode([*newest, ('title', 'For the board')])}")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == POWERPOINT
    assert answer.headers["content-disposition"] == 'attachment; filename="scaling-gap-deck.pptx"'
    pages = list(Presentation(io.BytesIO(answer.content)).slides)
    words = deck_words(parse_deck(urlencode(newest))[0], origin="http://127.0.0.1:8501")
    assert "For the board" in texts(pages[0])
    assert "Contents" in texts(pages[1])
    assert all(slide.headline in texts(pages[1]) for slide in words.slides)
    for page, slide in zip(pages[2:5], words.slides, strict=True):
        assert slide.headline in texts(page)
        assert chart_count(page) == 1
        assert "Sources: " in getattr(page.notes_slide.notes_text_frame, "text", "")
    assert "What moved" in texts(pages[5])
    assert "Sources" in texts(pages[6]) and "Epoch AI" in texts(pages[6])
    assert len(pages) == 7


def test_only_a_deck_whose_link_names_everything_is_immutable(site):
    deck, _ = parse_deck(urlencode(THREE))
    pinned = deck_link(deck).replace("/deck?", "/deck.pptx?")
    assert site.get(pinned).headers["cache-control"] == FOR_GOOD
    titled = f"/deck.pptx?{urlencode([*THREE, ('title', 'x'), ('release', 'as-linked')])}"
    newest, unsaid = pinned.replace("as-linked", "latest"), pinned.replace("&release=as-linked", "")
    for changed in (newest, unsaid, titled):
        assert site.get(changed).headers["cache-control"] == FOR_NOW


@pytest.mark.parametrize(
    ("query", "field", "allowed"),
    [
        ("", "view", "a link to one of"),
        ("view=/nope", "view", "a link to one of"),
        (urlencode([("view", "/"), ("view", "/training-compute?since=1066")]), "view 2: since", "a year or month"),
    ],
)  # fmt: skip
def test_a_deck_that_cannot_be_meant_is_refused_by_field_and_what_is_allowed(*, query, field, allowed, site):
    answer = site.get(f"/deck.pptx?{query}")
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    (error,) = answer.json()["errors"]
    assert error["field"] == field
    assert allowed in error["allowed"]
