"""A note of a link's sender is shown as theirs in every form, and never as more than text."""

import io
import json
from dataclasses import replace
from datetime import date

import pytest
from pptx import Presentation
from pptx.shapes.autoshape import Shape

from charts.chart import BarChart, MapChart, Span, XYChart
from panel.page import Shown, page_html, page_parts
from views.deck import item
from views.note import BY, Note
from views.registry import VIEWS
from views.resolve import resolve
from views.setting_kinds import SettingError
from views.view import SHORT, answer, link, read, short, split
from web.forms import FORMS, Order

HOSTILE = "</script><script>alert(1)</script><b>'\"{{7*7}}%253Cb%253E [x](javascript:1)|2023:<img src=x>"
GAP = VIEWS["/growth-gap"]


def noted(view, note):
    settings, ignored = read(view, {"note": [note]})
    assert not ignored
    return settings, answer(view, settings)


@pytest.mark.parametrize("path", VIEWS)
def test_a_note_is_said_to_be_the_senders_on_every_view_and_changes_no_number(path):
    view = VIEWS[path]
    settings, result = noted(view, "Ours|2023:a year|2022..2024:a span|2023,1e3:a point")
    plain = answer(view, view.settings())
    assert (result.headline, result.figures, result.table) == (plain.headline, plain.figures, plain.table)
    assert result.printed_link == plain.printed_link
    chart, note = result.exhibits[0].chart, result.note
    assert note is not None and chart.note == f"{BY}: {note.words}" and chart.alt.endswith(chart.note)
    assert len(result.exhibits) == len(plain.exhibits)
    assert all(one.chart.note == chart.note for one in result.exhibits)
    assert resolve(short(view, settings).removeprefix(SHORT))[1].note == settings.note
    assert read(view, split(link(view, settings))[1])[0].note == settings.note
    shown = item(link(view, settings))
    assert shown is not None and "note" not in shown[0].choices.lower()


def test_marks_stand_where_they_are_set_and_are_named_where_there_is_no_place_for_them():
    _, result = noted(GAP, "|2023:a|2022-07..2024:b|2023,1e99:c")
    chart, note = result.exhibits[0].chart, result.note
    assert isinstance(chart, XYChart) and note is not None
    spans = [mark for mark in chart.marks if isinstance(mark, Span)]
    assert [(mark.x, mark.label[-1]) for mark in spans[-2:]] == [(2023, "a"), (2022.5, "b")]
    assert {mark.label[0] for mark in spans} == {"Sender’s mark"}
    assert note.words.startswith("On the first chart: “a” (2023), “b” (2022-07 to 2024). ")
    assert note.words.endswith(" Not on the first chart: “c” (2023,1e99).")
    bars = noted(VIEWS["/placement"], "|100:budget|50..200:range")[1].exhibits[0].chart
    assert isinstance(bars, BarChart)
    assert [(bar.start, bar.value) for bar in bars.bars[-2:]] == [(None, 100), (50, 200)]
    assert bars.bars[-1].label == "range (sender’s mark)"
    charts = [one.chart for one in noted(VIEWS["/placement"], "|100:budget")[1].exhibits]
    cheapest = next(chart for chart in charts if isinstance(chart, MapChart))
    place = f"{cheapest.x.high:.9f},{cheapest.y.high:.9f}"
    drawn, note = Note.parse([f"|{place}:corner|{place}:again"]).on(replace(cheapest, marked=None))
    assert isinstance(drawn, MapChart) and drawn.marked is not None
    assert drawn.marked.label == "corner (sender’s mark)" and "Not on the first chart: “again”" in note.words


@pytest.mark.parametrize(
    "note",
    [
        *("a" * 141, "a" * 10_000, "a\nb", "\u202etxt", "a\0", "x|2023", "x|2023:", "x|:a", "x|2024..2023:a"),
        *("x|1:a|2:b|3:c|4:d", f"x|2023:{'a' * 41}", "x|NaN:a", "x|1e999:a", "x|2024-13:a", "x|٣:a"),
    ],
)
def test_a_note_that_cannot_be_used_is_reported_and_the_rest_of_the_link_stands(note):
    settings, ignored = read(GAP, {"since": ["2018"], "note": [note]})
    assert (settings.described()["since"], settings.note) == ("2018", "")
    assert [one.setting for one in ignored] == ["note"] and len(ignored[0].value) <= 61
    with pytest.raises(SettingError, match=r"^note: got .*; allowed: up to 140 printable characters"):
        Note.parse([note])


def test_a_note_may_come_in_parts_as_a_form_sends_it_and_says_nothing_when_empty():
    assert read(GAP, "note=Hi&note=&note=2023%3A+x&note=")[0].note == "Hi|2023:x"
    assert read(GAP, "note=&note=&note=&note=") == read(GAP, "")


def test_hostile_text_stays_text_in_every_form():
    settings, result = noted(GAP, HOSTILE)
    assert result.note is not None and "%253Cb%253E" in result.note.words
    shown = Shown(view=GAP, settings=settings, result=result)
    pages = [page_html(shown), page_html(shown, embedded=True), "".join(page_parts(shown).values())]
    for form in FORMS.values():
        order = Order(result=result, options=form.options(), origin="https://a.b", today=date(2026, 1, 1))
        file = form.write(order)
        if form.extension in ("html", "svg"):
            pages.append(file.decode())
        if form.extension == "json":
            assert json.loads(file)["note"]["text"] == HOSTILE.split("|")[0]
        if form.extension == "ipynb":
            lines = json.loads(file)["cells"][0]["source"].splitlines()
            assert [line[:8] for line in lines if "alert(" in line] == ["    Note"]
        if form.extension == "pptx":
            slide = Presentation(io.BytesIO(file)).slides[0]
            texts = {one.name: one.text_frame.text for one in slide.shapes if isinstance(one, Shape)}
            assert texts["Note"].startswith(f"{BY}: “</script><script>alert(1)</script>")
    for page in pages:
        assert "<script>alert" not in page and "<img src=x" not in page
