"""A link that is pinned to a release says on page, in JSON and on the slide when code moved its numbers."""

import json
from dataclasses import replace
from datetime import date
from io import BytesIO

import pytest
from pptx import Presentation

from data import records
from data.records import Move
from data.releases import load
from panel import page
from panel.answer import PanelSettings, answer_of
from views.registry import VIEWS
from views.result import as_json
from views.training_compute import VIEW
from views.view import _moved_notes, answer
from web.forms import FORMS, Order, PictureSettings

MOVE = Move(
    day="2026-12-01",
    view="training-compute",
    release="2025-11",
    figure="yearly_growth",
    was="4.7× a year",
    now="4.6× a year",
    kind="method",
    reason="organizations are resampled whole",
)
NOTE = (
    "Until 1 Dec 2026, “Growth of compute” was 4.7× a year. It became 4.6× a year. "
    "Organizations are resampled whole."
)


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch):
    """Return what puts moves into the log for this test."""
    return lambda *moves: monkeypatch.setattr(records, "moves", lambda: moves)


def result(release: str = "2025-11", **settings: str):
    return answer(VIEW, VIEW.settings(release=release, **settings))


def test_a_number_that_moved_by_method_is_named_on_page_in_json_and_on_the_slide(log):
    log(MOVE)
    shown = result()
    note = NOTE.replace("Growth of compute", shown.figure("yearly_growth").label)
    assert shown.notes[0] == note
    shown_page = answer_of(VIEW, VIEW.settings(release="2025-11"), wanted=PanelSettings())
    assert note in json.dumps(shown_page, ensure_ascii=False, default=str)
    (told,) = as_json(shown)["moved"]
    said = {"figure": MOVE.figure, "from": MOVE.was, "to": MOVE.now, "day": MOVE.day}
    assert said.items() <= told.items()
    day = date(2027, 1, 1)
    order = Order(result=shown, options=PictureSettings(), origin="https://example.org", today=day)
    (slide,) = Presentation(BytesIO(FORMS["pptx"].write(order))).slides
    assert any(note in getattr(shape, "text", "") for shape in slide.shapes)
    assert slide.notes_slide.notes_text_frame and note in slide.notes_slide.notes_text_frame.text


def test_the_notes_of_the_view_stay_beside_it(log):
    plain = result()
    log(MOVE)
    assert list(result().notes)[1:] == list(plain.notes)
    (brief,) = result().moved_briefly
    assert brief.startswith("Until 1 Dec 2026, “") and brief.endswith("” was 4.7× a year.")
    many = replace(result(), notes=(NOTE, "One.", "Two.", "Three.", "Four."), moved_notes=(NOTE,))
    assert page._read(many)["notes"] == [brief, "One.", "Two.", "Three."]
    assert page._read(many)["changes"] == [NOTE, *many.changes]


@pytest.mark.parametrize(
    "change", [{"kind": "rows"}, {"kind": "correction"}, {"release": "2026-07"}, {"view": "growth-gap"}]
)
def test_other_moves_other_releases_and_other_views_are_not_named(log, change):
    log(Move(**{**MOVE.__dict__, **change}))
    assert result().moved == () and as_json(result())["moved"] == []
    assert result().notes == result(release="2025-11").notes


def test_other_settings_say_that_the_numbers_are_those_of_the_default_ones(log):
    log(MOVE)
    assert "was 4.7× a year at the default settings." in result(since="2018").notes[0]


def test_moves_of_one_day_and_reason_are_one_note_and_the_newest_day_is_first(log):
    others = [
        Move(**{**MOVE.__dict__, "figure": "value", "was": "1", "now": "2"}),
        Move(**{**MOVE.__dict__, "day": "2027-02-01", "reason": "Another reason."}),
    ]
    log(MOVE, *others)
    first, second, *_ = result().notes
    assert "Until 1 Feb 2027" in first and first.endswith(" Another reason.")
    assert "” was 4.7× a year. It became 4.6× a year, and 1 other figure also changed." in second


def test_a_figure_is_named_as_it_was_called():
    shown = result().figure("yearly_growth")
    for release, label in (("2024-01", "Yearly growth"), ("2025-11", shown.label)):
        move, now = replace(MOVE, release=release), replace(shown, label="Growth, in other words")
        ((note, _),) = _moved_notes([move], figures=(now,), at_defaults=True)
        assert note.startswith(f"Until 1 Dec 2026, “{label}” was 4.7× a year.")


def test_a_reader_s_own_data_have_no_past(log):
    log(MOVE)
    assert answer(VIEW, VIEW.settings(release="2025-11"), release=load("2025-11")).moved == ()


def test_the_log_names_views_that_there_are():
    assert {move.view for move in records.moves()} <= {view.name for view in VIEWS.values()}
