"""What is computed of a release is kept; readers' own data within their bounds, the same when they come back."""

import gc
import weakref
from dataclasses import replace

import pandas as pd
import pytest

from analysis.serving.tables import model
from data.releases import TABLES, from_export, latest, load
from tests.browser.reader import result_of
from tests.data import exports
from views import kept as kept_module
from views.kept import FINDINGS, KEEP_BYTE, SHARED, OwnData, kept, store_of
from views.store import byte_of

ROWS = [{"name": f"Model {n}", "published_on": f"{2013 + n}-03-01"} for n in range(9)]


def test_a_frozen_release_is_computed_once_for_each_further_argument():
    requested = []

    @kept
    def rows(release, table="runs"):
        """Return how many rows there are."""
        requested.append(table)
        return None if table == "none" else len(release.training_runs)

    release = load(latest())
    assert rows(release) == rows(release) == rows(release, "all") == len(release.training_runs)
    assert rows(release, "none") is rows(release, "none") is None
    assert requested == ["runs", "all", "none"], "that nothing was found is kept, too"
    assert rows.__doc__ == "Return how many rows there are."


def test_a_reader_s_own_release_is_computed_once_too_and_apart_from_others():
    requested = []

    @kept
    def rows(release):
        requested.append(release)
        return len(release.training_runs)

    own, other = (replace(load(latest()), name="your export", origin="own models") for _ in range(2))
    kept_byte = FINDINGS.kept_byte
    assert rows(own) == rows(own) == rows(other) == len(own.training_runs)
    assert len(requested) == 2 and requested[0] is own and requested[1] is other
    assert FINDINGS.kept_byte == kept_byte


def test_a_release_that_only_bears_the_name_of_a_frozen_one_is_computed_afresh():
    rows = kept(lambda release: len(release.training_runs))
    release = load(latest())
    assert rows(release) > 3
    fewer = replace(release, training_runs=release.training_runs.iloc[:3])
    assert rows(fewer) == rows(replace(fewer, name="your export", origin="own models")) == 3


@pytest.mark.parametrize("path", ["/placement", "/cost-of-tokens", "/fleet", "/training-run"])
def test_an_answer_is_charged_with_what_it_holds_and_not_with_the_fitted_models(path):
    result = result_of(path)
    list(result.exhibits)
    assert byte_of(result, shared=SHARED) < 12e6 < byte_of(model()) < KEEP_BYTE


@pytest.fixture
def release():
    return from_export(exports.models(*ROWS), None, name="your export")


@pytest.fixture(autouse=True)
def no_other_readers():
    gc.collect()
    kept_module.UNPACKED.clear()
    kept_module._answers.clear()


def test_data_that_rested_are_the_same_to_every_type_and_two_sessions_share_none(release):
    own = OwnData(release)
    assert own.release is own.release
    kept_module.UNPACKED.clear()
    for table in TABLES:
        pd.testing.assert_frame_equal(getattr(own.release, table), getattr(release, table))
    assert all(getattr(own.release, part) == getattr(release, part) for part in ("name", "origin", "base"))
    assert OwnData(release).release is not OwnData(release).release


def test_a_release_goes_with_its_answers_when_others_have_come_since(release):
    own = OwnData(release)
    read = weakref.ref(own.release)
    store_of(own.release).put("an answer that refers to its data", own.release, byte=1)
    kept_module.UNPACKED.clear()
    assert read() is not None
    for _ in range(kept_module.READERS):
        store_of(replace(release))
    gc.collect()
    assert read() is None


def test_the_answers_of_one_reader_have_an_equal_part(release):
    answers = store_of(release)
    assert answers.keep_byte * kept_module.READERS == kept_module.ANSWERS_BYTE
    assert store_of(release) is answers is not store_of(replace(release))
