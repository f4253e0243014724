"""Cost of bandwidth: what was reckoned by hand, what Epoch AI publishes, and what each choice moves."""

import re
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

from analysis.cost_of_bandwidth import at_both, growth
from analysis.fleet import balance
from analysis.intervals import Estimate
from charts.chart import Line, Points
from data.releases import latest, load
from views.cost_of_bandwidth.answer import CostAnswer
from views.cost_of_bandwidth.inputs import PARTS, parts_of, unit_cost, vendors_known
from views.cost_of_bandwidth.settings import MAKERS, CostOfBandwidthSettings
from views.cost_of_bandwidth.view import build, headline

RELEASE = load(latest())
EVERYONE = frozenset(MAKERS.values())


def figures(**choices: Any) -> dict[str, Any]:
    return {figure.name: figure for figure in build(CostOfBandwidthSettings(**choices), RELEASE).figures}


def column(exhibit: Any, name: str) -> list[Any]:
    at = [column.name for column in exhibit.table.columns].index(name)
    return [row[at] for row in exhibit.table.rows]


def test_costs_without_a_lag_are_those_reckoned_by_hand():
    """By hand from the same tables: NVIDIA's HBM per TB/s, and logic per dense 16-bit PFLOP/s from 584 to 689."""
    result = build(CostOfBandwidthSettings(lag=0), RELEASE).exhibits[0]
    assert column(result, "cost") == pytest.approx([467, 495, 589, 690, 652, 752, 924, 950], rel=0.005)
    compute = column(result, "other")
    assert (compute[0], compute[-1]) == pytest.approx((584, 689), rel=0.005)


def test_the_share_of_memory_is_as_published_with_its_interval():
    """Epoch AI, "AI chip component cost shares" (May 2026): 52 % in Q1 2024, 63% (60 to 67) in Q4 2025, within 2 %."""
    result = figures()
    assert result["memory_share_first"].value == pytest.approx(0.52, rel=0.02)
    last = result["memory_share"]
    assert (last.value, last.low, last.high) == pytest.approx((0.63, 0.60, 0.67), rel=0.02)


def test_four_makers_buy_nearly_all_memory_there_is():
    """Epoch AI, "AI chip supply chain constraints": over 90 % of HBM by value in 2025."""
    share = build(CostOfBandwidthSettings(), RELEASE).exhibits[1]
    assert share.chart.title.endswith(" 63% of the cost of chips' parts in Q4 2025, against 52% in Q1 2024")
    assert 0.85 < np.mean(column(share, "supply")[4:]) < 0.97


def test_bandwidth_outgrows_compute_in_dollars_whatever_the_lag():
    for maker, lag in product(("nvidia", "all"), range(4)):
        assert 1.37 < figures(maker=maker, lag=lag)["gap_growth"].value < 1.58
    assert figures(lag=1)["growth"].value == pytest.approx(1.66, abs=0.005)
    assert figures(lag=1)["other_growth"].low < 1 < figures(lag=1)["other_growth"].high


def test_the_pale_band_holds_every_lag():
    result = [build(CostOfBandwidthSettings(lag=lag), RELEASE).exhibits[0] for lag in range(4)]
    least, most = column(result[1], "least_of_lags")[-1], column(result[1], "most_of_lags")[-1]
    last = [column(each, "cost")[-1] for each in result]
    assert (least, most) == pytest.approx((min(last), max(last)))
    assert last == sorted(last, reverse=True)


def test_a_link_says_its_finding_first():
    result = build(CostOfBandwidthSettings(), RELEASE)
    chart: Any = result.exhibits[0].chart
    assert result.headline == "NVIDIA's cost per TB/s ($750) rises 1.7× a year, faster than compute's"
    other, own = [mark for mark in chart.marks if isinstance(mark, Line)]
    quarters = [mark for mark in chart.marks if isinstance(mark, Points)]
    assert [mark.y[0] for mark in quarters] == [1, 1] and quarters[1].marked == ((6, "$750"),)
    assert own.end_label == ("Per TB/s", "1.7× a year") and own.y[-1] > other.y[-1]
    assert (own.y[-1] / own.y[0]) ** (1 / (own.x[-1] - own.x[0])) == pytest.approx(result.figures[1].value)
    assert (
        "$630–$920 per TB/s (90% interval). With other purchase lags, its growth is 1.5–2.5× a year."
        in result.subtitle
    )
    assert result.subtitle.endswith("is 0.90× for Google, 1.0× for Amazon and 1.6× for AMD.")
    assert result.notes[0].endswith(" $580. The additional GB explain 37% of its growth since then.")
    assert result.sure[0].endswith(" a PFLOP/s grows 1.5× a year (90% interval 1.3–1.8×).")
    assert build(CostOfBandwidthSettings(maker="google", lag=2), RELEASE).notes[0].endswith(" cost $220.")


def test_growth_is_that_of_a_gb_times_that_of_the_gb_bought_with_each_byte_a_second():
    result, memory = figures(), figures(per="memory")
    assert result["capacity_growth"].value * memory["growth"].value == pytest.approx(result["growth"].value)
    assert "capacity_growth" not in memory


def test_other_choices_are_told_beside_the_rate():
    """NVIDIA's TB/s outgrows its PFLOP/s whatever is changed; where logic comes a quarter before HBM it is not sure."""
    result = build(CostOfBandwidthSettings(), RELEASE).exhibits[2]
    rates = dict(zip(column(result, "choice"), column(result, "growth"), strict=True))
    assert min(rate for choice, rate in rates.items() if choice not in {"Google", "Amazon", "AMD"}) > 1.2
    others = ["Per GB of memory", "FLOP/s at 8 bits", "Google", "Amazon", "AMD", "All four vendors"]
    assert list(rates)[7:] == ["Memory with packaging", "All parts of the chip", *others]
    assert rates["If all H100s from Q4 2024 were H200s"] == pytest.approx(1.53, abs=0.01)
    low = dict(zip(column(result, "choice"), column(result, "low"), strict=True))
    assert low["Logic used a quarter before HBM"] < 1
    answer = CostAnswer(settings=CostOfBandwidthSettings(), release=RELEASE)
    by_hand = balance(*at_both(answer.cost("bandwidth", lag=1), answer.cost("compute", lag=2)))
    assert rates["Logic used a quarter before HBM"] == pytest.approx(growth(by_hand).value)
    assert result.chart.title.endswith(" TB/s relative to that of a PFLOP/s rises 1.4–1.6× a year")


def test_list_prices_are_several_times_the_cost_of_all_parts_and_fall_on_both_sides():
    nvidia, amazon = (build(CostOfBandwidthSettings(maker=name), RELEASE) for name in ("nvidia", "amazon"))
    assert "2 chips released since Q2 2024, the median list price per TB/s is 4.9 times" in nvidia.sure[-1]
    assert amazon.sure[-1] == "All costs are those of components, not prices of chips."
    prices = build(CostOfBandwidthSettings(), RELEASE).exhibits[3]
    assert prices.chart.title == "The list price per TB/s falls 17% a year; that per PFLOP/s falls 23%"
    assert "H100 SXM" in column(prices, "chip")


def test_where_the_whole_chip_is_bought_the_gap_is_that_of_flop_per_byte():
    result = figures(cost="whole")
    assert result["gap_growth"].value == pytest.approx(1.25, abs=0.01)
    assert result["cost"].value > figures()["cost"].value
    words = build(CostOfBandwidthSettings(cost="whole"), RELEASE).subtitle
    assert words.startswith("In chips shipped in Q4 2025, all parts cost $1,000–")


def test_an_older_release_has_what_its_parts_state():
    result = build(CostOfBandwidthSettings(release="2025-11", maker="all", per="memory"), load("2025-11"))
    assert result.notes[0] == "The total excludes Amazon, because figures of some chips are missing."


def test_data_without_a_makers_chips_say_so():
    none = replace(RELEASE, accelerators=RELEASE.accelerators.iloc[:0])
    result = build(CostOfBandwidthSettings(), none)
    assert result.headline == "Too few quarters remain to price a TB/s"
    assert "must state what the chips of NVIDIA since 2024 offer: growth needs" in result.subtitle
    assert result.exhibits[0].table.rows == ()
    everyone = build(CostOfBandwidthSettings(maker="all"), none)
    assert everyone.subtitle.startswith("The release must state what all chips since 2024")


def test_fp8_makes_compute_cheaper_and_leaves_bandwidth_alone():
    half, eight = (CostOfBandwidthSettings(precision=precision) for precision in ("fp16", "fp8"))
    (dear, wide), (cheap, same) = (
        [unit_cost(RELEASE, one, per=per).middle() for per in ("compute", "bandwidth")]
        for one in (half, eight)
    )
    assert np.all(cheap < dear) and same == pytest.approx(wide)


def test_which_parts_count_for_what():
    own, packaged, whole = (CostOfBandwidthSettings(cost=word) for word in ("own", "packaged", "whole"))
    assert parts_of(own, "bandwidth") == parts_of(own, "memory") == {"memory"}
    assert parts_of(packaged, "bandwidth") == {"memory", "packaging"}
    assert parts_of(own, "compute") == parts_of(packaged, "compute") == {"logic"}
    assert parts_of(whole, "compute") == parts_of(whole, "bandwidth") == set(PARTS)


def test_a_maker_with_a_chip_that_is_not_known_is_left_out_on_both_sides_unless_it_came_before():
    fewer = RELEASE.accelerators.loc[RELEASE.accelerators["name"] != "NVIDIA B300 (Blackwell Ultra)"]
    without = replace(RELEASE, accelerators=fewer)
    assert vendors_known(without, "bandwidth") == EVERYONE - {"NVIDIA"}
    every = unit_cost(without, CostOfBandwidthSettings(maker="all"), per="bandwidth").middle()
    assert np.all(every < 1000e-12)
    assert not len(unit_cost(without, CostOfBandwidthSettings(), per="bandwidth").end_year)
    fewer = RELEASE.accelerators.loc[RELEASE.accelerators["name"] != "NVIDIA A800 SXM"]
    assert "NVIDIA" in vendors_known(replace(RELEASE, accelerators=fewer), "bandwidth")


@pytest.mark.parametrize(
    ("growth", "other", "gap", "words"),
    [
        (1.66, 1.09, (1.31, 1.74), "rises 1.7× a year, faster than compute's"),
        (1.66, 1.09, (0.9, 2.0), "rises 1.7× a year"),
        (1.10, 1.60, (0.6, 0.9), "rises 1.1× a year, slower than compute's"),
        (0.90, 0.55, (1.3, 2.0), "falls 10% a year, slower than compute's"),
        (0.50, 0.80, (0.5, 0.8), "falls 50% a year, faster than compute's"),
        (0.81, 1.19, (0.5, 0.9), "falls 19% a year while compute's grows"),
        (1.36, 0.95, (1.2, 1.7), "rises 1.4× a year while compute's falls"),
        (1.36, None, (1.2, 1.7), "rises 1.4× a year"),
    ],
)
def test_headlines_say_what_a_unit_costs_and_whether_it_outgrows_compute(*, growth, other, gap, words):
    answer = CostAnswer(settings=CostOfBandwidthSettings(), release=RELEASE)
    rates = {"rate": Estimate(value=growth), "other_rate": other and Estimate(value=other)}
    answer.__dict__.update(rates, gap=Estimate(value=1.0, low=gap[0], high=gap[1]))
    assert headline(answer) == f"NVIDIA's cost per TB/s ($750) {words}"


def test_the_headline_of_all_makers_names_none():
    result = build(CostOfBandwidthSettings(maker="all", per="memory"), RELEASE)
    assert re.match(r"The cost per GB \(\$2\d\) rises ", result.headline)
    assert result.settings_line.startswith("Memory or logic only per GB of memory, four vendors, shipped")
