from typing import Any

import pytest

from data.releases import latest, load, names
from views.track_record import vintages
from views.track_record.settings import TrackRecordSettings
from views.track_record.view import VIEW
from views.view import answer

RELEASE = load(latest())


def ask(**settings) -> Any:
    return answer(VIEW, TrackRecordSettings(**settings))


def test_the_release_before_is_set_against_this_one():
    result = ask(release="2026-07")
    note = next(note for note in result.sure if note.startswith("Release 2025-11 gave"))
    assert "too few to judge by" in note
    assert result.figure("yearly_growth_before").value == pytest.approx(4.7, abs=0.2)
    rows = result.exhibits[3].table.rows
    kinds = [row[0] for row in rows]
    assert kinds.count("revised") == result.figure("revised").value
    assert kinds.count("inside") + kinds.count("outside") == result.figure("new_since").value
    revised = next(row for row in rows if row[1] == "Megatron-LM (1.2B)")
    assert revised[3] == pytest.approx(10 * revised[4], rel=0.01)


def test_the_first_release_has_none_before_it_and_a_readers_own_data_the_newest():
    from dataclasses import replace

    assert vintages.earlier(load(names()[0])) is None
    assert vintages.earlier(RELEASE) == names()[-2]
    assert vintages.earlier(replace(RELEASE, name="your export")) == latest()
    assert len(ask(release=names()[0]).exhibits) == 3
