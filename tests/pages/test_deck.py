"""The page of the deck, run without a browser."""

from io import BytesIO

import pytest
from pptx import Presentation

from charts.powerpoint.tags import with_text
from data.releases import names
from pages import basket
from pages.text import plain
from panel.deck_file import deck_file
from tests.pages.conftest import go_to
from views.deck import DEFAULT_TITLE, parse_deck, short_deck
from views.registry import VIEWS
from views.view import answer, read

OLD = names()[0]
TWO = ["/training-compute?since=2018", f"/accelerators?release={OLD}"]


def button(page, label):
    return next(one for one in page.button if one.label == label)


def headlines(page):
    return [text.value for text in page.markdown if text.value[:1].isdigit()]


def headline_of(text):
    path, _, query = text.partition("?")
    return answer(VIEWS[path], read(VIEWS[path], query)[0]).headline


def test_an_empty_deck_says_what_to_do_next(open_page):
    page = open_page("/deck")
    assert [title.value for title in page.title] == ["Your deck is empty"]
    assert "press **Add to deck**" in page.markdown[0].value


def test_a_deck_link_shows_its_views_in_order_its_title_and_its_own_link(open_page):
    page = open_page("/deck", view=TWO, title="For the board")
    assert not page.exception
    assert [title.value for title in page.title] == ["2 views, ready as slides"]
    assert len(headlines(page)) == 2
    for shown, text in zip(headlines(page), TWO, strict=True):
        assert plain(headline_of(text)) in shown
    assert page.text_input[0].value == "For the board"
    deck = parse_deck({"view": TWO, "title": ["For the board"]})[0]
    assert page.code[0].value.endswith(short_deck(deck))
    said = "This link opens the same deck; with `?release=latest` behind it, next quarter's numbers."
    assert said in [words.value for words in page.markdown]


def test_another_release_shows_what_moved_and_an_emptied_title_is_the_default_one(open_page):
    page = open_page("/deck", view=TWO)
    assert not page.header
    page = page.selectbox[0].set_value("latest").run()
    assert [head.value for head in page.header] == ["What moved"]
    assert page.dataframe[0].value["Before"].tolist()[0].endswith(f"in {OLD}")
    assert page.code[0].value.endswith(short_deck(parse_deck({"view": TWO, "release": ["latest"]})[0]))
    page = page.text_input[0].set_value("  ").run()
    assert page.text_input[0].value == DEFAULT_TITLE


def test_a_damaged_deck_link_shows_what_is_left_and_says_what_was_ignored(open_page):
    page = open_page("/deck", view=["/nope", TWO[0]], colour="red")
    assert not page.exception
    assert len(headlines(page)) == 1
    assert len(page.warning) == 2
    assert "was ignored" in page.warning[0].value


def test_the_menu_counts_the_views_of_the_deck_on_every_page(open_page, sent):
    page = open_page("/deck", view=TWO)
    assert page.session_state["deck"].count("view=") == 2
    for path in ("/training-compute", "/methods"):
        page = go_to(page, path).run()
        assert not page.exception
        assert sent(page)["scaling_gap_deck"]["deck"] == page.session_state["deck"]


def test_what_the_reader_changes_on_the_page_is_told_to_their_browser(open_page, sent):
    page = open_page("/deck", view=TWO)
    page = button(page, "Remove").click().run()
    deck, _ = parse_deck(sent(page)["scaling_gap_deck"]["deck"])
    assert deck.items == parse_deck({"view": TWO[1:]})[0].items
    page = button(page, "Remove").click().run()
    assert sent(page)["scaling_gap_deck"]["deck"] == ""


@pytest.mark.parametrize(
    "kept", ["no query at all", "view=%2Fnowhere", "view=//evil.example/claims", "%00=%ff", "&=" * 99]
)
def test_a_browser_that_keeps_something_else_than_a_deck_has_none(*, kept, monkeypatch):
    session = {basket.KEEPER: {"deck": kept}}
    monkeypatch.setattr("streamlit.session_state", session)
    basket._heard()
    assert session == {**session, basket.KEY: "", basket.HEARD: kept}


def test_an_older_deck_is_taken_and_comes_back_on_the_newest_release(open_page):
    chosen = parse_deck({"view": TWO, "release": [OLD], "title": ["For the board"]})[0]
    older = deck_file(chosen, origin="http://localhost")
    page = open_page("/deck")
    kind = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
    page = page.file_uploader[0].set_value(("older.pptx", older, kind)).run()
    assert not page.exception and not page.error
    said = [text.value for text in page.markdown if text.value.startswith("Slide ")]
    assert [line.split(":")[0] for line in said] == ["Slide 3", "Slide 4"]
    assert not any("nothing changed" in line for line in said)
    _, made = page.session_state["deck_renewed"]
    slides = Presentation(BytesIO(made.file)).slides
    texts = [shape.text_frame.text for slide in slides for shape in with_text(slide)]
    assert f"Data as of {names()[-1]}" in texts
    assert not any(f"Data as of {OLD}" in text or f"release {OLD}" in text for text in texts)
    page = page.file_uploader[0].set_value(("older.pptx", b"no deck", kind)).run()
    assert "not a PowerPoint file" in page.error[0].value
