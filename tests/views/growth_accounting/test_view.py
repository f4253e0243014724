"""/growth-accounting: the identity, the published decomposition, what is left out, and every form of words."""

import math
from typing import Any

import numpy as np
import pytest

from analysis.growth_accounting import FACTORS, PartGrowth
from charts.chart import Band, Line
from data import standing
from data.releases import latest, load
from tests.views.reading import rows
from views.growth_accounting.charts import beside, sensitivity
from views.growth_accounting.effective import ALGORITHMS, NONE, ROWS, assumed
from views.growth_accounting.view import VIEW, GrowthAccountingSettings, run_settings
from views.runs.choice import TrainingComputeSettings
from views.view import answer

RELEASE = load(latest())
CHOICES = ({}, {"rule": "notable"}, {"top": 5}, {"since": "2015"}, {"domain": "language"})


def ask(**settings) -> Any:
    return answer(VIEW, GrowthAccountingSettings(**settings))


def test_the_headline_says_the_whole_and_what_leads_it_and_the_subtitle_every_factor():
    result = ask(release="2026-07")
    assert result.headline == "Since 2018, compute has grown 4.6× a year, led by more chips"
    assert " is 3.5–6.5× a year, based on the 30 of 78 selected runs" in result.subtitle
    assert "Utilization grows 1.13×" in result.subtitle
    assert "language-model compute" in ask(domain="language").headline
    assert "Since 2018, training compute has grown " in ask(rule="notable").headline


def test_few_runs_are_told_and_too_few_say_what_to_widen():
    assert any("so the split is rough" in note for note in ask(since="2021", until="2022-06").notes)
    result = ask(since="2025")
    assert result.headline.startswith("Only ")
    assert "Widen the window of years" in result.notes[0]


def test_the_runs_graded_confident_alone_are_a_row_and_a_sentence():
    """22 of the 30 runs: compute 3.60x and chips 1.62x a year instead of 4.6x and 2.05x."""
    result, sure = ask(release="2026-07"), ask(release="2026-07", confidence="confident")
    strip, own = ({row["choice"]: row for row in rows(one.exhibits[-1])} for one in (result, sure))
    row = strip["Confident of these"]
    assert (row["total"], row["chips_growth"]) == pytest.approx((3.60, 1.62), abs=0.005)
    assert row["n"] == 22 and "Confident only" in strip and "Confident of these" not in own
    start = "In the 22 of the 30 runs whose compute is graded confident, compute grows "
    assert any(text.startswith(start) for text in result.changes)
    assert not any("graded confident" in text for text in sure.changes)


def test_the_runs_chosen_are_those_of_the_same_choice_there():
    assert run_settings(GrowthAccountingSettings()) == TrainingComputeSettings(since="2018")
    chosen = {"rule": "notable", "top": 5, "domain": "language", "since": "2019-03", "until": "2024"}
    chosen |= {"confidence": "likely"}
    assert run_settings(GrowthAccountingSettings(**chosen)) == TrainingComputeSettings(**chosen)


def test_what_grows_beside_compute_agrees_with_rates_computed_elsewhere():
    """From the same export, frontier since 2018: power 1.80-2.49x, since 2016: cost 2.59-3.34x (90 %)."""
    assert 1.8 < ask(since="2018", release="2026-07").figure("power_growth").value < 2.6
    assert 2.59 < ask(since="2016", release="2026-07").figure("cost_growth").value < 3.34


def test_the_runs_that_carry_the_split_are_counted_and_factors_multiply_to_growth_in_every_choice():
    result = ask()
    n = result.figure("yearly_growth").n
    assert result.sure[1].startswith(f"{n} of 78 selected runs have every factor known")
    assert "no clear difference" in result.sure[1]
    assert "reasons for a missing factor are “number of chips unknown” (" in result.sure[1]
    assert "all their errors" in result.notes[0] and "assumed utilization" in result.sure[2]
    assert len(result.table.rows) == 78
    used = [row[-2] for row in result.table.rows]
    assert used.count("yes") == n
    assert all(word == "yes" or word.startswith("no: ") for word in used)
    labels = [row[0] for row in result.exhibits[2].table.rows]
    assert labels[0] == "This view"
    assert len(labels) == len(set(labels)) > 5
    for _, total, *factors, _n in result.exhibits[2].table.rows:
        assert math.prod(factors[::3]) == pytest.approx(total)


def test_the_factors_agree_with_those_epoch_published():
    """Epoch AI, top 10 since 2018, data to early 2025: 4.17x (80 %: 3.74-4.62) = 1.41 x 1.69 x 1.53 and a rest.

    Ours needs all factors of a run, and leaves out runs built on another model. So each may differ by a fifth, and
    theirs must lie in our 90 % interval. Ours leave the rest (1.14x) to utilization.
    """
    result = ask(since="2018", until="2024", release="2026-07")
    published = {"chips": 1.69, "time": 1.53, "flop_per_s_per_chip": 1.41, "utilization": 1.14}
    for name, theirs in published.items():
        ours = result.figure(f"{name}_growth")
        assert ours.low < theirs < ours.high
        assert ours.value == pytest.approx(theirs, rel=0.2)
    assert 3.74 < result.figure("yearly_growth").value < 4.62


def test_no_area_stands_on_the_log_axis_and_each_step_starts_where_the_last_ended():
    steps: Any = ask().exhibits[0].chart
    assert steps.y.scale == "log"
    assert not [mark for mark in steps.marks if isinstance(mark, Band)]
    risers = [mark for mark in steps.marks if isinstance(mark, Line) and mark.dash == "solid"]
    assert risers[0].y[0] == 1
    assert [one.y[-1] for one in risers[:-1]] == [other.y[0] for other in risers[1:]]


def part(yearly_growth: float) -> PartGrowth:
    """Return a part that grows so fast, known on 12 rows."""
    ends = {"low": 0.9 * yearly_growth, "high": 1.1 * yearly_growth, "level": 0.9}
    draws = {"rows": np.ones(12, dtype=bool), "draw_slope": np.zeros(2)}
    return PartGrowth(value=yearly_growth, n=12, slope_per_year=math.log10(yearly_growth), **ends, **draws)


def test_what_grows_beside_compute_stands_from_the_fastest_with_compute_emphasised_or_alone():
    grown = {"all": part(4.0), "cost": part(3.0), "power": part(2.0), "data": part(5.0)}
    exhibit: Any = beside(grown, source="s")
    rates = [row[1] for row in exhibit.table.rows]
    assert rates == sorted(rates, reverse=True) and len(rates) >= 3
    (own,) = (bar for bar in exhibit.chart.bars if bar.emphasised)
    assert (own.label, own.role) == ("Training compute", "compute")
    assert "is 5.0× for training data, 3.0× for cost and 2.0× for power drawn" in exhibit.chart.title
    exhibit = beside({"all": part(4.0)}, source="s")
    assert exhibit.chart.title == "Too few runs report what grows beside compute"
    assert [row[0] for row in exhibit.table.rows] == ["Training compute"]


def test_epochs_estimates_moved_from_1_7_to_3_and_ho_et_al_lie_between():
    """Ho et al., "Algorithmic progress in language models", abstract: 8 months, 95 % interval 5 to 14."""
    assert (assumed("epoch-2022").factor, assumed("epoch-2025").factor) == (1.7, 3)
    ho = assumed("ho-2024")
    factors = [2 ** (12 / months) for months in (8, 14, 5)]
    assert [ho.factor, ho.low, ho.high] == pytest.approx(factors, rel=0.005)
    assert {standing.rows("published", "row_id")[row]["topic"] for row in ROWS.values()} == {"algorithms"}


@pytest.mark.parametrize("word", [word for word in ALGORITHMS if word != NONE])
def test_an_assumption_adds_to_the_page_and_changes_nothing_measured(word):
    plain, assuming = ask(algorithms=NONE), ask(algorithms=word)
    assert assuming.headline == plain.headline and assuming.subtitle == plain.subtitle
    figures = {figure.name: figure for figure in assuming.figures}
    effective = figures.pop("effective_compute_growth")
    assert tuple(figures.values()) == plain.figures
    assert "assumed" in effective.label and "assumed" in effective.method and not effective.key
    assert effective.value == pytest.approx((figures["yearly_growth"].value or 0) * assumed(word).factor)
    assert assuming.notes[-1].startswith("The chart of effective compute assumes that better algorithms save")
    titles = [exhibit.chart.title for exhibit in assuming.exhibits]
    assert (effective.low or 0) < (effective.value or 0) < (effective.high or 0)
    (new,) = set(titles) - {exhibit.chart.title for exhibit in plain.exhibits}
    assert new.startswith("If algorithms save")


def test_the_title_spans_the_choices_and_each_factor_has_a_point_for_each():
    first, second = ({name: part(growth) for name in (*FACTORS, "total")} for growth in (1.5, 2.5))
    exhibit: Any = sensitivity((("This view", first), ("Top 5", second)), source="s")
    assert "chip count grows 1.50–2.5× a year" in exhibit.chart.title
    assert [mark.x for mark in exhibit.chart.marks] == [(1.5, 2.5)] * len(FACTORS)
    assert [mark.y for mark in exhibit.chart.marks] == [(2.0, 1.0)] * len(FACTORS)
    assert all(mark.marked[0][0] == 0 for mark in exhibit.chart.marks)
    named = {tick.label: tick.value for tick in exhibit.chart.y.ticks}
    assert named == {"This view": 2.0, "Top 5": 1.0}
