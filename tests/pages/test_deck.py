from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

from data.releases import latest, names
from pages.share import FORMS, embed_code, form_link
from pages.text import plain
from views.deck import DEFAULT_TITLE, deck_link, parse_deck
from views.registry import VIEWS
from views.view import answer, link, read

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
    assert [title.value for title in page.title] == ["No view is on your slides yet"]
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
    assert page.code[0].value.endswith(deck_link(deck))


def test_views_can_be_moved_and_removed_and_the_link_follows(open_page):
    page = open_page("/deck", view=TWO)
    page = button(page, "Down").click().run()
    assert plain(headline_of(TWO[1])) in headlines(page)[0]
    assert [value for name, value in parse_qsl(urlsplit(page.code[0].value).query) if name == "view"] == [
        one.link for one in parse_deck({"view": TWO[::-1]})[0].items
    ]
    page = button(page, "Remove").click().run()
    assert len(headlines(page)) == 1
    page = button(page, "Remove").click().run()
    assert [title.value for title in page.title] == ["No view is on your slides yet"]


def test_the_ends_of_the_list_cannot_be_moved_beyond(open_page):
    page = open_page("/deck", view=TWO)
    assert [one.disabled for one in page.button if one.label == "Up"] == [True, False]
    assert [one.disabled for one in page.button if one.label == "Down"] == [False, True]


def test_another_release_shows_what_moved_and_an_emptied_title_is_the_default_one(open_page):
    page = open_page("/deck", view=TWO)
    assert not page.header
    page = page.selectbox[0].set_value("latest").run()
    assert [head.value for head in page.header] == ["What moved"]
    assert page.dataframe[0].value["before"].tolist()[0].endswith(f"in {OLD}")
    assert page.code[0].value.endswith("&release=latest")
    page = page.text_input[0].set_value("  ").run()
    assert page.text_input[0].value == DEFAULT_TITLE


def test_a_damaged_deck_link_shows_what_is_left_and_says_what_was_ignored(open_page):
    page = open_page("/deck", view=["/nope", TWO[0]], colour="red")
    assert not page.exception
    assert len(headlines(page)) == 1
    assert len(page.warning) == 2
    assert "was ignored" in page.warning[0].value


def test_adding_a_view_counts_it_and_does_not_offer_it_again(open_page):
    page = open_page("/training-compute", since="2018")
    page = button(page, "Add to deck").click().run()
    assert [toast.value for toast in page.toast] == ["Added. The deck has 1 view."]
    assert "Add to deck" not in [one.label for one in page.button]
    page = page.switch_page("deck.py").run()
    assert plain(headline_of(TWO[0])) in headlines(page)[0]


@pytest.mark.parametrize("path", list(VIEWS))
def test_the_share_control_of_each_view_names_every_form_and_its_citation(path, open_page):
    view = VIEWS[path]
    page = open_page(path)
    page.session_state["share"] = True  # the control is drawn when it is opened
    page = page.run()
    result = answer(view, view.settings())
    codes = [code.value for code in page.code]
    assert codes[0].endswith(result.link)
    assert codes[1].startswith("<iframe src=")
    assert any(f"Data release {latest()}" in code for code in codes)
    assert any(code.startswith("@misc{") for code in codes)
    for extension in FORMS:
        assert form_link(result, extension) == f"/{view.name}.{extension}?{urlsplit(result.link).query}"


def test_the_embed_code_holds_nothing_that_could_end_its_attributes():
    view = VIEWS["/data"]
    settings = read(view, urlencode({"find": "\"><script>'&"}))[0]
    code = embed_code(answer(view, settings), origin="https://gap.example.org")
    assert code.count("<") == 2
    assert code.count(">") == 2
    assert f"embed=true&amp;{urlsplit(link(view, settings)).query.replace('&', '&amp;')}" in code
