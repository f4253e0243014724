"""A reader's own data: taken or refused, and what a page asks of them."""

import pytest

from data.releases import from_export
from panel.answer import PanelSettings, answer_of
from panel.own_data import answer_from, curated
from tests.data import exports
from views.kept import OwnData
from views.registry import VIEWS
from views.view import read

VIEW = VIEWS["/training-compute"]


@pytest.fixture(scope="module")
def own():
    return OwnData(from_export(exports.models(*exports.RUNS), None, name="your export"))


def test_an_export_is_taken_or_what_is_wrong_with_it_is_said():
    own = curated(exports.models(*exports.RUNS), None, files=("models.csv", ""))
    assert isinstance(own, OwnData) and len(own.release.training_runs) == len(exports.RUNS)
    assert curated(b"Model\n", None, files=("models.csv", "")) == [
        "models.csv: the file has one row; an export has a header and at least one row."
    ]


@pytest.mark.parametrize("part", ["finding", "page", "further", "share", "table"])
def test_what_a_page_asks_is_answered_from_the_reader_s_rows(part, own):
    settings, _ = read(VIEW, "since=2015")
    wanted = PanelSettings(part=part)
    body = answer_of(VIEW, settings, wanted=wanted, release=own.release)
    assert answer_from(own, {"query": "since=2015", "part": part}, path=VIEW.path) == {"body": body}


def test_what_cannot_be_answered_is_said_in_words(own):
    answer = answer_from(own, {"query": "", "part": "table", "exhibit": 9}, path=VIEW.path)
    assert answer["problem"].startswith("exhibit: got '9'; allowed: a whole number from 1 to ")


@pytest.mark.parametrize("query", ["since=nonsense&x=%00", "\x00", "a" * 10_000])
def test_a_hostile_question_is_answered_at_the_default_with_what_was_ignored(query, own):
    answer = answer_from(own, {"query": query, "part": "finding"}, path=VIEW.path)
    assert answer["body"]["controls"]["since"][0] == "2012"
