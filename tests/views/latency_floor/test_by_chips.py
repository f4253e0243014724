"""The time of a token by the number of chips that share every layer."""

import pytest

from analysis.latency_floor.enough_chips import ENOUGH
from charts.chart import Line, Points, XYChart
from tests.views.latency_floor.answers import ask, columns, floor_answer, value
from views.latency_floor.by_chips import LOOKS, by_chips_exhibit

OWN = "Your choice"


@pytest.mark.parametrize("query", ["", "chip=wse-3", "chip=b200&tensor_parallel=64"])
def test_each_line_is_named_once_where_it_differs_from_the_others(query):
    """On a phone the names at the ends of converging lines stood on each other."""
    chart = ask(query).exhibits[0].chart
    assert isinstance(chart, XYChart)
    lines = {mark.series: mark for mark in chart.marks if isinstance(mark, Line)}
    named = {mark.series: mark for mark in chart.marks if isinstance(mark, Points) and mark.series != OWN}
    assert lines.keys() == named.keys() and not any(line.end_label for line in lines.values())
    for series, mark in named.items():
        assert mark.role == lines[series].role
        ((_, name),) = mark.marked
        assert len(name) <= 9
        at = dict(zip(lines[series].x, lines[series].y, strict=True))
        assert mark.y[0] == at[mark.x[0]]
        for other in lines.values():
            if other is not lines[series] and series.split(",")[0] == other.series.split(",")[0]:
                assert mark.x[0] != named[other.series].x[0]
                continue
            there = dict(zip(other.x, other.y, strict=True)).get(mark.x[0])
            assert other is lines[series] or there is None or abs(there / mark.y[0] - 1) > 0.2, (
                series,
                other.series,
            )


@pytest.mark.parametrize("chip", ["h100", "mi300x", "tpu-v7", "wse-3", "groq-lpu"])
def test_the_line_of_today_stands_beside_the_floor_and_never_below_it(chip):
    exhibit = ask(f"chip={chip}").exhibits[0]
    assert isinstance(exhibit.chart, XYChart)
    lines = {mark.series: mark for mark in exhibit.chart.marks if isinstance(mark, Line)}
    (today,) = (series for series in lines if series.endswith(", today's latencies"))
    floor = lines[today.removesuffix(", today's latencies")]
    assert lines[today].x == floor.x and lines[today].dash == "dotted"
    assert all(later >= least for later, least in zip(lines[today].y, floor.y, strict=True))
    cells = columns(exhibit)
    own = [row for row, name in enumerate(cells["chip"]) if name == floor.series]
    assert [1 / cells["today_tokens_per_s"][row] for row in own] == pytest.approx(lines[today].y)
    assert exhibit.chart.subtitle.endswith("with the launches, exchanges and hops of today.")


def test_a_chip_whose_latencies_of_today_are_not_known_has_its_floor_alone():
    result = ask("chip=ddr5-server")
    chart = result.exhibits[0].chart
    assert isinstance(chart, XYChart) and "of today" not in chart.subtitle
    assert not any("today" in mark.series for mark in chart.marks if isinstance(mark, Line))
    assert "oday" not in result.subtitle
    assert "today_tokens_per_s" not in {figure.name for figure in result.figures}


@pytest.mark.parametrize("query", ["", "chip=wse-3", "chip=wse-2", "chip=groq-lpu"])
def test_of_wafers_one_is_drawn_at_a_time(query):
    chart = ask(query).exhibits[0].chart
    assert isinstance(chart, XYChart)
    wafers = {
        mark.series for mark in chart.marks if isinstance(mark, Line) and mark.series in {"WSE-2", "WSE-3"}
    }
    assert len(wafers) == 1


def test_the_chosen_number_is_marked_where_the_figure_says():
    chart = ask("tensor_parallel=48").exhibits[0].chart
    assert isinstance(chart, XYChart)
    (own,) = (mark for mark in chart.marks if isinstance(mark, Points) and mark.series == OWN)
    assert own.x == (48.0,)
    assert own.y[0] == pytest.approx(value(ask("tensor_parallel=48"), "time_per_output_token_s"))


@pytest.mark.parametrize(
    "query", ["", "chip=wse-3", "chip=ddr5-server", "model=llama-2-7b&tensor_parallel=1"]
)
def test_the_chosen_chip_and_two_rivals_are_told_apart_by_colour_and_dash(query):
    chart = ask(query).exhibits[0].chart
    assert isinstance(chart, XYChart)
    lines = [mark for mark in chart.marks if isinstance(mark, Line)]
    floors = [line for line in lines if not line.series.endswith(", today's latencies")]
    assert len(floors) == 1 + len(LOOKS) == 3
    assert len({line.role for line in floors}) == len({line.series for line in floors}) == 3
    assert len({(line.role, line.dash) for line in lines}) == len(lines)
    assert not any(line.faded for line in lines)
    assert (lines[-1].role, lines[-1].dash) == ("memory", "solid")
    assert all("ms per token" in words for line in lines for words in line.hover)


def test_beyond_the_number_of_the_title_little_is_saved_and_before_it_more():
    cells = columns(ask().exhibits[0])
    own = {
        chips: seconds
        for chip, chips, seconds in zip(
            cells["chip"], cells["tensor_parallel"], cells["time_per_output_token_s"], strict=True
        )
        if chip == "H100 SXM"
    }
    least = min(own.values())
    assert ask().exhibits[0].chart.title.startswith("Beyond 382 × H100 SXM sharing each layer")
    for chips, seconds in own.items():
        if 382 <= chips <= 512:
            assert seconds <= least * (1 + ENOUGH)
        if chips < 382:
            assert seconds > least * (1 + ENOUGH)


def test_the_title_says_where_no_number_holds_the_model_and_where_more_keep_helping():
    def title(chip, **settings):
        answer = floor_answer(chip=chip, **settings)
        return by_chips_exhibit({chip: answer.placed}, answer, source="").chart.title

    assert title("groq-lpu", model="llama-3.1-405b", context=10_000_000, batch=4096) == (
        "No number of GroqChip LPU v1 up to 4,096 per layer holds the model"
    )
    assert title("ddr5-server") == "Up to 4,096 × DDR5 server, more chips keep helping"
