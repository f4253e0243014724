"""A reader's own data: which session reads them, and how its panel is answered."""

from unittest.mock import Mock

import pytest
from streamlit.testing.v1 import AppTest

from data.releases import from_export
from pages.show import BROUGHT, BROUGHT_FILES, _answer
from panel.own_data import answer_from
from tests.data import exports
from tests.pages.conftest import go_to
from views.compute_pool import Busy
from views.kept import OwnData
from views.registry import VIEWS
from views.worker import WORKER

VIEW = VIEWS["/training-compute"]


@pytest.fixture(scope="module")
def own():
    return OwnData(
        from_export(exports.models(*exports.RUNS), None, name="your export", files=("models.csv", ""))
    )


def with_own(page: AppTest, own, *, files=("a",), used=True) -> AppTest:
    page.session_state[BROUGHT] = own
    page.session_state[BROUGHT_FILES] = files
    page.session_state["use_brought"] = used
    return page.run()


def test_a_session_with_an_export_tells_its_panels_and_another_does_not(*, open_page, sent, own):
    page = with_own(open_page("/training-compute"), own)
    assert not page.exception
    assert sent(page)["scaling_gap_panel"]["own"] == {"id": "a", "answer": None}
    page = go_to(page, "/accelerators").run()
    assert sent(page)["scaling_gap_panel"]["own"]["id"] == "a"
    assert sent(open_page("/training-compute"))["scaling_gap_panel"]["own"] is None


def test_another_export_has_another_name_and_one_switched_off_none(*, open_page, sent, own):
    page = with_own(open_page("/training-compute"), own, files=("a",))
    again = sent(with_own(page, own, files=("b", "c")))["scaling_gap_panel"]["own"]
    assert again["id"] == "b c"
    assert sent(with_own(page, own, used=False))["scaling_gap_panel"]["own"] is None


def test_what_the_panel_asks_is_answered_by_the_worker_with_the_name_of_the_question(own):
    wanted = {"query": "since=2015", "part": "finding"}
    answer = _answer(VIEW, {"asked": {"id": "s-1", "attempt": 2, **wanted}}, own=own)
    assert answer == {"id": "s-1", **answer_from(own, wanted, path=VIEW.path)}
    assert WORKER.memory_byte


def test_where_the_worker_has_no_time_the_panel_is_told_when_to_come_back(monkeypatch, own):
    monkeypatch.setattr(WORKER, "call", Mock(side_effect=Busy("too much", retry_after_s=7)))
    assert _answer(VIEW, {"asked": {"id": "s-1", "query": ""}}, own=own) == {"id": "s-1", "busy_s": 7}
