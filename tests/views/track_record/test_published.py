from typing import Any

import pytest

from views.track_record.published import published_rate
from views.track_record.settings import TrackRecordSettings
from views.track_record.view import VIEW
from views.view import answer


def ask(**settings) -> Any:
    return answer(VIEW, TrackRecordSettings(**settings))


def test_hindsight_is_told():
    assert any("today's data for past rows" in note and "hindsight" in note for note in ask().sure)


def test_the_published_rate_is_a_rival_only_where_one_was_published():
    names_of = [figure.name for figure in ask(series="chip-link", rule="all").figures]
    assert "skill_published" not in names_of
    assert "skill_published" in [figure.name for figure in ask().figures]


@pytest.mark.parametrize(
    ("series", "words"),
    [
        ("training-compute", "5× a year"),
        ("memory-bandwidth", "28 % a year"),
        ("memory-capacity", "doubling in 4 years"),
        ("fp32", "doubling in 2.3 years"),
        ("fp16", "28 % a year"),
        ("flop-per-watt", "26 % a year"),
    ],
)
def test_a_published_rate_is_told_as_its_source_prints_it(series, words):
    rate = published_rate(series)
    assert rate is not None and rate.words == words
    assert 1 < rate.yearly_growth <= 5
