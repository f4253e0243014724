import math

import pytest

from charts.chart import BarChart, Line, Points, XYChart
from data.releases import latest, load
from tests.browser.reader import result_of
from views.claims.claimed_and_ours import FEWEST_COMPARED, claimed_and_ours, far_apart
from views.claims.own_claim import own_claim
from views.claims.statements import judged

RELEASE = load(latest())
STATEMENTS = {item.claim_id: item for item in judged(RELEASE)}


def drawn(claim_id):
    chart = claimed_and_ours(STATEMENTS[claim_id], title="T", source="S")
    assert isinstance(chart, XYChart)
    return chart


def series(chart, name):
    [found] = [mark for mark in chart.marks if isinstance(mark, Points) and mark.series == name]
    return found


def test_the_claimed_number_stands_beside_ours_with_its_interval():
    chart = drawn("S0-02")
    part = STATEMENTS["S0-02"].parts[0].measured
    assert part is not None
    assert series(chart, "Claimed").x == (1.28,)
    assert series(chart, "Ours").x == (part.value,)
    [line] = [mark for mark in chart.marks if isinstance(mark, Line)]
    assert line.x == (part.low, part.high) and set(line.y) == set(series(chart, "Ours").y)
    assert [tick.label for tick in chart.y.ticks] == ["Claimed", "Ours"]


def test_a_statement_without_a_number_is_held_against_the_mark_that_decides():
    assert [tick.label for tick in drawn("S0-07").y.ticks] == ["Tested against", "Ours (1)", "Ours (2)"]
    assert "(1) reachable share" in drawn("S0-07").subtitle.replace("Reachable", "reachable")


def test_a_statement_that_nothing_tests_has_no_chart():
    assert claimed_and_ours(STATEMENTS["S0-05"], title="T", source="S") is None


@pytest.mark.parametrize("claim_id", [name for name, item in STATEMENTS.items() if item.parts])
def test_every_number_lies_on_its_axis_and_every_tick_says_its_own(claim_id):
    chart = drawn(claim_id)
    labels = [tick.label for tick in chart.x.ticks]
    assert len(set(labels)) == len(labels) >= 2
    for mark in chart.marks:
        assert isinstance(mark, Points | Line)
        assert all(chart.x.low <= value <= chart.x.high for value in mark.x)


def test_an_own_claim_is_drawn_the_same_way():
    own = own_claim("training-compute", value="10x", release=RELEASE)
    assert own is not None and own.row is not None
    chart = claimed_and_ours(own.row, title=own.headline, source="S")
    assert chart is not None
    assert series(chart, "Claimed").x == (10.0,)
    assert [tick.label for tick in chart.x.ticks] == [f"{tick.value:g}×" for tick in chart.x.ticks]


def test_claims_are_drawn_by_how_many_times_ours_they_are():
    chart = far_apart(tuple(STATEMENTS.values()), title="T", source="S")
    assert chart is not None
    places = {
        name: value
        for mark in chart.marks
        if isinstance(mark, Points)
        for name, value in zip(mark.names, mark.x, strict=True)
    }
    ours = STATEMENTS["S0-02"].parts[0].measured
    assert ours is not None
    assert places[STATEMENTS["S0-02"].statement] == pytest.approx(math.log(1.28) / math.log(ours.value))
    assert places[STATEMENTS["S2-18"].statement] == pytest.approx(1, rel=0.01)
    assert [tick.label for tick in chart.x.ticks] == ["0.1×", "1×", "10×"]
    assert far_apart((STATEMENTS["S2-18"],), title="T", source="S") is None


def test_wrong_statements_are_named_first_and_those_furthest_apart_before_others():
    chart = far_apart(tuple(STATEMENTS.values()), title="T", source="S")
    assert chart is not None and chart.rows
    clouds = [mark for mark in chart.marks if isinstance(mark, Points)]
    assert [cloud.series for cloud in clouds] == ["Wrong", "Off", "Supported"]
    for cloud in clouds:
        apart = [abs(math.log(cloud.x[index])) for index, _ in cloud.marked]
        assert apart == sorted(apart, reverse=True)


def test_two_or_three_statements_are_counted_by_verdict_rather_than_set_far_apart():
    compared = [
        one for one in STATEMENTS.values() if far_apart((one,) * FEWEST_COMPARED, title="T", source="S")
    ]
    for count in range(FEWEST_COMPARED):
        assert far_apart(compared[:count], title="T", source="S") is None
    assert far_apart(compared[:FEWEST_COMPARED], title="T", source="S") is not None
    assert isinstance(result_of("/claims?topic=cost").exhibits[0].chart, BarChart)
