import json
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest

from analysis.trend.growth import Window
from analysis.trend.selection import Rule, select
from charts.chart import Line, XYChart
from data.releases import latest, load
from views import overview
from views.chips import rows as chip_rows
from views.compute_to_memory import view as compute_to_memory
from views.compute_to_memory.settings import ComputeToMemorySettings
from views.growth_gap import levels as gap_levels
from views.growth_gap import view as growth_gap
from views.growth_gap.levels import Level
from views.growth_gap.settings import CHIPS, GapSettings, GrowthGapSettings, comparison
from views.growth_gap.view import VIEW
from views.runs import rows as run_rows
from views.view import answer

RELEASE = load(latest())
LEVELS = ("run-chip", "chip-chip", "run-run")
PLAIN = (
    "compute_growth",
    "bandwidth_growth",
    "gap_growth",
    "gap_total",
    "years_to_10x",
    "years_to_100x",
    "years_to_1000x",
)


def ask(**settings):
    return answer(VIEW, GrowthGapSettings(**settings))


def drawn(result):
    chart = result.exhibits[0].chart
    assert isinstance(chart, XYChart)
    return chart.marks


def found_levels(**settings):
    found = gap_levels.levels(RELEASE, comparison(GrowthGapSettings(**settings)))
    assert all(isinstance(level, Level) for level in found)
    return {level.name: level for level in found if isinstance(level, Level)}


@pytest.mark.parametrize("compare", ["all", *LEVELS])
def test_every_comparison_has_the_figures_of_the_gap_each_named_once(compare):
    result = ask(compare=compare)
    found = [figure.name for figure in result.figures]
    assert len(set(found)) == len(found)
    assert set(PLAIN) <= set(found)
    prefixes = [level.replace("-", "_") for level in LEVELS]
    assert {f"{prefix}_{name}" for prefix in prefixes for name in PLAIN} <= set(found)
    level = "run-chip" if compare == "all" else compare
    for name in PLAIN:
        assert result.figure(name).value == result.figure(f"{level.replace('-', '_')}_{name}").value
    assert sum(figure.key for figure in result.figures) >= 4


def test_the_command_line_gives_the_figures_of_the_gap():
    told = subprocess.run(
        [sys.executable, "-m", "views", "/growth-gap"], capture_output=True, text=True, check=True
    )
    figures = {figure["name"]: figure for figure in json.loads(told.stdout)["figures"]}
    assert set(PLAIN) <= set(figures)
    assert figures["gap_growth"]["low"] < figures["gap_growth"]["value"] < figures["gap_growth"]["high"]


def test_the_quoted_gap_is_the_widest_and_like_for_like_it_is_far_smaller():
    result = ask()
    quoted, chips, runs = (
        result.figure(f"{name}_gap").value or 0 for name in ("run_chip", "chip_chip", "run_run")
    )
    assert quoted > 3 > 1.6 > runs > chips
    assert result.headline == ("The quoted gap widens 3.6× a year; between a run and its own chips, 1.39×")
    assert "Only chip against chip and run against run compare like with like." in (
        result.exhibits[0].chart.subtitle
    )


def test_the_overview_states_the_same_numbers():
    here, there = ask(), answer(overview.VIEW, GapSettings())
    for name in (*PLAIN, "chip_chip_gap_growth", "run_run_gap_growth"):
        assert here.figure(name).value == there.figure(name).value
        assert here.figure(name).interval_text == there.figure(name).interval_text
    assert growth_gap.shipped_note() in here.notes and growth_gap.shipped_note() in there.notes
    assert "Like for like it is far smaller: chip against chip 1.19×" in there.notes[0]


@pytest.mark.parametrize("name", ["chip-chip", "run-run"])
def test_the_gap_of_the_same_rows_is_the_ratio_of_both_sides(name):
    level = found_levels()[name]
    ratio = level.compute.growth.trend.yearly_growth / level.memory.growth.trend.yearly_growth
    assert level.gap.yearly_growth == pytest.approx(ratio)
    assert level.compute.growth.n == level.memory.growth.n == level.gap.n


def test_the_index_year_moves_the_curves_but_not_the_rates():
    asked = comparison(GrowthGapSettings())
    for since in (2015.0, 2020.0):
        for here, there in zip(
            gap_levels.levels(RELEASE, asked),
            gap_levels.levels(RELEASE, replace(asked, since=since)),
            strict=True,
        ):
            assert isinstance(here, Level) and isinstance(there, Level)
            assert there.gap.yearly_growth == here.gap.yearly_growth
            assert (there.gap.low, there.gap.high) == (here.gap.low, here.gap.high)
            assert there.gap.total < here.gap.total


def test_chips_whose_compute_is_their_bandwidth_have_a_gap_of_one():
    parts = RELEASE.accelerators
    even = replace(
        RELEASE,
        accelerators=parts.assign(
            peak_fp16_dense_flop_per_s=parts["memory_bandwidth_byte_per_s"],
            peak_fp16_shader_dense_flop_per_s=np.nan,
        ),
    )
    level = gap_levels.chip_against_chip(even, comparison(GrowthGapSettings(chips="all")))
    assert isinstance(level, Level)
    assert (level.gap.yearly_growth, level.gap.low, level.gap.high) == pytest.approx((1, 1, 1))


def test_a_run_of_one_byte_for_each_operation_has_a_gap_of_one_whatever_its_chips():
    runs = RELEASE.training_runs
    parts = RELEASE.accelerators
    chips = dict(zip(parts["name"], parts["memory_bandwidth_byte_per_s"], strict=True))
    fed = (
        runs["hardware"].map(lambda name: chips.get(name, np.nan))
        * runs["hardware_quantity"]
        * runs["training_time_s"]
    )
    even = replace(
        RELEASE,
        training_runs=runs.assign(training_compute_flop=fed.fillna(runs["training_compute_flop"])),
    )
    level = gap_levels.run_against_run(even, comparison(GrowthGapSettings(top=100)))
    assert isinstance(level, Level)
    assert (level.gap.yearly_growth, level.gap.low, level.gap.high) == pytest.approx((1, 1, 1))


def test_every_leading_run_is_either_joined_or_its_absence_explained():
    result = ask(compare="run-run")
    note = next(text for text in result.notes if text.startswith("Run against run: "))
    reasons = note.partition("Not joined: ")[2].partition(". ")[0]
    left_out = sum(int(reason.split()[0]) for reason in reasons.split("; "))
    joined = result.figure("gap_growth").n or 0
    assert f"{joined} of {joined + left_out} joined to their chips" in result.settings_line


def test_the_runs_are_joined_to_the_bandwidth_of_all_their_chips():
    runs = RELEASE.training_runs.set_index("name")
    chips = RELEASE.accelerators.drop_duplicates("name").set_index("name")
    level = found_levels()["run-run"]
    asked, one = level.memory.points(1.0), level.compute.points(1.0)
    for name, bandwidth, rate in zip(asked.names, asked.y, one.y, strict=True):
        run = runs.loc[name]
        whole = chips.loc[run["hardware"], "memory_bandwidth_byte_per_s"] * run["hardware_quantity"]
        assert bandwidth == pytest.approx(whole)
        assert rate == pytest.approx(run["training_compute_flop"] / run["training_time_s"])


def test_a_line_is_dotted_where_its_rows_have_not_begun():
    result = ask()
    lines = [mark for mark in drawn(result) if isinstance(mark, Line)]
    early = [line for line in lines if line.series == "Chip against chip" and line.x[0] == 2012]
    assert [line.dash for line in early] == ["dotted"]
    assert all(line.x[0] == 2012 and line.y[0] == 1 for line in early)
    note = next(text for text in result.notes if text.startswith("Chip against chip: "))
    assert note.endswith("The rows begin in 2016; before, the line is the trend drawn back to 2012.")
    labels = [line.end_label[0] for line in lines if line.end_label]
    assert sorted(labels) == sorted(["Run against chip", "Chip against chip", "Run against run", "As quoted"])


def test_the_table_holds_every_gap_from_one_on():
    rows = ask(since=2015, to=2028).table.rows
    assert rows[0] == (2015, *[1.0] * 10)
    assert [row[0] for row in rows] == list(range(2015, 2029))


def test_years_of_one_interval_have_one_unit():
    result = ask()
    assert (result.figure("years_to_10x").text, result.figure("years_to_10x").interval_text) == (
        "1.8 years",
        "90 %: 1.7–2.0 years",
    )
    assert result.figure("chip_chip_years_to_10x").interval_text.endswith(" years–never")
    shrinking = ask(compare="chip-chip", chips="flagships", since=2022, level="50")
    assert shrinking.headline == "Chip against chip, the gap narrows to 0.90× a year"
    figure = shrinking.figure("years_to_10x")
    assert (figure.text, figure.interval_text) == ("never", "50 %: no growth")


def test_the_arithmetic_of_the_quoted_rates_is_spelled_out():
    exhibit = ask().exhibits[1]
    assert exhibit.chart.title == "“5× against 28 %” widens the gap 3.9× a year, not 14×"
    assert "at that rate a gap of 15× takes 2.0 years" in exhibit.chart.subtitle
    values = {row[0]: row[1] for row in exhibit.table.rows}
    assert values["Ratio of the growth factors"] == pytest.approx(3.906, abs=0.001)
    assert values["Ratio of the percentages"] == pytest.approx(14.29, abs=0.01)
    assert values["Ratio of the log rates"] == pytest.approx(6.52, abs=0.01)
    assert values["Years until the gap is 15×"] == pytest.approx(1.99, abs=0.01)


def test_quoted_rates_that_do_not_part_say_so():
    chart = ask(compute_growth=1.2, bandwidth_growth=1.5).exhibits[1].chart
    assert chart.title == "“1.2× against 50 %” does not widen the gap: it moves 0.80× a year"
    assert "at that rate no gap of 15× is ever reached" in chart.subtitle


def test_the_spread_of_each_side_marks_this_views_own_rate():
    result = ask()
    strips = result.exhibits[2:]
    assert [strip.chart.title.partition(":")[0] for strip in strips] == [
        "Compute per run",
        "Bandwidth per chip",
    ]
    for strip, name in zip(strips, ("compute_growth", "bandwidth_growth"), strict=True):
        assert strip.table.rows[0][0] == "This view"
        assert strip.table.rows[0][1] == result.figure(name).value
        assert len({row[0] for row in strip.table.rows}) == len(strip.table.rows) >= 7


@pytest.mark.parametrize("chips", CHIPS)
@pytest.mark.parametrize("since", [2008, 2016, 2022])
@pytest.mark.parametrize("domain", ["all", "language"])
def test_the_headline_says_for_every_choice_what_the_interval_allows(*, chips, since, domain):
    levels = found_levels(chips=chips, since=since, domain=domain)
    for name, level in levels.items():
        told = growth_gap._headline(level)
        assert told.startswith(level.title)
        if level.gap.low <= 1 <= level.gap.high:
            assert "has not clearly moved" in told, name
        else:
            assert ("widens" in told) == (level.gap.yearly_growth > 1)
    fair = levels["run-run"].gap
    headline = ask(chips=chips, since=since, domain=domain).headline
    assert ("no clear change" in headline) == (fair.low <= 1 <= fair.high)
    notes = answer(overview.VIEW, GapSettings(chips=chips, since=since, domain=domain)).notes
    assert len(set(notes)) == len(notes)


def test_choices_that_leave_too_few_rows_say_so():
    empty = replace(RELEASE, accelerators=RELEASE.accelerators.iloc[:0])
    for compare in ("all", *LEVELS):
        found = growth_gap.build(GrowthGapSettings(compare=compare), empty)
        assert found.headline == "These choices leave too few rows to compare two trends"
        assert found.notes and "needs at least 3" in found.notes[0]


def test_one_level_without_rows_leaves_the_others_and_says_why():
    runs = RELEASE.training_runs
    found = growth_gap.build(
        GrowthGapSettings(), replace(RELEASE, training_runs=runs.assign(hardware_quantity=np.nan))
    )
    assert "run_run_gap" not in [figure.name for figure in found.figures]
    assert found.headline.startswith("The quoted gap widens 3.6× a year; between compute and bandwidth of")
    assert any(note.startswith("Run against run: a trend needs at least 3") for note in found.notes)


def plain_slopes(series, *, rule, window, draws):
    """Return bootstrap slopes as a plain loop gives them: draw, select again, keep the window, fit."""
    random = np.random.default_rng(0)
    slopes = []
    for _ in range(draws):
        rows = random.integers(0, len(series.year), len(series.year))
        year, value = series.year[rows], series.value[rows]
        chosen = select(year, value, rule=rule) & window.holds(year)
        if np.ptp(year[chosen]) > 0:
            slopes.append(np.polyfit(year[chosen], np.log10(value[chosen]), 1)[0])
    return slopes


def fastest(what, *, times=3):
    took = []
    for _ in range(times):
        start = time.process_time()
        what()
        took.append(time.process_time() - start)
    return min(took)


def test_the_views_are_many_times_faster_than_a_plain_loop_of_their_draws():
    asked = comparison(GrowthGapSettings())
    runs = run_rows.series(run_rows.candidates(RELEASE, asked.runs))
    chips = chip_rows.series(chip_rows.candidates(RELEASE, asked.chips))
    window, share = Window(since=2012), 20
    frontier, plain = Rule(kind="frontier", top=10), Rule(kind="all")
    # Of 2,000 draws: the frontier once, and six fits of few rows, the least the three levels take.
    loop = share * (
        fastest(lambda: plain_slopes(runs, rule=frontier, window=window, draws=2000 // share), times=1)
        + 6 * fastest(lambda: plain_slopes(chips, rule=plain, window=window, draws=2000 // share), times=1)
    )
    levels = fastest(found_levels, times=9)
    gap = fastest(lambda: growth_gap.build(GrowthGapSettings(), RELEASE))
    balance = fastest(lambda: compute_to_memory.build(ComputeToMemorySettings(), RELEASE))
    print(
        f"plain loop {loop:.2f} s; three levels {levels:.3f} s ({loop / levels:.0f}x); whole views: "
        f"growth-gap {gap:.3f} s, compute-to-memory {balance:.3f} s"
    )
    assert loop / levels > 10  # 28 on idle cores, 20 where others use the machine's memory
    assert gap < 1.5 and balance < 1.5
