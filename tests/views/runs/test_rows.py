"""What a run is made of, and why one is left out."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from analysis.trend.calendar_year import decimal_year
from data import standing
from data.releases import latest, load, names
from views import overview, training_compute
from views.growth_gap import view as growth_gap
from views.runs import disclosure
from views.runs import rows as run_rows
from views.runs.choice import TrainingComputeSettings, rule_words
from views.runs.parts import FACTORS, with_parts
from views.runs.rows import CONFIDENCE_GRADES, candidates, fitted
from views.runs.spread import UNDONE, error_sd
from views.training_compute import VIEW
from views.view import answer, read


def runs(**settings):
    return run_rows.candidates(load(latest()), TrainingComputeSettings(**settings))


@pytest.mark.parametrize("release", names())
def test_confidence_grades_of_the_data_are_those_of_the_setting(release):
    assert set(load(release).training_runs["confidence"]) <= set(run_rows.CONFIDENCE_GRADES["all"])


def test_every_estimate_means_every_row_with_compute_and_date():
    table = load(latest()).training_runs
    known = table["training_compute_flop"].notna() & table["published_on"].notna() & (table["excluded"] == "")
    assert len(runs()) == known.sum()


def test_each_filter_leaves_fewer_runs_of_the_named_kind():
    assert set(runs(confidence="confident")["confidence"]) == {"confident"}
    assert set(runs(confidence="likely")["confidence"]) == {"confident", "likely"}
    assert np.all(runs(finetunes="exclude")["base_model"] == "")
    assert runs(domain="language")["domain"].str.contains("Language").all()
    assert len(runs(domain="language", finetunes="exclude")) < len(runs(domain="language")) < len(runs())


def test_the_line_of_settings_says_every_choice_in_words():
    settings = TrainingComputeSettings(
        rule="frontier",
        top=5,
        domain="language",
        finetunes="exclude",
        confidence="likely",
        since="2018-06",
        until="2024",
    )
    assert rule_words(settings) == (
        "Top-5 runs by compute at release, language models, without fine-tunes, likely or confident, "
        "2018-06 to 2024"
    )
    line = answer(VIEW, TrainingComputeSettings(estimator="quantile", tau=0.9)).settings_line
    assert "Quantile 0.9, 90 % clustered bootstrap interval." in line
    assert line.endswith(f"release {latest()}.")


RELEASE = load(latest())


def test_runs_built_on_another_model_and_runs_without_parts_stay_out_with_their_reason():
    runs = with_parts(RELEASE, run_rows.candidates(RELEASE, TrainingComputeSettings()))
    reason = dict(zip(runs["name"], runs["missing"], strict=True))
    assert reason["Flan-PaLM 540B"].startswith("built on another model")
    assert reason["Claude 2"] == "no chip named"
    assert reason["ERNIE 3.0 Titan"].startswith("several kinds of chip")
    assert reason["GPT-2 (1.5B)"] == "number of chips unknown"
    assert reason["Llama 3.1-405B"] == ""
    used = runs.loc[runs["missing"] == ""]
    product = used["chips"] * used["time"] * used["flop_per_s_per_chip"] * used["utilization"]
    np.testing.assert_allclose(product, used["training_compute_flop"])
    assert (used["utilization"] <= 1).all()
    assert runs.loc[runs["missing"] != "", list(FACTORS)].isna().all(axis=None)


def test_the_peak_is_that_of_the_precision_a_run_states():
    runs = with_parts(RELEASE, run_rows.candidates(RELEASE, TrainingComputeSettings())).set_index("name")
    assert runs.loc["Inflection-2", "peak_flop_per_s"] == pytest.approx(1978.9e12, rel=0.01)
    assert runs.loc["Llama 3.1-405B", "peak_flop_per_s"] == pytest.approx(989.4e12, rel=0.01)
    assert runs.loc["Noisy Student (L2)", "peak_flop_per_s"] == pytest.approx(123e12, rel=0.01)
    assert runs.loc["AlexNet", "peak_flop_per_s"] == pytest.approx(1.58e12, rel=0.05)


ONLY = "Only 24 % of 2026's notable models have a compute value."


def test_two_of_the_fitted_runs_are_later_than_the_frontier_is_known():
    settings = TrainingComputeSettings()
    runs = candidates(RELEASE, settings)
    dates = runs.loc[fitted(runs, settings).selected, "published_on"]
    found = disclosure.disclosure(RELEASE, settings)
    assert found is not None and found.until == "Jul 2025"
    assert (len(dates), int((decimal_year(dates) >= 2025 + 7 / 12).sum())) == (116, 2)


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("domain", ["all", "language"])
@pytest.mark.parametrize("finetunes", ["include", "exclude"])
def test_the_models_with_a_value_are_the_candidates_of_the_trend(name, *, domain, finetunes):
    release = load(name)
    settings = TrainingComputeSettings(release=name, domain=domain, finetunes=finetunes)
    found = disclosure.disclosure(release, settings)
    assert found is not None
    assert sum(year.known for year in found.years) == len(candidates(release, settings))


@pytest.mark.parametrize("view", [training_compute.VIEW, overview.VIEW, growth_gap.VIEW])
@pytest.mark.parametrize(("query", "warned"), [("", False), ("since=2019", False), ("since=2020", True)])
def test_a_rate_that_begins_after_2019_carries_the_warning(view, *, query, warned):
    chosen, ignored = read(view, query)
    assert not ignored
    assert (ONLY in answer(view, chosen).subtitle) is warned


def test_a_window_that_ends_while_most_models_had_a_value_carries_none():
    ends = TrainingComputeSettings(since="2020", until="2022")
    assert disclosure.warning(RELEASE, ends) == ""
    assert disclosure.warning(RELEASE, replace(ends, until="2024")).startswith("Only 49 % of 2024's")


@pytest.mark.parametrize("view", [training_compute.VIEW, overview.VIEW, growth_gap.VIEW])
def test_every_trend_page_says_until_when_the_frontier_is_known(view):
    told = " ".join(answer(view, view.settings()).sure)
    assert "known until Jul 2025" in told and "24 % of 2026's notable models have one" in told


def test_the_exhibit_is_titled_by_what_it_shows_and_stands_under_how_sure():
    shown = disclosure.exhibit(RELEASE, TrainingComputeSettings(), source="Data.")
    assert shown is not None and shown.section == "sure"
    assert shown.chart.title == "24 % of 2026's notable models have a compute value"
    shares = {row[0]: row[3] for row in shown.table.rows}
    assert shares["2021"] == pytest.approx(0.78, abs=0.005) and shares["2026"] == pytest.approx(
        0.24, abs=0.005
    )
    on_page = answer(training_compute.VIEW, TrainingComputeSettings()).exhibits
    assert shown.chart.title in [exhibit.chart.title for exhibit in on_page]


def test_a_release_without_any_value_says_nothing():
    runs = RELEASE.training_runs
    empty = replace(
        RELEASE,
        name="none",
        origin="own models",
        training_runs=runs.assign(training_compute_flop=float("nan")),
    )
    settings = TrainingComputeSettings(since="2020")
    assert disclosure.disclosure(empty, settings) is None
    assert (disclosure.warning(empty, settings), disclosure.sentence(empty, settings)) == ("", ())
    assert disclosure.exhibit(empty, settings, source="Data.") is None


def test_the_strip_of_rates_starts_with_this_view_and_names_no_rule_twice():
    result = answer(VIEW, TrainingComputeSettings())
    labels = [row[0] for row in result.exhibits[1].table.rows]
    assert labels[0] == "This view"
    assert len(set(labels)) == len(labels) >= 8
    assert "Top 10 at release" not in labels
    assert result.exhibits[1].chart.title.startswith("Compute per run grows ")


def test_the_strip_holds_each_rate_as_its_own_view_gives_it():
    settings = TrainingComputeSettings()
    strip = {row[0]: row for row in answer(VIEW, settings).exhibits[1].table.rows}
    for label, change in (("Every notable run", {"rule": "notable"}), ("Since 2020", {"since": "2020"})):
        own = answer(VIEW, replace(settings, **change)).figure("yearly_growth")
        assert strip[label][1] == pytest.approx(own.value)
        assert strip[label][2] == pytest.approx(own.low, rel=0.05)  # a quarter of the draws
        assert strip[label][4] == own.n


def test_the_strip_shows_the_flagships_as_intervals_and_the_errors_of_estimates_undone():
    strip = {
        row[0]: row for row in answer(VIEW, TrainingComputeSettings(release="2026-07")).exhibits[1].table.rows
    }
    intervals, undone = strip["Undisclosed flagships as intervals"], strip[UNDONE]
    assert (intervals[1], intervals[4]) == (pytest.approx(4.71, abs=0.01), 131)
    assert (undone[1], undone[4]) == (pytest.approx(4.65, abs=0.1), 116)
    assert number(undone[2]) < number(undone[1]) < number(undone[3])
    assert "Undisclosed flagships left out" not in strip
    censored = answer(VIEW, TrainingComputeSettings(release="2026-07", undisclosed="censored"))
    other = {row[0]: row for row in censored.exhibits[1].table.rows}
    assert other["Undisclosed flagships left out"][1] == pytest.approx(4.70, abs=0.005)
    assert UNDONE not in other
    theil = answer(VIEW, TrainingComputeSettings(estimator="theil-sen")).exhibits[1].table.rows
    assert UNDONE not in [row[0] for row in theil]


def test_the_error_of_an_estimate_is_that_of_its_grade():
    """Within a factor of 3, 10 and 30 in nine of ten cases: 0.29, 0.61 and 0.90 orders of magnitude."""
    runs = pd.DataFrame({"confidence": ["confident", "likely", "speculative", "unknown"]})
    assert error_sd(runs) == pytest.approx([0.290, 0.608, 0.898, 0.898], abs=0.001)
    assert set(CONFIDENCE_GRADES["all"]) == set(standing.table("confidence_grades")["grade"])


def number(cell: object) -> float:
    assert isinstance(cell, int | float)
    return float(cell)
