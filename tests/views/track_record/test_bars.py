from typing import Any

from views.track_record.settings import TrackRecordSettings
from views.track_record.view import VIEW
from views.view import answer


def ask(**settings) -> Any:
    return answer(VIEW, TrackRecordSettings(**settings))


def test_where_intervals_were_too_narrow_the_page_says_so_and_offers_the_calibrated_one():
    result = ask(series="memory-bandwidth", release="2026-07")
    assert result.figure("coverage").high < 0.9
    assert "held 79 % of chips" in result.headline and result.subtitle.startswith("Too narrow: ")
    assert result.notes[0].startswith("Intervals that state 90 % held less: 79 % in the second year")
    assert "calibrated interval" in result.notes[0]
    assert "too narrow in the second, third and fourth year ahead" in result.exhibits[1].chart.title


def test_where_they_were_wide_enough_nothing_is_warned_of():
    result = ask(release="2026-07")
    assert result.subtitle.startswith("Wider than needed: ")
    assert not any("held less" in note for note in result.notes)


def test_the_kinked_estimator_is_set_against_the_straight_trend():
    labels = [row[0] for row in ask(estimator="kinked").exhibits[2].table.rows]
    assert "Straight trend" in labels
    assert "Kinked trend" not in labels
