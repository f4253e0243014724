"""Every technique by the years of growth that its saving is worth."""

import pytest

from analysis.techniques.catalogue import TECHNIQUES
from charts.chart import BarChart
from tests.views.techniques.answers import ask, columns, effects_of, value
from views.techniques.evidence import EVIDENCE
from views.techniques.ranking import before_after_exhibit, nothing_exhibit
from views.techniques.settings import MEASURES


def test_every_technique_has_evidence_and_a_row():
    assert set(EVIDENCE) == set(TECHNIQUES)
    assert {row[0] for row in ask().table.rows} == {item.label for item in EVIDENCE.values()}
    assert all(item.source.startswith("https://") for item in EVIDENCE.values())


@pytest.mark.parametrize("query", ["", "phase=training&measure=memory", "measure=flop", "batch=512"])
def test_bars_and_rows_fall_in_years_and_leave_no_technique_out(query):
    exhibit = ask(query).exhibits[0]
    assert isinstance(exhibit.chart, BarChart)
    drawn = [bar.value for bar in exhibit.chart.bars]
    cells = columns(exhibit)
    assert drawn == sorted(drawn, reverse=True)
    assert list(cells["years"]) == sorted(cells["years"], reverse=True)
    assert len(cells["technique"]) == len(TECHNIQUES) >= len(drawn)


def test_a_saving_is_the_bill_before_over_the_bill_after():
    cells = columns(ask().exhibits[0])
    ratios = [
        before / after for before, after in zip(cells["time_before_s"], cells["time_after_s"], strict=True)
    ]
    assert ratios == pytest.approx(list(cells["saving"]))
    moved = columns(ask("measure=bytes").exhibits[0])
    ratios = [
        before / after
        for before, after in zip(moved["moved_before_byte"], moved["moved_after_byte"], strict=True)
    ]
    assert ratios == pytest.approx(list(moved["saving"]))


def test_the_chosen_stand_out_and_several_stand_together_first():
    one, two = (ask(query).exhibits[0].chart for query in ("", "second=speculative"))
    assert isinstance(one, BarChart) and isinstance(two, BarChart)
    assert [bar.label for bar in one.bars if bar.emphasised] == ["4-bit weights"]
    assert two.bars[0].label == "Together: 4-bit weights and speculative decoding"
    assert two.bars[0].value == value(ask("second=speculative"), "years")


def test_what_does_nothing_is_not_drawn_but_says_why_in_its_row():
    exhibit = ask("phase=prefill").exhibits[0]
    cells = columns(exhibit)
    idle = dict(zip(cells["technique"], cells["says"], strict=True))["4-bit weights"]
    assert idle.startswith("No effect on the time. Compute is the limit here")
    assert isinstance(exhibit.chart, BarChart)
    assert "4-bit weights" not in {bar.label for bar in exhibit.chart.bars}


def test_where_nothing_can_be_ranked_the_table_keeps_its_heading():
    exhibit = nothing_exhibit("Too few chips", source="")
    assert [column.label for column in exhibit.table.columns] == ["Technique"]
    assert exhibit.table.rows == ()


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
    idle = before_after_exhibit(effects_of(technique="checkpointing"), source="")
    assert idle.chart.title.endswith(": nothing changes")


def test_traffic_between_chips_that_grows_is_said_to_grow():
    """Rajbhandari et al. 2020, section 7: ZeRO stage 3 sends one and a half times as much."""
    exhibit = ask("phase=training&technique=zero-3").exhibits[1]
    assert exhibit.chart.title.endswith("traffic between chips grows 1.50×")
    assert isinstance(exhibit.chart, BarChart)
    links = next(bar for bar in exhibit.chart.bars if bar.label == "Traffic between chips")
    assert links.value == pytest.approx(2 / 3) and links.role == "links"
