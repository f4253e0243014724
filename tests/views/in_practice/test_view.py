"""Measured work: the finding, every choice has its picture, and what cannot be told is not said."""

import time
from itertools import product

import pytest

from charts.chart import BarChart
from data.releases import load
from views.in_practice.settings import WORKS, InPracticeSettings
from views.in_practice.view import build

RELEASE = load("2026-07")


def figures(**settings):
    """Return the figures of a view by name."""
    return {figure.name: figure for figure in build(InPracticeSettings(**settings), RELEASE).figures}


def test_tokens_for_one_user_go_with_bandwidth():
    found = build(InPracticeSettings(), RELEASE)
    told = figures()
    assert told["twice_bandwidth"].value == pytest.approx(1.61, abs=0.02)
    assert told["twice_flop"].value == pytest.approx(1.03, abs=0.02)
    assert (told["twice_flop"].high or 9) < (told["twice_bandwidth"].low or 0)
    assert found.headline.startswith("Double the bandwidth goes with 1.6")
    assert "Speed rises more with bandwidth" in found.subtitle
    assert (told["off_ratio"].low or 0) > 1.2


def test_flop_per_s_are_worth_nothing_sure_once_makers_may_differ():
    """Shaders of one maker beside matrix units of another made FLOP/s look worth 1.08x (1.04-1.12)."""
    told = figures()["twice_flop"]
    assert (told.low or 9) < 1 < (told.high or 0)
    sure = " ".join(build(InPracticeSettings(), RELEASE).sure)
    assert "associations among chips as sold, not effects" in sure
    assert "told by chips of one maker" in sure


def test_numbers_that_go_together_are_noted():
    notes = build(InPracticeSettings(), RELEASE).notes
    assert notes[0].startswith("Chips with more bandwidth mostly also have more FLOP/s (correlation 0.79)")
    sure = " ".join(build(InPracticeSettings(work="prompt"), RELEASE).sure)
    assert "paper FLOP/s say less of what kernels reach" in sure


def test_four_chips_under_load_are_told_as_the_pair_with_most_works():
    found = build(InPracticeSettings(work="token"), RELEASE)
    assert found.headline == "B200 to B300, 4-bit: 1.56× FLOP/s, 1.01× speed per token"
    assert "twice_bandwidth" not in figures(work="token")
    assert figures(work="token")["bandwidth_off"].low is None


def test_training_is_not_told_apart():
    told = figures(work="training")
    assert "twice_bandwidth" not in told
    assert told["speed_up"].value == pytest.approx(2.13, abs=0.02)
    assert told["flop_ratio"].value == pytest.approx(3.17, abs=0.01)


@pytest.mark.parametrize(
    ("work", "match", "precision"), list(product(WORKS, ("exact", "own"), ("any", "16", "8", "4")))
)
def test_every_choice_has_its_picture_within_its_time(*, work, match, precision):
    settings = InPracticeSettings(work=work, match=match, precision=precision, level="80")
    found = build(settings, RELEASE)
    assert found.exhibits[0].chart.title == found.headline
    assert "2026-07" in found.exhibits[0].chart.source
    assert len([figure for figure in found.figures if figure.key]) <= 3
    start = time.process_time()
    build(settings, RELEASE)
    assert time.process_time() - start < 0.3


@pytest.mark.parametrize("load_", ["light", "middle", "heavy"])
def test_loads_have_their_own_pairs(load_):
    found = build(InPracticeSettings(work="token", load=load_), RELEASE)
    assert "Requests in flight" in found.settings_line


def test_the_more_requests_in_flight_the_more_of_a_b200_is_felt():
    found = build(InPracticeSettings(work="token", chips="H200, B200"), RELEASE)
    titles = [exhibit.chart.title for exhibit in found.exhibits]
    assert any(title.startswith("H200 to B200, 8-bit: 1.1") and "in flight" in title for title in titles)


def test_load_counts_only_where_requests_are_served():
    assert not InPracticeSettings().applies("load")
    assert InPracticeSettings(work="first").applies("load")
    assert (
        build(InPracticeSettings(load="heavy"), RELEASE).headline
        == build(InPracticeSettings(), RELEASE).headline
    )


def test_chips_that_did_nothing_together_are_said_so():
    found = build(InPracticeSettings(chips="H100, TPU v4"), RELEASE)
    assert found.headline == "No two chips ran this work under these choices"
    assert found.figures == ()


def test_what_moves_the_powers_most_is_shown():
    found = build(InPracticeSettings(), RELEASE)
    last = found.exhibits[-1]
    assert last.section == "sure"
    assert last.chart.title.startswith("However pairs are chosen, bandwidth doubled gives 1.5")
    cases = [str(row[0]) for row in last.table.rows]
    assert cases[:5] == [
        "As chosen",
        "Makers taken for one",
        "Own versions and splits",
        "Every two chips once",
        "Pairs of one maker alone",
    ]
    assert "Without Apple" in cases
    assert len([case for case in cases if case.startswith("Without ")]) > 45
    at = [column.name for column in last.table.columns].index("bandwidth")
    powers = {str(row[0]): (float(str(row[at])), float(str(row[at + 1]))) for row in last.table.rows}
    first = last.table.rows[0]
    assert isinstance(last.chart, BarChart)
    assert [f"{first[place]:.2f}×" for place in (1, 2)] == [bar.text for bar in last.chart.bars[:2]]
    assert min(bandwidth for bandwidth, _ in powers.values()) > 0.55
    assert max(flop for _, flop in powers.values()) < 0.25
