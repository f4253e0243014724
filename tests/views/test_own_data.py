"""Readers' own data and answers: within their bounds, gone with the session, the same when they come back."""

import gc
import weakref
from dataclasses import replace

import pandas as pd
import pytest

from data.releases import TABLES, from_export
from tests.data import exports
from views import own_data
from views.own_data import ANSWERS_BYTE, READERS, UNPACKED, OwnData, answers_of

ROWS = [{"name": f"Model {n}", "published_on": f"{2013 + n}-03-01"} for n in range(9)]


@pytest.fixture
def release():
    return from_export(exports.models(*ROWS), None, name="your export")


@pytest.fixture(autouse=True)
def no_other_readers():
    gc.collect()
    UNPACKED.clear()
    own_data._answers.clear()


def test_data_that_rested_are_the_same_to_every_type(release):
    own = OwnData(release)
    assert own.release is own.release
    UNPACKED.clear()
    for table in TABLES:
        pd.testing.assert_frame_equal(getattr(own.release, table), getattr(release, table))
    assert all(getattr(own.release, part) == getattr(release, part) for part in ("name", "origin", "base"))


def test_two_sessions_with_the_same_rows_share_nothing(release):
    assert OwnData(release).release is not OwnData(release).release


def test_a_release_goes_with_its_answers_when_others_have_come_since(release):
    own = OwnData(release)
    read = weakref.ref(own.release)
    answers_of(own.release, shared=()).put("an answer that refers to its data", own.release, byte=1)
    UNPACKED.clear()
    assert read() is not None
    for _ in range(READERS):
        answers_of(replace(release), shared=())
    gc.collect()
    assert read() is None


def test_the_answers_of_one_reader_have_an_equal_part(release):
    answers = answers_of(release, shared=())
    assert answers.keep_byte * READERS == ANSWERS_BYTE
    assert answers_of(release, shared=()) is answers is not answers_of(replace(release), shared=())
