"""Tokens keep their meaning."""

import json
import random
import time
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.releases import names
from tests.views.links import settings
from views.registry import VIEWS
from views.short_link import recorded
from views.short_link.digits import Digits
from views.short_link.letters import LETTERS, LONGEST, ShortLinkError, read, written
from views.short_link.recorded import FILE, Recorded, as_text, digest, from_json, newest, pages, since
from views.short_link.token import meaning, token
from views.view import pinned

MADE_BEFORE = dict(
    line.split(" ") for line in Path(__file__).with_name("made_before.txt").read_text().splitlines()
)
"""Tokens of both formats -> the link each stands for, for good. A line here is never changed."""
NUMBERS = st.one_of(st.integers(1, 2**20), st.integers(1, 2**400))
PAGE = Recorded(path="/hello", defaults={"since": "2020", "who": ""}, words={"since": (), "who": ("", "ä")})


@pytest.mark.parametrize("text", MADE_BEFORE)
def test_a_token_means_for_good_what_it_meant_at_first(text):
    path, _, query = MADE_BEFORE[text].partition("?")
    said = meaning(text)
    assert said.path == path
    first = dict(parse_qsl(query, keep_blank_values=True))
    # A setting that came later stands at the default it came with, which is what was meant before.
    earlier = [page.defaults for page in reversed(pages()) if page.path == path]
    came = {name: defaults[name] for defaults in earlier for name in defaults}
    assert dict(said.settings) == {name: came[name] for name in came.keys() - first.keys()} | first


@given(st.sampled_from(list(VIEWS.values())).flatmap(lambda view: st.tuples(st.just(view), settings(view))))
def test_every_link_comes_back_from_its_token(drawn):
    view, chosen = drawn
    said = meaning(token(view.path, pinned(chosen).described()))
    assert (said.path, said.settings) == (view.path, pinned(chosen).described())
    default = view.settings().described()
    assert said.choices == {name: text for name, text in said.settings.items() if text != default[name]}


@given(st.integers(1, 2**2000))
def test_any_number_with_its_check_has_a_meaning_or_is_refused(number):
    try:
        said = meaning(written(number))
    except ShortLinkError as error:
        assert str(error).startswith(("This short link is damaged", "This short link was made by a newer"))
    else:
        assert isinstance(said.path, str)


def test_the_longest_token_is_answered_at_once():
    draw = random.Random(1)
    began = time.monotonic()
    for start in ((1,), (1, 0, 0x7F), (1, 0, *[7] * 8)):
        digits = Digits()
        for digit in start:
            digits.put(digit % 8, 8)
        digits.put(draw.randrange(2**9000), 2**9000)
        text = written(digits.number)
        assert len(text) <= LONGEST
        try:
            meaning(text)
        except ShortLinkError as error:
            assert str(error)
    assert time.monotonic() - began < 1


def test_a_token_of_another_format_or_of_a_page_unknown_here_is_of_a_newer_version():
    for format_, place in ((3, 1), (2, 5000)):
        digits = Digits()
        digits.put(format_, 8)
        digits.put_whole(place)
        with pytest.raises(
            ShortLinkError, match=r"^This short link was made by a newer version of .*Try again"
        ):
            meaning(written(digits.number))


@pytest.fixture
def history(monkeypatch):
    """Let the pages on record be these."""

    def stands(*pages):
        monkeypatch.setattr(recorded, "pages", lambda: pages)
        monkeypatch.setattr("views.short_link.token.pages", lambda: pages)

    return stands


def page(defaults, **words):
    return Recorded(path="/hello", defaults=defaults, words={name: words.get(name, ()) for name in defaults})


def test_a_later_change_of_a_default_changes_no_token(history):
    old, new = page({"since": "2012", "level": "90"}), page({"since": "2015", "level": "90"})
    history(old)
    text = token("/hello", {"since": "2012", "level": "95"})
    history(old, new)
    assert meaning(text).settings == {"since": "2012", "level": "95"}
    assert meaning(token("/hello", {"since": "2012", "level": "90"})).choices == {"since": "2012"}


def test_a_setting_that_came_later_stands_at_the_default_it_came_with(history):
    first = page({"since": "2012"})
    history(first)
    text = token("/hello", {"since": "2018"})
    history(first, page({"since": "2012", "level": "90"}), page({"since": "2012", "level": "80"}))
    assert meaning(text).settings == {"since": "2018", "level": "90"}
    assert meaning(text).choices == {"since": "2018"}


def test_what_is_not_on_record_is_spelled_out(history):
    history(page({"level": "90"}, level=("90", "95")))
    for path in ("/hello", "/unheard"):
        chosen = {"level": "99", "find": "Ünïcode & more", "top": "10"}
        said = meaning(token(path, chosen))
        assert (said.path, said.settings) == (path, chosen)


def test_an_option_that_was_put_before_others_moves_none_of_them(history):
    old = page({"chips": "all"}, chips=("all", "flagships"))
    history(old)
    text = token("/hello", {"chips": "flagships"})
    history(old, page({"chips": "all"}, chips=("new", "flagships", "all")))
    assert meaning(text).settings == {"chips": "flagships"}


def test_a_page_holds_pages():
    gap = VIEWS["/growth-gap"].settings().described()
    parts = [("/growth-gap", gap | {"since": year}) for year in ("2014", "2015")]
    said = meaning(token("/deck", {"title": "Für den Vorstand", "release": "latest"}, parts=parts))
    assert said.choices == {"title": "Für den Vorstand", "release": "latest"}
    assert [(part.path, part.settings) for part in said.parts] == parts


def test_usual_links_have_short_tokens():
    for view in VIEWS.values():
        text = token(view.path, view.settings(release=names()[-1]).described())
        assert len(text) <= 15 and read(text)


@given(NUMBERS)
def test_capitals_and_letters_that_look_alike_are_read_as_the_same(number):
    text = written(number)
    assert read(text.upper()) == number
    for plain, alike in (("0", "oO"), ("1", "iIlL")):
        for other in alike:
            assert read(text.replace(plain, other)) == number


@given(NUMBERS, st.data())
def test_other_letters_within_five_neighbours_and_letters_lost_twice_or_exchanged_are_found(number, data):
    text = written(number)
    start = data.draw(st.integers(0, len(text) - 1))
    stretch = text[start : start + 5]
    other = data.draw(
        st.text(LETTERS, min_size=len(stretch), max_size=len(stretch)).filter(lambda s: s != stretch)
    )
    with pytest.raises(ShortLinkError, match="damaged or cut short"):
        read(text[:start] + other + text[start + 5 :])
    place = data.draw(st.integers(0, len(text) - 2))
    lost = text[:place] + text[place + 1 :]
    twice = text[:place] + text[place] + text[place:]
    exchanged = text[:place] + text[place + 1] + text[place] + text[place + 2 :]
    for changed in {lost, twice, exchanged, text[:place], f"0{text}"} - {text}:
        with pytest.raises(ShortLinkError):
            read(changed)


@given(st.text(max_size=100))
def test_any_text_is_read_or_refused(text):
    try:
        number = read(text)
    except ShortLinkError as error:
        assert str(error).startswith("This short link is damaged or cut short: ")
    else:
        assert written(number) == written(read(text.lower()))


def test_a_text_longer_than_is_read_is_refused_and_not_repeated_in_full():
    with pytest.raises(
        ShortLinkError, match=f"got '{'1' * 24}…'. Copy it again in full, or ask the sender for"
    ):
        read("1" * (LONGEST + 1))


def test_what_is_written_is_what_is_read():
    assert FILE.read_text(encoding="utf-8") == as_text(pages())
    assert [from_json(item) for item in json.loads(as_text([PAGE, PAGE]))] == [PAGE, PAGE]


@pytest.mark.parametrize(
    "change",
    [{"path": "/hallo"}, {"settings": {"since": {"default": "2021", "words": []}}}, {"settings": {}}],
)
def test_a_changed_record_is_refused(change):
    (item,) = json.loads(as_text([PAGE]))
    with pytest.raises(
        ValueError, match=r"the entry of /h.llo with digest [0-9a-f]{16} was changed\. Restore it"
    ):
        from_json(item | change)


def test_the_newest_record_of_a_page_counts_and_earlier_ones_stay():
    assert newest("/hello") is None
    for place, page in enumerate(pages()):
        assert since(place)[0] == page
        assert pages()[newest(page.path) or 0] == since(place)[-1]


def test_released_records_are_never_changed_moved_or_removed():
    """released.txt: the digests of the records as first released; a new record is a new line at the end."""
    released = Path(__file__).with_name("released.txt").read_text().split()
    assert [digest(page) for page in pages()][: len(released)] == released


def test_a_digit_at_or_above_its_base_and_a_text_too_long_are_refused():
    with pytest.raises(ValueError, match=r"A digit lies between 0 and its base 3; got 3\."):
        Digits().put(3, 3)
    with pytest.raises(ValueError, match=r"A text has at most 400 characters here; got 401\."):
        Digits().put_text("a" * 401)
