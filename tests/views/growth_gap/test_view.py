"""The two histories that a gap asks for: the same window, interval and release on both sides."""

from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

from charts.chart import Line, Points, Span, XYChart
from data.releases import load
from tests.views.growth_gap.answers import LEVELS, PLAIN, RELEASE, ask, found_levels
from tests.views.reading import rows
from views.chips.shipments import published_growth
from views.growth_gap import view as growth_gap
from views.growth_gap import words
from views.growth_gap.charts import indexed_exhibit, levels_exhibit
from views.growth_gap.levels import Level, Unknown
from views.growth_gap.settings import PICKED, GrowthGapSettings, comparison
from views.growth_gap.words import shipped_figures, shipped_notes
from views.view import read

JULY, COMPARED = load("2026-07"), comparison(GrowthGapSettings())
WITHOUT = "Without bigger runs, compute outgrows bandwidth by"


def test_the_quoted_gap_is_the_widest_and_like_for_like_it_is_far_smaller():
    result = ask()
    assert result.headline == f"{WITHOUT} 1.39× a year, not 3.6×"
    assert "3.6× a year between a run and one chip (90% interval 3.0–4.1×)" in result.subtitle
    assert "and 1.08× within one chip (1.01–1.12×). Only the last two" in result.subtitle


def test_every_leading_run_is_either_joined_or_its_absence_explained():
    result = ask(compare="run-run")
    note = next(text for text in result.sure if text.startswith("“Run vs its own chips” excludes "))
    left_out = int(note.removeprefix("“Run vs its own chips” excludes ").split()[0])
    joined = result.figure("gap_growth").n or 0
    assert f"{joined} of {joined + left_out} matched with their chips" in result.settings_line


def level(name: str, ends: tuple[float, float, float]) -> Level:
    low, growth, high = ends
    gap: Any = Mock(value=growth, low=low, high=high, level=0.9)
    return replace(found_levels()[name], gap=gap)


@pytest.mark.parametrize(
    ("quoted", "like", "headline"),
    [
        ((3.0, 3.6, 4.0), (1.2, 1.4, 1.6), f"{WITHOUT} 1.40× a year, not 3.6×"),
        ((1.1, 1.3, 1.5), (1.5, 1.6, 1.7), "Like for like, the gap widens 1.60×; run vs one chip, 1.30×"),
        ((3.0, 3.6, 4.0), (0.9, 1.1, 1.2), "Like for like, no clear change (1.10×); run vs one chip, 3.6×"),
        ((3.0, 3.6, 4.0), (0.7, 0.8, 0.9), "Like for like, the gap narrows 20%; run vs one chip, 3.6×"),
    ],
)
def test_the_headline_of_all_three_follows_what_the_like_for_like_gap_does(*, quoted, like, headline):
    assert growth_gap._headline([level("run-chip", quoted), level("run-run", like)]) == headline


def test_choices_that_leave_too_few_rows_say_so():
    empty = replace(RELEASE, accelerators=RELEASE.accelerators.iloc[:0])
    for compare in ("all", *LEVELS):
        result = growth_gap.build(GrowthGapSettings(compare=compare), empty)
        assert result.headline == "Too few rows remain to compare two trends"
        assert result.notes and "needs at least 3" in result.subtitle


def test_one_level_without_rows_leaves_the_others_and_says_why():
    runs = RELEASE.training_runs
    without = replace(RELEASE, training_runs=runs.assign(hardware_quantity=np.nan))
    result = growth_gap.build(GrowthGapSettings(), without)
    assert "run_run_gap" not in [figure.name for figure in result.figures]
    assert result.headline == f"{WITHOUT} 1.08× a year, not 3.6×"
    assert result.subtitle.endswith(" Only the last leaves out bigger runs.")
    assert result.notes[0] == "There are too few rows for a trend run vs its own chips."
    assert any(note.startswith("Run vs its own chips: a trend needs at least 3") for note in result.sure)


def test_intervals_for_undisclosed_flagships_left_and_an_old_link_is_answered_without_them():
    old, ignored = read(growth_gap.VIEW, "undisclosed=censored&top=10")
    assert [(one.setting, one.value) for one in ignored] == [("undisclosed", "censored")]
    assert old == GrowthGapSettings() and not old.applies("undisclosed")
    assert read(growth_gap.VIEW, "undisclosed=ignore")[1] == ()


def test_the_spread_of_each_side_marks_this_views_own_rate():
    result = ask()
    assert [exhibit.section for exhibit in result.exhibits[1:]] == ["changes", "sure", "sure"]
    strips = result.exhibits[2:]
    of = [strip.chart.title.partition(" grows ")[0].partition("With other choices, ")[2] for strip in strips]
    assert of == ["compute per run", "memory bandwidth per chip"]
    for strip, name in zip(strips, ("compute_growth", "bandwidth_growth"), strict=True):
        assert strip.table.rows[0][0] == "This view"
        assert strip.table.rows[0][1] == result.figure(name).value
        assert len({row[0] for row in strip.table.rows}) == len(strip.table.rows) >= 7


@pytest.mark.parametrize("chips", PICKED)
def test_both_sides_share_window_level_reach_and_release(chips):
    shared: dict[str, Any] = {"since": 2016, "level": "80", "to": 2033, "release": "2025-11"}
    settings = GrowthGapSettings(domain="language", chips=chips, top=3, precision="fp8", **shared)
    compared = comparison(settings)
    for side in (compared.runs, compared.chips):
        assert (side.since, side.level, side.to, side.release) == ("2016", "80", 2033, "2025-11")
    assert (compared.runs.domain, compared.runs.top) == ("language", 3)
    assert {name: getattr(compared.chips, name) for name in PICKED[chips]} == PICKED[chips]
    assert (compared.precision, compared.since) == ("fp8", 2016.0)


@pytest.mark.parametrize("compare", ["all", *LEVELS])
def test_every_comparison_has_the_figures_of_the_gap_each_named_once(compare):
    result = ask(compare=compare)
    outcome = [figure.name for figure in result.figures]
    assert len(set(outcome)) == len(outcome)
    prefixes = [level.replace("-", "_") for level in LEVELS]
    assert {f"{prefix}_{name}" for prefix in prefixes for name in PLAIN} <= set(outcome)
    level = "run-chip" if compare == "all" else compare
    for name in PLAIN:
        assert result.figure(name).value == result.figure(f"{level.replace('-', '_')}_{name}").value
    assert sum(figure.key for figure in result.figures) == 3


def test_what_weakens_both_sides_is_told_of_the_comparison_and_what_weakens_one_of_that_side():
    levels = [*found_levels(since=2016).values()]
    sentences = words.caveats(levels, to=2040)
    starts = [
        sentence.partition(", the fit spans")[0] for sentence in sentences if ", the fit spans" in sentence
    ]
    assert {"For “Run vs one chip” (compute per run)", "For “Run vs its own chips”"} <= set(starts)
    assert "For “Run vs its own chips” (FLOP/s of the run)" not in starts


def test_the_arithmetic_of_the_quoted_rates_is_spelled_out_and_rates_that_do_not_part_say_so():
    exhibit = ask().exhibits[1]
    assert exhibit.chart.title.endswith("5× and bandwidth 28% a year, the gap widens 3.9× a year, not 14×")
    assert "at that rate, the gap reaches 15× in 2.0 years" in exhibit.chart.subtitle
    values = {row["reading"]: round(row["value"], 2) for row in rows(exhibit)}
    assert (values["Ratio of the percentages"], values["Gap after 2 years"]) == (14.29, 15.26)
    assert rows(exhibit)[1]["formula"] == "400% / 28%: meaningless as a growth rate"
    assert [bar.emphasised for bar in exhibit.chart.bars] == [True, False, False]
    chart = ask(compute_growth=1.2, bandwidth_growth=1.5).exhibits[1].chart
    assert chart.title.endswith("2× and bandwidth 50% a year, the gap does not widen: it falls 20% a year")
    assert "at that rate, the gap never reaches 15×" in chart.subtitle


def drawn(result):
    chart = result.exhibits[0].chart
    assert isinstance(chart, XYChart)
    return chart.marks


def test_a_line_is_dotted_where_its_rows_have_not_begun():
    result = ask()
    lines = [mark for mark in drawn(result) if isinstance(mark, Line)]
    early = [line for line in lines if line.series == "Within one chip" and line.x[0] == 2012]
    assert [line.dash for line in early] == ["dotted"]
    assert all(line.x[0] == 2012 and line.y[0] == 1 for line in early)
    assert result.table.rows[0] == (2012, *[1.0] * 10)
    note = next(text for text in result.changes if text.startswith("Within one chip: "))
    assert note.endswith("The rows begin in 2017; the trend is extended back to 2012.")
    labels = [" ".join(line.end_label) for line in lines if line.end_label]
    rates = ("Run vs one chip 3.6×", "Run vs its own chips 1.39×", "Within one chip 1.08×", "As quoted 3.9×")
    assert labels == [f"{rate} a year" for rate in rates]


def test_both_sides_stand_at_one_in_the_index_year_and_the_span_holds_their_gap():
    level = found_levels(compare="chip-chip", since=2016)["chip-chip"]
    exhibit: Any = indexed_exhibit(level, title="t", subtitle="s", to=2030, source="d")
    (span,) = (mark for mark in exhibit.chart.marks if isinstance(mark, Span))
    assert span.high / span.low == pytest.approx(level.gap.path(level.gap.year)[0][0])
    assert (span.x, span.label) == (level.gap.year, ("gap since 2016", "1.08× a year"))
    first = rows(exhibit)[0]
    indices = [first[f"{name}_index"] for name in ("compute", "bandwidth", "gap")]
    assert (first["year"], indices) == (2016, [1, 1, 1])
    for row in exhibit.table.rows:
        assert row[1] / row[2] == pytest.approx(row[3])
    points = [mark for mark in exhibit.chart.marks if isinstance(mark, Points)]
    assert [len(mark.x) for mark in points] == [level.gap.n] * 2


def test_the_quoted_gap_is_a_straight_line_beside_the_levels():
    levels = [*found_levels(since=2015).values()]
    exhibit: Any = levels_exhibit(levels, title="t", subtitle="s", quoted=3.0, to=2020, source="d")
    quoted = exhibit.chart.marks[-1]
    assert (quoted.series, quoted.y, quoted.dash) == ("As quoted", (1.0, 3.0**5), "dotted")
    assert [row[-1] for row in exhibit.table.rows] == pytest.approx([3.0**years for years in range(6)])


@pytest.mark.parametrize(
    ("name", "ends", "words_of_it"),
    [
        ("run-chip", (3.2, 3.6, 3.9), "Run vs one chip: the gap widens 3.6× a year"),
        ("run-run", (0.9, 1.1, 1.3), "Run vs its own chips: no clear change (1.10× a year)"),
        ("chip-chip", (0.7, 0.8, 0.9), "Within one chip: the gap narrows 20% a year"),
    ],
)
def test_a_gap_is_said_as_its_interval_allows(name, *, ends, words_of_it):
    assert words.finding(level(name, ends)) == words_of_it


@pytest.mark.parametrize(
    ("quoted", "like", "mostly"),
    [(3.6, 1.19, True), (3.6, 1.89, True), (3.6, 1.91, False), (1.5, 2.0, False), (3.6, 0.8, True)],
)
def test_a_gap_is_mostly_arithmetic_while_two_years_like_for_like_are_less_than_one_of_it(
    *, quoted, like, mostly
):
    gap, fair = level("run-chip", (1.2, quoted, 5.0)), [level("chip-chip", (0.5, like, 3.0))]
    assert words.is_mostly_arithmetic(gap, fair) == mostly
    assert not words.is_mostly_arithmetic(level("run-chip", (0.9, quoted, 5.0)), fair)
    assert not words.is_mostly_arithmetic(gap, [])


def test_too_few_rows_and_what_is_open_are_each_said_in_one_sentence():
    levels, unknown = (
        [*found_levels(chips="nvidia-flagships").values()],
        [Unknown(name="run-run", problem="p")],
    )
    *few, open_, shipped = words.notes(JULY, COMPARED, levels=levels, unknown=unknown)
    assert few == ["There are too few rows for a trend run vs its own chips."]
    assert open_ == "The data do not settle whether the gap widens or narrows within one chip."
    assert (shipped,) == words.notes(JULY, COMPARED, levels=[found_levels()["run-chip"]], unknown=[])


def test_the_note_and_the_figure_of_shipped_chips_say_the_same_and_nothing_without_chips():
    (note,), (figure,) = shipped_notes(JULY, level=0.9), shipped_figures(JULY, level=0.9)
    assert "chips in use has grown 3.2× a year since 2023 (90% interval 3.0–3.4×), mostly because" in note
    assert figure.value == pytest.approx(3.20, rel=0.01)
    assert figure.interval_text == "90%: 3.0–3.4×; published: 4.1×, 2022–2025"
    assert figure.low and figure.value and figure.high
    assert figure.low < figure.value < figure.high < published_growth()
    none = replace(JULY, accelerators=JULY.accelerators.iloc[:0])
    assert shipped_notes(none, level=0.9) == shipped_figures(none, level=0.9) == ()
