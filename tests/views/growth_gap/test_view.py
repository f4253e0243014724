import time
from dataclasses import replace
from unittest.mock import Mock

import numpy as np
import pytest

from analysis.trend.growth import Window
from analysis.trend.selection import Rule, select
from tests.views import links
from tests.views.growth_gap.answers import LEVELS, PLAIN, RELEASE, ask, found_levels
from views import overview
from views.chips import rows as chip_rows
from views.compute_to_memory import view as compute_to_memory
from views.compute_to_memory.settings import ComputeToMemorySettings
from views.growth_gap import view as growth_gap
from views.growth_gap.settings import CHIPS, GapSettings, GrowthGapSettings, comparison
from views.runs import rows as run_rows
from views.view import answer, read
from views.wording import interval, times


def test_the_gap_lies_inside_its_interval():
    gap = ask().figure("gap_growth")
    assert gap.low < gap.value < gap.high


def test_the_quoted_gap_is_the_widest_and_like_for_like_it_is_far_smaller():
    result = ask()
    quoted, chips, runs = (
        result.figure(f"{name}_gap").value or 0 for name in ("run_chip", "chip_chip", "run_run")
    )
    assert quoted > 3 > 1.6 > runs > chips
    assert result.headline == "Like for like, memory falls behind 1.39× a year, not 3.6×"
    assert result.subtitle == (
        "A year: 3.6× run against chip (3.0–4.1×), 1.39× run against its chips (1.30–1.47×), 1.08× chip against "
        "chip (0.90–1.25×); 90 % intervals. Run against chip does not compare like with like."
    )
    assert "Run against chip does not compare like with like." in result.exhibits[0].chart.subtitle


def test_the_overview_states_the_same_numbers():
    here, there = ask(), answer(overview.VIEW, GapSettings())
    for name in (*PLAIN, "chip_chip_gap_growth", "run_run_gap_growth"):
        assert here.figure(name).value == there.figure(name).value
        assert here.figure(name).interval_text == there.figure(name).interval_text
    assert here.notes[-1] == there.notes[-1]
    assert here.notes[-1].startswith("The memory bandwidth of NVIDIA's chips in use grows 3.2× a year")


def test_every_leading_run_is_either_joined_or_its_absence_explained():
    result = ask(compare="run-run")
    note = next(text for text in result.sure if text.startswith("Run against its chips: "))
    reasons = note.partition("Not joined: ")[2].partition(". ")[0]
    left_out = sum(int(reason.split()[0]) for reason in reasons.split("; "))
    joined = result.figure("gap_growth").n or 0
    assert f"{joined} of {joined + left_out} joined to their chips" in result.settings_line


@pytest.mark.parametrize("chips", CHIPS)
@pytest.mark.parametrize("since", [2008, 2016, 2022])
@pytest.mark.parametrize("domain", ["all", "language"])
def test_the_headline_says_for_every_choice_what_the_interval_allows(*, chips, since, domain):
    levels = found_levels(chips=chips, since=since, domain=domain)
    for name, level in levels.items():
        told = ask(chips=chips, since=since, domain=domain, compare=name).headline
        assert told.startswith(level.title)
        if level.gap.low <= 1 <= level.gap.high:
            assert "no clear change" in told, name
        else:
            assert ("widens" in told) == (level.gap.yearly_growth > 1)
    fair = levels["run-run"].gap
    headline = ask(chips=chips, since=since, domain=domain).headline
    assert ("no clear change" in headline) == (fair.low <= 1 <= fair.high)


def _holds(result):
    """Hold headline, subtitle, key figures and notes against the figures they speak of."""
    assert len(result.headline.split()) <= 12, result.headline
    assert len(result.notes) <= 3
    assert all(". " not in note for note in result.notes)
    if len(result.figures) == 1:
        assert result.headline == "These choices leave too few rows to compare two trends"
        return
    key = [figure for figure in result.figures if figure.key]
    assert 1 <= len(key) <= 3
    gaps = [figure for figure in key if figure.name.endswith(("_gap", "gap_growth"))]
    for figure in gaps:
        assert interval(times(figure.low or 0), times(figure.high or 0)) in result.subtitle
    assert any(times(figure.value or 0) in result.headline for figure in gaps)
    if "memory falls behind" in result.headline:
        named = {figure.name: figure for figure in gaps}
        fair = named.get("run_run_gap") or named["chip_chip_gap"]
        assert (fair.low or 0) > 1 and (fair.value or 0) < (named["run_chip_gap"].value or 0)


def test_any_link_says_what_its_figures_say():
    for query in links.corpus(growth_gap.VIEW):
        _holds(answer(growth_gap.VIEW, read(growth_gap.VIEW, query)[0]))


@pytest.mark.parametrize(
    ("quoted", "like", "headline"),
    [
        ((3.0, 3.6, 4.0), (1.2, 1.4, 1.6), "Like for like, memory falls behind 1.40× a year, not 3.6×"),
        ((1.1, 1.3, 1.5), (1.5, 1.6, 1.7), "Like for like, the gap widens 1.60×; run against chip, 1.30×"),
        ((3.0, 3.6, 4.0), (0.9, 1.1, 1.2), "Like for like, no clear change (1.10×); run against chip, 3.6×"),
        ((3.0, 3.6, 4.0), (0.7, 0.8, 0.9), "Like for like, the gap narrows 20 %; run against chip, 3.6×"),
    ],
)
def test_the_headline_of_all_three_follows_what_the_like_for_like_gap_does(*, quoted, like, headline):
    def level(name, ends):
        low, growth, high = ends
        one = found_levels()[name]
        return replace(one, gap=Mock(yearly_growth=growth, low=low, high=high))

    assert growth_gap._headline([level("run-chip", quoted), level("run-run", like)]) == headline


def test_the_first_chart_alone_is_open_and_the_sections_hold_the_rest():
    result = ask()
    assert [exhibit.section for exhibit in result.exhibits[1:]] == ["changes"] * 3
    assert any("34 of 116 joined to their chips" in paragraph for paragraph in result.sure)
    assert len(result.changes) >= 2


def test_choices_that_leave_too_few_rows_say_so():
    empty = replace(RELEASE, accelerators=RELEASE.accelerators.iloc[:0])
    for compare in ("all", *LEVELS):
        found = growth_gap.build(GrowthGapSettings(compare=compare), empty)
        assert found.headline == "These choices leave too few rows to compare two trends"
        assert found.notes and "needs at least 3" in found.subtitle


def test_one_level_without_rows_leaves_the_others_and_says_why():
    runs = RELEASE.training_runs
    found = growth_gap.build(
        GrowthGapSettings(), replace(RELEASE, training_runs=runs.assign(hardware_quantity=np.nan))
    )
    assert "run_run_gap" not in [figure.name for figure in found.figures]
    assert found.headline == "Like for like, no clear change (1.08×); run against chip, 3.6×"
    assert found.notes[0] == "Too few rows for a trend: run against its chips."
    assert any(note.startswith("Run against its chips: a trend needs at least 3") for note in found.sure)


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


def test_undisclosed_flagships_enter_run_against_chip_as_intervals_on_request():
    plain, whole = ask(release="2026-07"), ask(release="2026-07", undisclosed="censored")
    assert (plain.figure("compute_growth").n, whole.figure("compute_growth").n) == (116, 131)
    assert whole.figure("compute_growth").value == pytest.approx(4.71, abs=0.01)
    assert "With 16 flagships without a value" in whole.subtitle
    for name in ("run_run_gap", "chip_chip_gap"):
        assert whole.figure(name).value == plain.figure(name).value
    assert whole.figure("run_chip_gap").interval_text != plain.figure("run_chip_gap").interval_text


def test_a_comparison_that_flagships_do_not_enter_says_nothing_of_them_and_stays_one_line():
    plain, whole = ask(compare="run-run"), ask(compare="run-run", undisclosed="censored")
    assert whole.subtitle == plain.subtitle
    late = ask(compare="run-run", since=2022)
    assert len(late.subtitle.split()) <= 40
    assert late.subtitle.endswith("have a compute value.") or "too few" in late.headline


def test_the_spread_of_each_side_marks_this_views_own_rate():
    result = ask()
    strips = result.exhibits[2:]
    assert [strip.chart.title.partition(" grows ")[0] for strip in strips] == [
        "Compute per run",
        "Bandwidth per chip",
    ]
    for strip, name in zip(strips, ("compute_growth", "bandwidth_growth"), strict=True):
        assert strip.table.rows[0][0] == "This view"
        assert strip.table.rows[0][1] == result.figure(name).value
        assert len({row[0] for row in strip.table.rows}) == len(strip.table.rows) >= 7


def test_without_the_quoted_gap_there_is_no_spread_of_its_sides():
    compared = comparison(GrowthGapSettings())
    others = [level for name, level in found_levels().items() if name != "run-chip"]
    assert growth_gap.spread_exhibits(RELEASE, compared, sound=others, source="d") == ()
