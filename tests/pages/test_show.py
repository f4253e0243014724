"""A reader's own data: which session reads them, and how its panel is answered."""

from dataclasses import replace
from unittest.mock import Mock

import pytest
from streamlit.testing.v1 import AppTest

from data.releases import from_export
from pages import show
from pages.show import BROUGHT, BROUGHT_FILES, _answer
from panel.answer import PanelSettings, answer_of
from tests.data import exports
from views.admission import POOL
from views.own_data import OwnData
from views.registry import VIEWS
from views.view import read

VIEW = VIEWS["/training-compute"]
RUNS = [
    {"name": f"Model {n}", "published_on": f"{2013 + n}-03-01", "training_compute_flop": f"1e{18 + n}"}
    for n in range(10)
]


@pytest.fixture(scope="module")
def own():
    return OwnData(from_export(exports.models(*RUNS), None, name="your export", files=("models.csv", "")))


def with_own(page: AppTest, own, *, files=("a",), used=True) -> AppTest:
    page.session_state[BROUGHT] = own
    page.session_state[BROUGHT_FILES] = files
    page.session_state["use_brought"] = used
    return page.run()


def test_a_session_with_an_export_tells_its_panels_and_another_does_not(*, open_page, told, own):
    page = with_own(open_page("/training-compute"), own)
    assert not page.exception
    assert told(page)["scaling_gap_panel"]["own"] == {"id": "a", "answer": None}
    page = page.switch_page("accelerators.py").run()
    assert told(page)["scaling_gap_panel"]["own"]["id"] == "a"
    assert told(open_page("/training-compute"))["scaling_gap_panel"]["own"] is None


def test_another_export_has_another_name_and_one_switched_off_none(*, open_page, told, own):
    page = with_own(open_page("/training-compute"), own, files=("a",))
    again = told(with_own(page, own, files=("b", "c")))["scaling_gap_panel"]["own"]
    assert again["id"] == "b c"
    assert told(with_own(page, own, used=False))["scaling_gap_panel"]["own"] is None


def test_what_the_panel_asks_is_answered_from_the_reader_s_rows(own):
    settings, _ = read(VIEW, "since=2015")
    for part in ("finding", "page", "further", "share", "table"):
        asked = {"id": "s-1", "query": "since=2015", "part": part}
        said = _answer(VIEW, {"asked": asked}, own=own)
        wanted = PanelSettings(part=part)
        assert said == {"id": "s-1", "body": answer_of(VIEW, settings, wanted=wanted, release=own.release)}


def test_answers_from_own_data_are_computed_apart_from_those_of_all(monkeypatch, own):
    jobs = []

    def in_turn(key, make, *, kind, dear):
        jobs.append((kind, dear))
        return make()

    monkeypatch.setattr(show, "in_turn", in_turn)
    assert not VIEW.dear(VIEW.settings())
    _answer(VIEW, {"asked": {"id": "s-1", "query": ""}}, own=own)
    assert jobs == [("training-compute own", True)]


def test_the_rates_of_own_data_are_computed_apart_too(*, open_page, own, monkeypatch):
    before, ordered = POOL.order, []
    monkeypatch.setattr(
        POOL,
        "order",
        lambda key, make, **how: ordered.append((how["kind"], how["dear"])) or before(key, make, **how),
    )
    page = with_own(open_page("/data"), own)
    assert not page.exception and page.dataframe
    assert ordered == [("rates own", True)]


def test_a_second_look_at_own_data_computes_nothing_again(monkeypatch, own):
    build = Mock(wraps=VIEW.build)
    view = replace(VIEW, build=build)
    looks = [
        _answer(view, {"asked": {"id": "s-1", "query": "since=2016", "part": part}}, own=own)
        for part in ("page", "further")
    ]
    assert all(look and "body" in look for look in looks)
    assert build.call_count == 1


def test_a_panel_that_asked_nothing_is_answered_nothing(own):
    assert _answer(VIEW, None, own=own) is None
    assert _answer(VIEW, {}, own=own) is None
    assert _answer(VIEW, {"asked": None}, own=own) is None


def test_what_cannot_be_answered_is_told_in_words(own):
    asked = {"id": "s-2", "query": "", "part": "table", "exhibit": 9}
    said = _answer(VIEW, {"asked": asked}, own=own)
    assert said is not None and said["id"] == "s-2"
    assert said["problem"].startswith("exhibit: got '9'; allowed: a whole number from 1 to ")


@pytest.mark.parametrize("query", ["since=nonsense&x=%00", "\x00", "a" * 10_000])
def test_a_hostile_question_is_answered_at_the_default_with_what_was_ignored(query, own):
    said = _answer(VIEW, {"asked": {"id": "s-3", "query": query, "part": "finding"}}, own=own)
    assert said is not None
    assert said["body"]["controls"]["since"][0] == "2012"
