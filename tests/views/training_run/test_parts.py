"""The parts of a run's time and memory: they add up, and each says what to change."""

from itertools import pairwise

import pytest

from analysis.training_run import more_accelerators
from analysis.training_run.device_memory import USABLE_SHARE
from analysis.training_run.layer_time import SUSTAINED
from analysis.training_run.more_accelerators import RunOnNumber
from charts.chart import BarChart, XYChart
from data.releases import latest, load, names
from tests.views.training_run.answers import ask, columns, lines, value
from views.training_run.inputs import inputs_of
from views.training_run.parts import PARTS, WORK
from views.training_run.scale import (
    LINKS_GBIT_PER_S,
    exchange_exhibit,
    goodput_exhibit,
    length_exhibit,
    sites_exhibit,
    what_grows,
)
from views.training_run.settings import TrainingRunSettings
from views.training_run.years import YEARS, later_exhibit, yearly_growths


def test_the_parts_of_the_time_add_up_and_each_says_what_to_change():
    result = ask("sites=2&ramp_tokens=100")
    rows = result.table.rows
    assert sum(float(row[1] or 0) for row in rows) == pytest.approx(1, abs=1e-6)
    assert {row[0] for row in rows} == {part.label for part in PARTS.values()}
    assert all(row[3] for row in rows)


def test_the_times_of_the_parts_add_up_to_the_run():
    cells = columns(ask().exhibits[0])
    assert sum(cells["time_s"]) == pytest.approx(value(ask(), "days") * 86400)


def test_the_largest_part_comes_first_and_parts_too_small_to_see_are_left_out():
    chart = ask().exhibits[0].chart
    assert isinstance(chart, BarChart)
    values = [bar.value for bar in chart.bars]
    assert values == sorted(values, reverse=True) and min(values) >= 0.05
    assert [bar.emphasised for bar in chart.bars] == [True, *[False] * (len(values) - 1)]


def test_memory_adds_up_to_the_figure_beside_what_can_be_filled():
    exhibit = ask().exhibits[1]
    cells = columns(exhibit)
    *held, usable = cells["memory_byte"]
    assert (cells["part"][-1], usable) == ("usable", USABLE_SHARE * 80e9)
    assert sum(held) == pytest.approx(value(ask(), "memory_byte"))
    assert exhibit.chart.title == "The fullest accelerator holds 68 of 80 GB"


def test_advice_on_a_searched_plan_lies_outside_the_plan():
    tensor = PARTS["tensor_s"]
    assert tensor.advice(searched=False) == "use fewer of them or a faster chip link"
    assert "fewer chips share a layer" in tensor.advice(searched=True)
    for part in PARTS.values():
        assert part.advice(searched=True) == (part.outside or part.by_hand)
    assert not any(PARTS[name].outside for name in WORK)


@pytest.mark.parametrize(
    ("part", "name"),
    [
        ("bubble_s", "the pipeline bubble"),
        ("tensor_s", "tensor-parallel exchange"),
        ("ramp", "the batch ramp"),
    ],
)
def test_a_part_stands_in_a_sentence_with_its_article_where_it_is_one_of_its_kind(*, part, name):
    assert PARTS[part].name == name


def inputs(**settings):
    return inputs_of(TrainingRunSettings(**settings), load(latest()))


def run_on(accelerators, days, **shares):
    """Return a run on a number of accelerators, its wall clock split as given, the rest matrix products."""
    return RunOnNumber(
        accelerators=accelerators,
        days=days,
        mfu=0.4,
        shares={"matrix_s": 1 - sum(shares.values()), **shares},
        days_growing=days,
        batch_growing_token=1e6 * accelerators,
    )


def test_doubling_that_gains_little_is_told_apart_from_doubling_that_slows_the_run():
    little, slower = ask("link=900"), ask("accelerators=32768")
    assert (
        "Doubling 16,384 accelerators makes the run less than 1.5 times faster; this run uses 16,384."
        in little.changes
    )
    assert "Doubling 32,768 accelerators makes the run slower; this run uses 32,768." in slower.changes
    titles = [each.chart.title for result in (little, slower) for each in result.exhibits]
    beyond = [title for title in titles if title.startswith("Beyond")]
    assert beyond[0].startswith("Beyond 16,384 accelerators, doubling them makes the run less than 1.5 times")
    assert beyond[0].endswith("; beyond 32,768, slower")
    assert beyond[1].startswith("Beyond 32,768 accelerators, doubling them makes the run slower, mostly")
    (scaling,) = [each for each in ask("accelerators=131072").exhibits if "Beyond" in each.chart.title]
    assert isinstance(scaling.chart, XYChart)
    assert scaling.chart.subtitle.startswith("Days on the fastest plan with all accelerators in use")


def test_the_run_itself_lies_on_the_curve_and_the_ideal_keeps_the_work():
    (scaling,) = [each for each in ask().exhibits if "doubling them" in each.chart.title]
    cells = columns(scaling)
    by_number = dict(zip(cells["accelerators"], cells["days"], strict=True))
    assert by_number[16384] == pytest.approx(value(ask(), "days"))
    ideal = lines(scaling)["Ideal: twice as many, twice as fast"]
    work = [number * days for number, days in zip(ideal.x, ideal.y, strict=True)]
    assert work == pytest.approx([work[0]] * len(work))
    assert all(line.end_label for line in lines(scaling).values())


def test_what_grows_most_is_counted_in_accelerator_days():
    """On twice as many, the bubble's days grow from 1 to 2 and failures' from 4 to 4.8: 3 against 5.6 of the first."""
    steps = [
        run_on(8, 10.0, bubble_s=0.1, failure=0.4),
        run_on(16, 8.0, bubble_s=0.25, failure=0.6),
    ]
    assert what_grows(steps, 8) == "failure"
    exhibit = length_exhibit(steps, source="")
    assert exhibit is not None
    assert exhibit.chart.title.endswith("less than 1.5 times faster, mostly because of failures")


def test_where_doubling_always_helps_it_is_said_and_one_number_draws_nothing():
    steps = [run_on(8, 10.0), run_on(16, 5.1), run_on(32, 2.6)]
    exhibit = length_exhibit(steps, source="")
    assert exhibit is not None
    assert exhibit.chart.title == "Doubling the accelerators still helps at every number drawn"
    assert length_exhibit(steps[:1], source="") is None


def goodput(*, used=16384, **settings):
    return goodput_exhibit(inputs(**settings), used=used, source="")


def test_llama_3_failed_every_three_hours():
    """Llama Team, arXiv:2407.21783, section 3.3.4: 419 unexpected interruptions in 54 days on 16,384 H100."""
    cells = columns(goodput())
    between = cells["hours_between_failures"][cells["accelerators"].index(16384)]
    assert between == pytest.approx(54 * 24 / 419, rel=1e-3)
    assert goodput().chart.title.startswith("On 16,384 accelerators a failure comes every 3.1 hours; 93 %")


def test_twice_the_accelerators_fail_twice_as_often_and_lose_more():
    cells = columns(goodput())
    between = cells["hours_between_failures"]
    assert all(a == pytest.approx(2 * b) for a, b in pairwise(between))
    drawn = lines(goodput())["The run stops to save"].y
    assert drawn == pytest.approx([100 * share for share in cells["goodput"]])
    for name in ("goodput", "goodput_in_background"):
        assert list(cells[name]) == sorted(cells[name], reverse=True)
        assert all(0 < share < 1 for share in cells[name])
    assert all(
        behind > stop for stop, behind in zip(cells["goodput"], cells["goodput_in_background"], strict=True)
    )


def test_the_interval_is_youngs_square_root():
    """Young 1974: the square root of twice a checkpoint's time and the time between failures."""
    cells = columns(goodput())
    checkpoint_s = 405.9e9 * 14 / 2e12
    for hours, interval in zip(cells["hours_between_failures"], cells["checkpoint_every_s"], strict=True):
        assert interval == pytest.approx((2 * checkpoint_s * hours * 3600) ** 0.5, rel=0.01)


def test_the_title_tells_the_share_of_the_run_itself():
    assert value(ask(), "goodput") == pytest.approx(columns(goodput())["goodput"][6], rel=1e-9)
    own = goodput(saving="background").chart.title
    assert own.endswith("; 94 % of the time is useful work")


@pytest.fixture(scope="module")
def exchange():
    return exchange_exhibit(inputs(), source="")


def test_a_ring_of_eight_sends_seven_quarters_over_the_chip_link(exchange):
    """2 (n - 1) / n of the message at 75 % of 450 GB/s, and a latency for each of 2 (n - 1) hops."""
    cells = columns(exchange)
    eight = cells["accelerators"].index(8)
    expected = 7 / 4 * 1e9 / (0.75 * 450e9) + 14 * SUSTAINED.latency_s
    assert cells["ring_all_reduce_s"][eight] == pytest.approx(expected, rel=1e-9)


def test_everyone_to_everyone_grows_with_the_number_and_a_tree_hardly(exchange):
    cells = columns(exchange)
    tree, everyone = cells["tree_all_reduce_s"], cells["everyone_sends_all_to_everyone_s"]
    beyond = cells["accelerators"].index(1024)
    assert everyone[-1] / everyone[beyond] == pytest.approx((131072 - 1) / (1024 - 1))
    assert tree[-1] / tree[beyond] < 1.05
    assert "From 32 to 131,072 accelerators a tree all-reduce takes 1.0" in exchange.chart.title


def test_a_ring_pays_a_latency_for_every_hop_so_a_tree_overtakes_it(exchange):
    cells = columns(exchange)
    faster = [
        tree < ring for tree, ring in zip(cells["tree_all_reduce_s"], cells["ring_all_reduce_s"], strict=True)
    ]
    assert faster == sorted(faster) and not faster[0] and faster[-1]


def test_every_line_is_a_column_and_leaving_the_domain_slows_all_of_them(exchange):
    cells = columns(exchange)
    series = {
        f"{name.lower().replace('-', '_').replace(' ', '_')}_s": line.y
        for name, line in lines(exchange).items()
    }
    assert {name: cells[name] for name in cells if name != "accelerators"} == series
    for times in series.values():
        assert times[3] > times[2]


def sites(*, step_s=7.0, **settings):
    drawn = sites_exhibit(inputs(**settings), step_s=step_s, source="")
    assert drawn is not None
    return drawn


def test_sites_far_apart_show_what_they_wait_and_one_site_does_not():
    apart = ask("sites=4&local_steps=50&wide_area=10")
    titles = [exhibit.chart.title for exhibit in apart.exhibits]
    (title,) = [title for title in titles if "sites that sync" in title]
    assert title.startswith("4 sites that sync every 50 steps over 10 Gbit/s spend ")
    assert not any("sites that sync" in exhibit.chart.title for exhibit in ask().exhibits)
    assert value(apart, "days") > value(ask(), "days")


def test_fewer_meetings_and_faster_links_always_wait_less():
    cells = columns(sites(sites=4))
    waits = [cells[f"waiting_at_{gbit}_gbit_per_s"] for gbit, _ in LINKS_GBIT_PER_S]
    for times in waits:
        assert list(times) == sorted(times, reverse=True) and 0 < times[-1] < times[0] < 1
    for slower, faster in pairwise(waits):
        assert all(a > b for a, b in zip(slower, faster, strict=True))


def test_two_sites_that_meet_at_every_step_wait_for_the_whole_weights():
    """A ring of two sends 2 (2 - 1) / 2 of 812 GB of 16-bit weights: 64.9 s at 100 Gbit/s beside a step of 7 s."""
    wait_s = 405.9e9 * 2 / (100e9 / 8)
    share = columns(sites(sites=2, step_s=7.0))["waiting_at_100_gbit_per_s"][0]
    assert share == pytest.approx(wait_s / (7.0 + wait_s), rel=0.001)


def test_a_single_meeting_step_is_named_in_the_singular():
    assert "sync every 1 step over 100 Gbit/s" in sites(sites=2, local_steps=1).chart.title


@pytest.mark.parametrize("release", names())
def test_every_part_of_a_chip_grows_and_throughput_fastest(release):
    growths = yearly_growths(release)
    assert tuple(growths) == more_accelerators.PARTS
    assert all(1 < growth < 2.5 for growth in growths.values())
    assert max(growths, key=lambda part: growths[part]) == "fp16"


def test_the_run_gets_shorter_and_wastes_more_of_the_chips_every_year():
    (later,) = [each for each in ask().exhibits if each.chart.title.startswith("On chips")]
    cells = columns(later)
    assert cells["years_ahead"] == tuple(range(YEARS + 1))
    assert cells["days"][0] == pytest.approx(value(ask(), "days"))
    assert cells["mfu"][0] == pytest.approx(value(ask(), "mfu"))
    for name in ("days", "mfu"):
        assert list(cells[name]) == sorted(cells[name], reverse=True)


def test_throughput_alone_would_shorten_it_by_its_own_growth_which_no_run_beats():
    (later,) = [each for each in ask().exhibits if each.chart.title.startswith("On chips")]
    alone, own = lines(later)["Ideal: every part grows as fast as throughput"], lines(later)["This run"]
    growth = yearly_growths(latest())["fp16"]
    assert alone.y[-1] == pytest.approx(own.y[0] / growth**YEARS)
    assert all(run >= ideal * (1 - 1e-9) for run, ideal in zip(own.y, alone.y, strict=True))


def test_a_run_that_no_plan_fits_today_has_no_later_years():
    release = load(latest())
    inputs = inputs_of(TrainingRunSettings(model="deepseek-v3"), release)
    assert later_exhibit(release, inputs, used=8, rents="steady", source="") is None


def test_cost_is_that_of_the_run_today_and_falls_most_where_rents_fall():
    costs = {}
    for rents in ("as-last-year", "steady", "next-generation"):
        (later,) = [
            each for each in ask(f"rents={rents}").exhibits if each.chart.title.startswith("On chips")
        ]
        cells = columns(later)
        assert cells["cost_usd"][0] == pytest.approx(value(ask(), "cost_usd"), rel=1e-3)
        assert all(
            low <= cost * (1 + 1e-9) and cost <= high * (1 + 1e-9)
            for low, cost, high in zip(
                cells["cost_low_usd"], cells["cost_usd"], cells["cost_high_usd"], strict=True
            )
        )
        costs[rents] = cells["cost_usd"][-1]
    assert costs["next-generation"] < costs["steady"] < costs["as-last-year"]
