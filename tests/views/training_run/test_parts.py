"""The parts of a run's time and memory: they add up, and each says what to change."""

import re
from functools import partial

import pytest

from analysis.training_run import more_accelerators
from analysis.training_run.device_memory import USABLE_SHARE
from analysis.training_run.layer_time import SUSTAINED
from analysis.training_run.more_accelerators import RunOnNumber
from charts.chart import Line, XYChart
from data.releases import latest, load, names
from tests.views.reading import answer_to, columns, rows, value
from views.training_run import exhibits
from views.training_run.inputs import inputs_of
from views.training_run.parts import PARTS
from views.training_run.settings import TrainingRunSettings
from views.training_run.view import VIEW

ask = partial(answer_to, VIEW, holds=True)


def test_the_parts_of_the_time_add_up_each_says_what_to_change_and_more_sites_take_longer():
    result = ask("sites=2&ramp_tokens=100")
    cells = result.table.rows
    assert sum(float(row[1] or 0) for row in cells) == pytest.approx(1, abs=1e-6)
    assert {row[0] for row in cells} == {part.row or part.label for part in PARTS.values()}
    assert all(row[3] for row in cells)
    assert value(ask("sites=4"), "days") > value(ask(), "days")


def test_memory_adds_up_to_the_figure_beside_what_can_be_filled():
    exhibit = ask().exhibits[1]
    cells = columns(exhibit)
    *held, usable = cells["memory_byte"]
    assert (cells["part"][-1], usable) == ("usable", USABLE_SHARE * 80e9)
    assert sum(held) == pytest.approx(value(ask(), "memory_byte"))
    assert exhibit.chart.title == "The fullest accelerator uses 68 of its 80 GB of memory"


def inputs(**settings):
    return inputs_of(TrainingRunSettings(**settings), load(latest()))


def run_on(accelerators, days, **shares):
    """Return a run on a number of accelerators, its wall clock split as given, the rest matrix products."""
    return RunOnNumber(
        accelerators=accelerators, days=days, mfu=0.4, shares={"matrix_s": 1 - sum(shares.values()), **shares}
    )


def test_doubling_that_gains_little_is_told_apart_from_doubling_that_slows_the_run():
    little, slower = ask("link=900"), ask("accelerators=32768")
    titles = [each.chart.title for result in (little, slower) for each in result.exhibits]
    beyond = [title for title in titles if title.startswith("Beyond ")]
    assert beyond[0].startswith("Beyond 16,384 accelerators, doubling makes the run less than 1.5 times")
    assert beyond[0].endswith("; beyond 32,768 it slows the run")
    assert beyond[1].startswith("Beyond 32,768 accelerators, doubling their number slows the run, mostly")
    (scaling,) = [each for each in ask("accelerators=131072").exhibits if "Beyond" in each.chart.title]
    assert isinstance(scaling.chart, XYChart)
    assert scaling.chart.subtitle.startswith("The solid line shows the time at a constant batch")


def test_what_grows_most_is_counted_in_accelerator_days():
    """On twice as many, the bubble's days grow from 1 to 2 and failures' from 4 to 4.8: 3 against 5.6 of the first."""
    steps = [run_on(8, 10.0, bubble_s=0.1, failure=0.4), run_on(16, 8.0, bubble_s=0.25, failure=0.6)]
    assert exhibits.what_grows(steps, 8) == "failure"
    exhibit = exhibits.length_exhibit(steps, source="")
    assert exhibit is not None
    assert exhibit.chart.title.endswith("less than 1.5 times faster, mostly because of failures")
    assert isinstance(exhibit.chart, XYChart)
    lines = [mark for mark in exhibit.chart.marks if isinstance(mark, Line)]
    assert [line.y for line in lines if line.series.startswith("Ideal")] == [(10.0, 5.0)]


def test_llama_3_failed_every_three_hours():
    """Llama Team, arXiv:2407.21783, section 3.3.4: 419 unexpected interruptions in 54 days on 16,384 H100."""
    exhibit = exhibits.goodput_exhibit(inputs().run, used=16384, source="")
    cells = columns(exhibit)
    between = cells["hours_between_failures"][cells["accelerators"].index(16384)]
    assert between == pytest.approx(54 * 24 / 419, rel=1e-3)
    assert " a failure occurs every 3.1 hours and goodput is 93%" in exhibit.chart.title


@pytest.fixture(scope="module")
def exchange():
    return exhibits.exchange_exhibit(inputs().run, source="")


def test_a_ring_of_eight_sends_seven_quarters_over_the_chip_link(exchange):
    """2 (n - 1) / n of the message at 75 % of 450 GB/s, and a latency for each of 2 (n - 1) hops."""
    cells = columns(exchange)
    expected = 7 / 4 * 1e9 / (0.75 * 450e9) + 14 * SUSTAINED.latency_s
    assert cells["ring_all_reduce_s"][cells["accelerators"].index(8)] == pytest.approx(expected, rel=1e-9)
    everyone = cells["everyone_sends_all_to_everyone_s"]
    assert everyone[-1] / everyone[-2] == pytest.approx(2, rel=1e-4) and "linearly" in exchange.chart.subtitle


@pytest.mark.parametrize("release", names())
def test_every_part_of_a_chip_grows_and_throughput_fastest(release):
    growths = exhibits.yearly_growths(release)
    assert tuple(growths) == more_accelerators.PARTS and all(1 < growth < 2.5 for growth in growths.values())
    assert max(growths, key=lambda part: growths[part]) == "fp16"


def test_a_run_that_no_plan_fits_today_has_no_later_years():
    mixture = inputs(model="deepseek-v3")
    assert exhibits.later_exhibit(load(latest()), mixture, used=8, rents="steady", source="") is None


def test_cost_is_that_of_the_run_today_and_falls_most_where_rents_fall():
    costs = {}
    for rents in ("as-last-year", "steady", "next-generation"):
        shown = ask(f"rents={rents}").exhibits
        (later,) = [each for each in shown if each.chart.title.startswith("On chips")]
        first, *_, last = years = rows(later)
        cost = ask().figure("cost_usd")
        today = [first[name] for name in ("cost_usd", "cost_low_usd", "cost_high_usd")]
        assert today == pytest.approx([cost.value, cost.low, cost.high], rel=0.01), (
            "one interval of one level"
        )
        assert cost.level == 0.9 and re.fullmatch(r"90%: \$.+ million, on demand", cost.interval_text)
        for year in years:
            assert year["cost_low_usd"] * (1 - 1e-9) <= year["cost_usd"] <= year["cost_high_usd"] * (1 + 1e-9)
        costs[rents] = last["cost_usd"]
    assert costs["next-generation"] < costs["steady"] < costs["as-last-year"]
    assert any(line.endswith("list, the cost would be $77.1 million.") for line in ask().sure)
