"""What the chosen techniques do to each measure, before over after."""

import pytest

from charts.chart import BarChart
from tests.views.techniques.answers import ask, columns, effects_of, value
from views.techniques.before_after import before_after_exhibit
from views.techniques.measures import MEASURES


def test_the_saving_of_a_row_is_its_before_over_its_after_and_that_of_the_figure():
    cells = columns(ask().exhibits[1])
    assert len(cells["measure"]) == len(MEASURES)
    for before, after, saving in zip(cells["before"], cells["after"], cells["saving"], strict=True):
        if after:
            assert saving == pytest.approx(before / after)
    assert cells["saving"][0] == pytest.approx(value(ask(), "saving"))
    assert cells["saving"][list(MEASURES).index("memory")] == pytest.approx(value(ask(), "memory_saving"))


def test_4_bit_weights_quarter_the_weights_and_leave_the_operations():
    """Llama 3.1 70B: 4 bits and a share of the scales instead of 16; the KV cache stays."""
    cells = columns(ask("context=1").exhibits[1])
    savings = dict(zip(cells["measure"], cells["saving"], strict=True))
    assert savings["Memory"] == pytest.approx(16 / 4.15625, rel=0.01)
    assert savings["Operations"] == 1


def test_the_title_tells_only_what_changes():
    title = ask().exhibits[1].chart.title
    assert title.startswith("4-bit weights: time falls ")
    assert "operations" not in title and "traffic between chips" not in title
    idle = effects_of(technique="checkpointing").together
    exhibit = before_after_exhibit(idle, label="Checkpointing", time_words="time", source="")
    assert exhibit.chart.title == "Checkpointing: nothing changes"


def test_traffic_between_chips_that_grows_is_said_to_grow():
    """Rajbhandari et al. 2020, section 7: ZeRO stage 3 sends one and a half times as much."""
    exhibit = ask("phase=training&technique=zero-3").exhibits[1]
    assert exhibit.chart.title.endswith("traffic between chips grows 1.50×")
    assert isinstance(exhibit.chart, BarChart)
    links = next(bar for bar in exhibit.chart.bars if bar.label == "Traffic between chips")
    assert links.value == pytest.approx(2 / 3) and links.role == "links"
