"""Tokens keep their meaning."""

import random
import time
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.views.links import settings
from views.registry import VIEWS
from views.short_link import recorded
from views.short_link.digits import Digits
from views.short_link.letters import LETTERS, LONGEST, read, written
from views.short_link.recorded import Recorded, pages
from views.short_link.refused import ShortLinkError
from views.short_link.token import meaning, token
from views.view import pinned

EVERY_VIEW = st.sampled_from(list(VIEWS.values()))
VERSION_1 = {
    "1rxh47sg1mh": ("/?release=2026-07&since=2012&domain=all&chips=all&level=50&to=2030"),
    "1r52924mc1jcc": (
        "/growth-gap?release=2025-11&since=2009&domain=all&chips=nvidia-flagships&level=90&to=2030"
        "&compare=all&top=10&precision=fp16&compute_growth=5&bandwidth_growth=1.28"
    ),
    "1ccnrk7rc2w1h": (
        "/compute-to-memory?release=2026-07&until=end&estimator=least-squares&tau=0.5"
        "&interval=calibrated&level=90&to=2030&precision=fp16&rule=flagships&vendor=nvidia"
        "&ratio=bandwidth&since=2020&chip=h100&batch=64&prompt=2048&tokens=8192"
    ),
    "anem17m5fxem1f": (
        "/training-compute?release=2025-11&until=end&estimator=least-squares&tau=0.5&interval=bootstrap"
        "&level=90&to=2030&rule=frontier&top=10&domain=all&since=2024-03&finetunes=include"
        "&confidence=confident"
    ),
    "2smhpsn72yvp2q": (
        "/accelerators?release=2025-11&until=end&estimator=least-squares&tau=0.5&interval=classical"
        "&level=90&to=2030&metric=memory-bandwidth&rule=all&top=15&vendor=all&since=2008&memory=off-chip"
        "&kind=all&curation=curated"
    ),
    "vnzp5agwcv2": (
        "/growth-accounting?release=2025-11&rule=frontier&top=10&domain=all&since=2018&until=end"
        "&confidence=likely&interval=bootstrap&level=80"
    ),
    "mfc8dj753b5ss4": (
        "/track-record?release=2026-07&series=power&rule=records&horizon=2&since=2012&top=21&domain=all"
        "&estimator=least-squares&level=90"
    ),
    "zg2wpdsegr54w18pk": (
        "/placement?release=2025-11&work=laptop-coding&model=usual&stay=usual&year=2026&format=usual"
        "&billions=8&prompt=&kept=&output=&requests=&people=&peak=&first_token=&speed=&budget="
        "&offline=no&sure=80&device=none&chips=&renting=by-use&rent_change=100&utilization=60"
        "&network=usual&years=12.019&charged=usual&electricity=0.165&sustained=by-work&edge_model=usual"
        "&kept_on_edge=&split=after-try&map=requests&tuning=usual&tuning_tokens=&deadline="
    ),
    "5gqcrhc062ymy3fsh0s5qnay4j": (
        "/training-run?release=2025-11&model=llama-3.1-405b&accelerator=h100-sxm&accelerators=16384"
        "&plan=auto&tokens=&compute=&batch=16.8&sequence=8192&ramp_from=1&ramp_tokens=0&layers=96"
        "&hidden=12288&heads=96&vocabulary=51200&experts=1&active_experts=1&precision=fp16&peak="
        "&bandwidth=&memory=72944.529&link=&network=&domain=&jitter=0.8&storage=2000&available=&tensor=8"
        "&pipeline=16&context=1&expert=1&interleave=8&micro_batch=68&zero=1&recompute=selective"
        "&overlap=50&hours_per_failure=50677&restart=10&spares=0&checkpoint=0&saving=stop&price=&power="
        "&pue=1.2&sites=1&local_steps=100&wide_area=100"
    ),
    "4p64d39r5gt7m39xpf": (
        "/latency-floor?release=2025-11&model=llama-3.1-70b&format=fp8&chip=tpu-v7&tensor_parallel=8"
        "&pipeline_parallel=0&context=8192&batch=4&cache_format=fp16&active_share=0.76"
        "&speculative_tokens=0&acceptance=0.8&draft_share=0.05&latency=1"
    ),
    "wq5zw468v650efff": (
        "/techniques?release=2025-11&technique=int4-weights&phase=prefill&model=llama-3.1-70b&chip=h100"
        "&second=none&third=none&measure=time&batch=1&context=110&devices=64&rule=all&since=2012"
        "&level=90"
    ),
    "4fqcrw43e699b": (
        "/claims?release=2025-11&article=all&verdict=all&find=&quantity=training-compute-2018&value="
        "&topic=hardware"
    ),
    "6a56x66tm6617t143010x6tt7j2k": (
        "/data?release=2025-11&table=memory-generations&find=no+such+row&against=2026-07"
    ),
    "44j67jf9h7": (
        "/growth-gap?release=2026-07&since=2012&domain=all&chips=nvidia-flagships&level=90&to=2030"
        "&compare=all&top=10&precision=fp16&compute_growth=5&bandwidth_growth=1.28"
    ),
    "15c91c047gae6wxadce6z3tefqh0x74185w3": (
        "/data?release=2026-07&table=training-runs&find=%C3%9Cn%C3%AFcode+%26+more&against=previous"
    ),
}
"""Tokens of the first format -> the link each stands for, for good. A line here is never changed."""


@pytest.mark.parametrize("text", VERSION_1)
def test_a_token_means_for_good_what_it_meant_at_first(text):
    path, _, query = VERSION_1[text].partition("?")
    said = meaning(text)
    assert said.path == path
    first = dict(parse_qsl(query, keep_blank_values=True))
    assert {name: said.settings[name] for name in first} == first
    # A setting that came later stands at the default it came with, which is what was meant before.
    came = {
        name: page.defaults[name] for page in reversed(pages()) if page.path == path for name in page.defaults
    }
    assert dict(said.settings) == {name: came[name] for name in came.keys() - first.keys()} | first


@given(EVERY_VIEW.flatmap(lambda view: st.tuples(st.just(view), settings(view))))
def test_every_link_comes_back_from_its_token(drawn):
    view, chosen = drawn
    said = meaning(token(view.path, pinned(chosen).described()))
    assert (said.path, said.settings) == (view.path, pinned(chosen).described())
    default = view.settings().described()
    assert said.given == {name: text for name, text in said.settings.items() if text != default[name]}


@given(EVERY_VIEW.flatmap(lambda view: st.tuples(st.just(view), settings(view))), st.data())
def test_a_changed_letter_is_refused_or_means_the_same(drawn, data):
    view, chosen = drawn
    text = token(view.path, pinned(chosen).described())
    place = data.draw(st.integers(0, len(text) - 1))
    for letter in "".join({*LETTERS, *LETTERS.upper(), *"iloIL-_. é"}):
        changed = text[:place] + letter + text[place + 1 :]
        try:
            assert meaning(changed) == meaning(text)
        except ShortLinkError as error:
            assert "damaged or cut short" in str(error)


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
    for format_, place in ((2, 1), (1, 5000)):
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
    assert meaning(token("/hello", {"since": "2012", "level": "90"})).given == {"since": "2012"}


def test_a_setting_that_came_later_stands_at_the_default_it_came_with(history):
    first = page({"since": "2012"})
    history(first)
    text = token("/hello", {"since": "2018"})
    history(first, page({"since": "2012", "level": "90"}), page({"since": "2012", "level": "80"}))
    assert meaning(text).settings == {"since": "2018", "level": "90"}
    assert meaning(text).given == {"since": "2018"}


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
    parts = [
        ("/growth-gap", VIEWS["/growth-gap"].settings().described() | {"since": year})
        for year in ("2014", "2015")
    ]
    said = meaning(token("/deck", {"title": "Für den Vorstand", "release": "latest"}, parts=parts))
    assert said.given == {"title": "Für den Vorstand", "release": "latest"}
    assert [(part.path, part.settings["since"]) for part in said.parts] == [
        ("/growth-gap", "2014"),
        ("/growth-gap", "2015"),
    ]


def test_usual_links_have_short_tokens():
    for view in VIEWS.values():
        text = token(view.path, pinned(view.settings()).described())
        assert len(text) <= 13 and read(text)
