import dataclasses

import numpy as np
import pytest

from charts.chart import MapChart, MapChoice, MapPoint
from charts.layout import Plot, along
from charts.map_words import MapWords, key_rows, label_box, map_words, marked_place
from charts.text_width import text_width
from tests.charts.map_examples import CHOICES, places


def drawn_words(words: MapWords, chart: MapChart | None = None, *, width: float = 300) -> list[str]:
    rows = key_rows(chart or places(), words, width=width, size=13, lead=16)
    return [item.text for row in rows for item in row]


WIDE, PHONE = Plot(width=800, height=380), Plot(width=240, height=380)


@pytest.mark.parametrize("plot", [WIDE, PHONE])
@pytest.mark.parametrize("n", [40, 7, 1])
def test_every_label_lies_in_cells_of_its_choice(plot: Plot, n: int) -> None:
    chart = places(n, n)
    (words,) = map_words(chart, plots=[plot])
    x_edges = along(chart.x, chart.x_edges) * plot.width
    y_edges = (1 - along(chart.y, chart.y_edges)) * plot.height
    for label in words.labels:
        half = max(text_width(line, size=plot.size, bold=True) for line in label.lines) / 2
        for x in (label.x - half, label.x, label.x + half):
            for y in (label.y - plot.size / 2, label.y + plot.size / 2):
                k = int(np.searchsorted(x_edges, x)) - 1
                r = len(y_edges) - 1 - int(np.searchsorted(y_edges[::-1], y))
                assert chart.cells[r][k] == label.choice, label


@pytest.mark.parametrize("plot", [WIDE, PHONE])
def test_every_choice_that_wins_somewhere_is_named_in_its_region_or_in_the_key(plot: Plot) -> None:
    chart = places()
    (words,) = map_words(chart, plots=[plot])
    numbers = {entry.choice: entry.number for entry in words.key}
    for label in words.labels:
        if label.choice in numbers:
            assert label.lines == (str(numbers[label.choice]),)
        else:
            assert " ".join(label.lines) == chart.choices[label.choice].label
    said = {label.choice for label in words.labels} | set(numbers)
    assert said == {0, 1, 2, 3, 4, 5}


def test_a_choice_without_room_for_its_number_stands_in_the_key_without() -> None:
    cells = [list(row) for row in places().cells]
    cells[20][35] = 6
    chart = places(cells=tuple(map(tuple, cells)))
    (words,) = map_words(chart, plots=[WIDE])
    assert drawn_words(words, chart) == ["Never the cheapest"]


def test_a_further_region_of_some_size_says_its_name_again() -> None:
    cells = ((0, 0, 1, 0, 0),) * 4
    chart = places(5, 4, cells=cells, details=(), marked=None)
    (words,) = map_words(chart, plots=[WIDE])
    assert [label.lines for label in words.labels if label.choice == 0] == [("Phone",), ("Phone",)]


def test_the_label_of_the_own_case_is_on_one_side_at_every_size_and_clear_of_the_others() -> None:
    chart = places(marked=MapPoint(x=9.9e11, y=1e5, label="this work"))
    both = map_words(chart, plots=[WIDE, PHONE])
    assert {words.marked for words in both} == {"middle left"}
    for words, plot in zip(both, (WIDE, PHONE), strict=True):
        where = marked_place(chart, plot)
        assert where is not None and words.marked is not None
        left, top, right, bottom = label_box("this work", words.marked, where=where, plot=plot)
        for label in words.labels:
            half = max(text_width(line, size=plot.size, bold=True) for line in label.lines) / 2
            tall = plot.size * len(label.lines) / 2
            beside = label.x + half <= left or label.x - half >= right
            assert beside or label.y + tall <= top or label.y - tall >= bottom


def test_a_point_outside_the_axes_or_without_words_gets_no_label() -> None:
    outside = places(marked=MapPoint(x=1e15, y=1e5, label="far"))
    assert marked_place(outside, WIDE) is None
    assert map_words(outside, plots=[WIDE])[0].marked is None
    assert map_words(places(marked=None), plots=[WIDE])[0].marked is None
    silent = places(marked=MapPoint(x=1e10, y=1e5, label=""))
    assert map_words(silent, plots=[WIDE])[0].marked is None and marked_place(silent, WIDE) is not None


def test_a_choice_without_a_name_or_with_an_endless_one_does_no_harm() -> None:
    for label in ("", "word " * 80, "x" * 300):
        choices = (dataclasses.replace(CHOICES[0], label=label), MapChoice(label="b", role="compute"))
        cells = ((0, 1), (0, 1))
        chart = places(2, 2, cells=cells, choices=choices, details=())
        (words,) = map_words(chart, plots=[PHONE])
        assert [label.choice for label in words.labels if label.lines == ("b",)] == [1]


def test_the_rows_of_the_key_are_never_wider_than_their_room() -> None:
    (words,) = map_words(places(), plots=[Plot(width=30, height=60)])
    rows = key_rows(places(), words, width=150, size=13, lead=16)
    assert len(rows) > 2 and sum(map(len, rows)) == 6
    for row in rows:
        assert row[0].x == 0 and row[-1].x + 16 + text_width(row[-1].text, size=13) <= 150
    assert any(item.text.startswith("Nothing meets the") and item.text.endswith("…") for (*_, item) in rows)
