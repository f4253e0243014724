from typing import Any

import pytest

from views.track_record.settings import TrackRecordSettings
from views.track_record.view import VIEW
from views.view import answer


def ask(**settings) -> Any:
    return answer(VIEW, TrackRecordSettings(**settings))


@pytest.mark.parametrize("horizon", [1, 2, 3, 4])
def test_the_figures_are_those_of_the_tables(horizon):
    result = ask(horizon=horizon)
    by_year = {row[0]: row for row in result.exhibits[1].table.rows}
    row = by_year[("First", "Second", "Third", "Fourth")[horizon - 1] + " year ahead"]
    assert result.figure("coverage").value == row[1]
    assert result.figure("median_error_log10").value == row[5]
    pairs = [row for row in result.table.rows if row[3] == horizon]
    assert sum(row[-1] == "yes" for row in pairs) / len(pairs) == pytest.approx(
        result.figure("coverage").value
    )
    errors = {row[0]: row[horizon] for row in result.exhibits[2].table.rows}
    assert errors["This forecast"] == result.figure("median_error_log10").value
    skill = 1 - errors["This forecast"] / errors["No growth"]
    assert result.figure("skill_no_growth").value == pytest.approx(skill)


def test_the_last_record_is_set_against_the_trend_in_two_ways():
    """No run has beaten Grok 4 of July 2025; the newest row is of July 2026."""
    result = ask(release="2026-07")
    told = next(note for note in result.sure if note.startswith("No run has beaten the record of Jul 2025"))
    assert "cannot tell fewer large runs from runs whose numbers are not yet known" in told
    pace, came = (result.figure(f"no_record_{way}").value for way in ("at_pace", "as_came"))
    assert 0 < pace < 0.15
    assert 0.3 < came < 0.8


def test_a_slowing_is_claimed_only_where_the_break_test_finds_one():
    runs, chips = ask(release="2026-07"), ask(series="memory-bandwidth", release="2026-07")
    assert runs.figure("break_p_value").value > 0.05
    assert any(note.startswith("No slowing is established") for note in runs.sure)
    assert chips.figure("break_p_value").value < 0.05
    assert any(note.startswith("The trend has quickened") for note in chips.sure)
