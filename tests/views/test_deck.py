from dataclasses import replace
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.release_name import correction_of
from data.releases import latest, names
from tests.views.links import decks
from views import deck as view_deck
from views.registry import VIEWS
from views.short_link.letters import ShortLinkError
from views.short_link.token import MOST_PARTS, token
from views.view import SHORT, answer, link, short

SITE = "https://gap.example.org"
OLD, NEW = names()[0], latest()


def query_of(deck):
    return urlsplit(view_deck.deck_link(deck)).query


def deck_of(*links, **more):
    return view_deck.parse_deck({"view": list(links), **{name: [value] for name, value in more.items()}})


@given(decks())
def test_a_deck_comes_back_from_its_link_and_nothing_is_ignored(deck):
    assert view_deck.parse_deck(query_of(deck)) == (deck, ())


@given(decks())
def test_every_view_in_a_deck_link_is_pinned_and_spelled_out(deck):
    views = [value for name, value in parse_qsl(query_of(deck)) if name == "view"]
    assert views == [link(one.view, one.settings) for one in deck.items]
    assert all("release=latest" not in text for text in views)


@given(deck=decks(), index=st.integers(-3, 9), steps=st.integers(-9, 9))
def test_moving_a_view_or_removing_one_keeps_the_others_in_their_order(*, deck, index, steps):
    kept = view_deck.without(deck, index).items
    assert kept == tuple(one for k, one in enumerate(deck.items) if k != index)
    moved = view_deck.moved_by(deck, index, steps=steps)
    assert sorted(one.link for one in moved.items) == sorted(one.link for one in deck.items)
    if 0 <= index < len(deck.items):
        one = deck.items[index]
        assert [x for x in moved.items if x != one] == [x for x in deck.items if x != one]
        assert moved.items.index(one) == min(max(index + steps, 0), len(deck.items) - 1)
    else:
        assert moved == deck


hostile_text = st.one_of(
    st.text(max_size=40),
    st.sampled_from(
        ["\0", "//[", "http://[::1", "/%00", "javascript:alert(1)", "/deck?view=%2F", "https://[x]/", "?" * 9]
    ),
    st.sampled_from(list(VIEWS)).flatmap(
        lambda path: st.text(max_size=20).map(lambda text: f"{path}?since={text}&release={text}")
    ),
)


@given(
    st.dictionaries(
        st.one_of(st.sampled_from(["view", "title", "release"]), st.text(max_size=8)),
        st.lists(hostile_text, max_size=4),
        max_size=4,
    )
)
def test_no_hostile_link_raises_and_what_is_left_out_is_said(query):
    deck, ignored = view_deck.parse_deck(query)
    assert view_deck.parse_deck(query_of(deck)) == (deck, ())
    left_out = len(query.get("view", [])) - len(deck.items)
    assert sum(fault.setting == "view" for fault in ignored) >= min(left_out, 1)


def test_a_link_to_no_view_is_left_out_and_the_views_there_are_are_named():
    deck, (fault,) = deck_of("/", "/nope?x=1")
    assert [one.view.path for one in deck.items] == ["/"]
    assert (fault.setting, fault.value) == ("view", "/nope?x=1") and "a link to one of /, " in fault.allowed


def test_a_damaged_setting_stands_at_its_default_and_is_reported_with_the_number_of_its_view():
    deck, (fault,) = deck_of("/", "/training-compute?since=1066")
    assert (fault.setting, fault.value) == ("view 2: since", "1066")
    assert deck.items[1] == deck_of("/training-compute")[0].items[0]


def test_the_same_view_is_shown_once_at_most_thirty_are_and_the_rest_is_reported():
    deck, (fault,) = deck_of("/", f"https://elsewhere.example/?release={NEW}")
    assert len(deck.items) == 1
    assert "each one once" in fault.allowed
    links = [f"/training-compute?top={top}" for top in range(2, 2 + view_deck.MOST_VIEWS + 5)]
    deck, (fault,) = deck_of(*links)
    assert len(deck.items) == view_deck.MOST_VIEWS
    assert (fault.value, fault.allowed) == ("35 views", "the first 30 of them")


def test_an_unknown_parameter_a_bad_release_and_two_titles_are_reported():
    deck, ignored = view_deck.parse_deck("colour=red&release=1999-01&title=a&title=b&view=/")
    assert {fault.setting: fault.allowed for fault in ignored} == {
        "colour": "a deck has the parameters view, title, release",
        "release": ", ".join(view_deck.RELEASE_SETTING.options),
        "title": "one value, up to 100 printable characters",
    }
    assert (deck.title, deck.release) == (view_deck.DEFAULT_TITLE, view_deck.AS_LINKED)


def test_the_deck_re_reads_each_view_from_the_release_it_asks_for():
    deck, _ = deck_of(f"/training-compute?release={OLD}", f"/accelerators?release={NEW}")
    assert [result.release for result in view_deck.results(deck)] == [OLD, NEW]
    assert [result.release for result in view_deck.results(replace(deck, release="latest"))] == [NEW, NEW]
    assert [result.release for result in view_deck.results(replace(deck, release=OLD))] == [OLD, OLD]


def test_what_moved_names_view_figure_and_releases_and_nothing_did_where_each_keeps_its_own():
    text = f"/training-compute?since=2020&domain=language&release={OLD}"
    deck, ignored = deck_of(text, "/", release=NEW)
    assert ignored == ()
    (moved,) = view_deck.moves(deck)
    assert view_deck.deck_words(deck, origin=SITE).moved == (moved,)
    before = answer(VIEWS["/training-compute"], deck.items[0].settings).figures[0]
    after = answer(VIEWS["/training-compute"], replace(deck.items[0].settings, release=NEW)).figures[0]
    assert moved.view == "Compute growth: Growth a year (Domain: Language models; Since: 2020)"
    assert moved.before == f"{before.text} ({before.interval_text}), in {OLD}"
    assert moved.after == f"{after.text} ({after.interval_text}), in {NEW}"
    deck, _ = deck_of(f"/training-compute?release={OLD}", "/")
    assert view_deck.moves(deck) == ()
    assert view_deck.moves(replace(deck, items=deck.items[1:], release="latest")) == ()


def test_the_words_of_a_deck_hold_one_slide_a_view_with_pinned_absolute_links():
    deck, _ = deck_of("/", "/training-compute?since=2018", "/data", title="For the board")
    words = view_deck.deck_words(deck, origin=SITE)
    assert words.title == "For the board"
    assert [slide.link for slide in words.slides] == [f"{SITE}{one.link}" for one in deck.items]
    headlines = [result.headline for result in view_deck.results(deck)]
    assert [slide.headline for slide in words.slides] == headlines
    assert all(1 <= len(slide.figures) <= 3 for slide in words.slides)
    assert any("Epoch AI" in source and "CC BY 4.0" in source for source in words.sources)
    assert all("Sources:" in slide.notes for slide in words.slides)
    assert words.as_of == correction_of(NEW)
    assert len(words.sources) == len(set(words.sources))


def test_a_deck_without_views_says_what_to_add():
    with pytest.raises(ValueError, match=r"at least one view; got none\. Add view=<link> to its address"):
        view_deck.deck_words(view_deck.Deck(), origin=SITE)


def test_the_sources_name_the_decks_own_short_link_while_it_can_be_typed():
    few, _ = deck_of("/", "/accelerators?metric=power")
    sources = view_deck.deck_words(few, origin=SITE).sources
    assert sources[-1] == f"This deck: {SITE}{view_deck.short_deck(few)}"
    endless = replace(few, title="\N{SNOWMAN}" * 60)
    assert not any("This deck" in source for source in view_deck.deck_words(endless, origin=SITE).sources)


def test_a_deck_is_dear_that_has_many_views_or_a_dear_one():
    few = deck_of(*(f"/accelerators?since={year}" for year in range(2012, 2020)))[0]
    assert len(few.items) == 8 and not view_deck.expensive(few)
    assert view_deck.expensive(deck_of(*(one.link for one in few.items), "/")[0])
    assert view_deck.expensive(deck_of("/training-run?sequence=65536")[0])
    assert not view_deck.expensive(deck_of("/claims")[0])


@given(deck=decks(), index=st.integers(0, 5), text=st.text(max_size=300))
def test_a_title_of_the_reader_s_own_comes_back_from_the_link_in_one_line_of_bounded_length(
    *, deck, index, text
):
    named = view_deck.titled(deck, index, title=text)
    again, ignored = view_deck.parse_deck(urlsplit(view_deck.deck_link(named)).query)
    assert again == named and not ignored
    for one in named.items:
        assert len(one.title) <= view_deck.LONGEST_TITLE
        assert not one.title or (one.title.isprintable() and one.title == " ".join(one.title.split()))
    assert [one.link for one in named.items] == [one.link for one in deck.items]


def test_a_title_stands_on_its_slide_and_what_we_found_in_its_notes():
    deck = deck_of("/training-compute#Tell the <b>board</b> # 1", "/accelerators")[0]
    result = view_deck.results(deck)
    first, second = view_deck.deck_words(deck, origin=SITE).slides
    assert first.headline == "Tell the <b>board</b> # 1"
    assert first.notes.splitlines()[0] == result[0].headline
    assert second.headline == result[1].headline
    assert first.link == f"{SITE}{result[0].link}"
    assert view_deck.short_deck(deck) == "" and view_deck.short_deck(view_deck.titled(deck, 0, title=" \n"))


def test_a_title_goes_along_with_its_view_and_makes_no_second_one_of_it():
    deck = deck_of("/training-compute#Mine", "/accelerators", "/training-compute")[0]
    assert [one.title for one in deck.items] == ["Mine", ""]
    assert [one.title for one in view_deck.moved_by(deck, 0, steps=1).items] == ["", "Mine"]
    assert [one.title for one in view_deck.shown(replace(deck, release="latest"))] == ["Mine", ""]


TWO = deck_of("/", "/accelerators?metric=power")[0]


def opened(address: str) -> view_deck.Deck:
    path, _, query = address.partition("?")
    assert path == view_deck.PATH
    deck, ignored = view_deck.parse_deck(query)
    assert ignored == ()
    return deck


@given(decks(fewest=1))
def test_a_short_link_of_a_deck_leads_to_the_very_deck(deck):
    address = view_deck.short_deck(deck)
    assert len(address) < len(view_deck.deck_link(deck)) / 2
    assert opened(view_deck.follow(address.removeprefix(SHORT))) == deck


def test_a_short_link_of_a_deck_means_for_good_what_it_meant_at_first():
    deck = opened(view_deck.follow("66m6sphxt3nqp7at1npxd9jj9z4mqhzhs7wrvtry7n939gt"))
    assert (deck.title, deck.release) == ("Für den Vorstand", "latest")
    start, run = deck.items
    assert [one.view.path for one in deck.items] == ["/", "/training-run"]
    assert start.settings.release == run.settings.release == "2026-07"
    assert start.choices == "Chips: NVIDIA flagships"
    assert run.choices.startswith("Plan: Fastest plan; Batch, million tokens: 12; "), "what was usual then"


def test_a_deck_names_its_views_by_their_short_links_and_what_is_given_beside_its_own_stands_in_its_place():
    text = view_deck.short_deck(TWO).removeprefix(SHORT)
    items = [("view", short(one.view, one.settings)) for one in TWO.items]
    query = urlencode([*items, ("title", TWO.title), ("release", TWO.release)])
    assert view_deck.follow(text) == f"{view_deck.PATH}?{query}"
    deck = opened(view_deck.follow(text, query="release=latest&title=Other"))
    assert deck == replace(TWO, release="latest", title="Other")


def test_a_deck_too_long_for_a_short_link_has_none():
    view = VIEWS["/data"]
    text = "\N{CJK UNIFIED IDEOGRAPH-6F22}"
    items = tuple(
        view_deck.Item(view=view, settings=replace(view.settings(), find=text * (60 - number)))
        for number in range(view_deck.MOST_VIEWS)
    )
    assert view_deck.short_deck(view_deck.Deck(items=items)) == ""
    assert MOST_PARTS == view_deck.MOST_VIEWS


def test_what_there_no_longer_is_in_a_deck_is_told_with_what_is_left_and_one_of_no_views_is_refused():
    gap = VIEWS["/growth-gap"].settings().described() | {"release": "2026-07"}
    parts = [("/growth-gap", gap), ("/growth-gap", gap | {"since": "1066", "top": "20"}), ("/gone", {})]
    with pytest.raises(ShortLinkError) as caught:
        view_deck.follow(token(view_deck.PATH, {"title": "T", "release": "2031-01"}, parts=parts))
    said = str(caught.value)
    assert said.startswith("This short link of a deck contains something that no longer exists. View 2: ")
    assert "View 3: This short link leads to /gone" in said
    assert "release: got '2031-01'; allowed: as-linked" in said
    left = opened(caught.value.link)
    assert (len(left.items), left.title, left.release) == (2, "T", "as-linked")
    with pytest.raises(ShortLinkError, match=r"It has no views\.$") as caught:
        view_deck.follow(token(view_deck.PATH, {}))
    assert caught.value.link == ""
