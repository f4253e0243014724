"""Readers' own data and answers: within their bounds, gone with the session, the same when they come back."""

import gc
import weakref

import pandas as pd
import pytest

from data.releases import TABLES, from_export
from tests.data import exports
from views import own_data
from views.own_data import UNPACKED, OwnAnswers, OwnData, answers_of

ROWS = [{"name": f"Model {n}", "published_on": f"{2013 + n}-03-01"} for n in range(9)]


@pytest.fixture
def release():
    return from_export(exports.models(*ROWS), None, name="your export")


@pytest.fixture(autouse=True)
def no_other_readers():
    gc.collect()
    UNPACKED.clear()
    for answers in list(own_data._live):
        answers.clear()


def test_data_that_rested_are_the_same_to_every_type(release):
    own = OwnData(release)
    assert own.release is own.release
    UNPACKED.clear()
    for table in TABLES:
        pd.testing.assert_frame_equal(getattr(own.release, table), getattr(release, table))
    assert all(getattr(own.release, part) == getattr(release, part) for part in ("name", "origin", "base"))


def test_two_sessions_with_the_same_rows_share_nothing(release):
    assert OwnData(release).release is not OwnData(release).release


def test_a_release_goes_with_its_answers_when_it_is_not_read_any_more(release):
    own = OwnData(release)
    read = weakref.ref(own.release)
    answers = answers_of(own.release, shared=())
    answers.put("an answer that refers to its data", own.release, byte=1)
    kept = weakref.ref(answers)
    del answers
    UNPACKED.clear()
    gc.collect()
    assert read() is kept() is None


def test_answers_of_all_readers_share_one_bound(monkeypatch):
    monkeypatch.setattr(own_data, "ANSWERS_BYTE", 100)
    readers = [OwnAnswers(shared=()) for _ in range(3)]
    for reader, byte in zip(readers, (40, 40, 50), strict=True):
        reader.put("question", "answer", byte=byte)
    assert [reader.get("question") for reader in readers] == [None, "answer", "answer"]
    readers[1].put("another", "answer", byte=20)
    assert [reader.kept_byte for reader in readers] == [0, 60, 0]


def test_one_reader_has_a_share_of_it():
    answers = OwnAnswers(shared=())
    for number in range(9):
        answers.put(number, "answer", byte=own_data.SHARE_BYTE / 4)
    assert answers.kept_byte == own_data.SHARE_BYTE < own_data.ANSWERS_BYTE / 3
    assert answers.get(0) is None and answers.get(8) == "answer"
