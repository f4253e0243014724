"""What a run is made of, and why one is left out."""

from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest

from analysis.growth_accounting import FACTORS
from charts.chart import BarChart, Points, XYChart
from data import standing
from data.releases import latest, load, names
from tests.views import reading
from views import overview, training_compute
from views.growth_accounting import view as growth_accounting
from views.growth_gap import view as growth_gap
from views.runs import disclosure, undisclosed
from views.runs import rows as run_rows
from views.runs.choice import TrainingComputeSettings, rule_words
from views.runs.rows import CONFIDENCE_GRADES, candidates, error_sd, with_parts
from views.track_record import view as track_record
from views.training_compute import VIEW
from views.view import answer, read

RELEASE = load(latest())
ONLY = "Only 24% of 2026's notable models have a compute value."
WARNING = [training_compute.VIEW, overview.VIEW, growth_gap.VIEW, growth_accounting.VIEW]
TABLE = standing.table("undisclosed_models")
BOUNDS = TrainingComputeSettings(undisclosed="bounds")
ASSUMED_FLOP = (5e25, 1e26, 1e27)
ATTACK = {2012: (4.43, 4.55, 5.00), 2020: (3.75, 4.16, 5.92), 2023: (2.22, 2.96, 7.72)}
"""Rates that an independent check found with 17 flagships; the table lists 16, without variants of a model."""
answer_to = partial(reading.answer_to, VIEW, holds=True)


def runs(**settings):
    return run_rows.candidates(load(latest()), TrainingComputeSettings(**settings))


@pytest.mark.parametrize("release", names())
def test_confidence_grades_of_the_data_are_those_of_the_setting(release):
    assert set(load(release).training_runs["confidence"]) <= set(run_rows.CONFIDENCE_GRADES["all"])


def test_each_filter_leaves_fewer_runs_of_the_named_kind():
    assert set(runs(confidence="confident")["confidence"]) == {"confident"}
    assert set(runs(confidence="likely")["confidence"]) == {"confident", "likely"}
    assert np.all(runs(finetunes="exclude")["base_model"] == "")
    assert runs(domain="language")["domain"].str.contains("Language").all()
    assert len(runs(domain="language", finetunes="exclude")) < len(runs(domain="language")) < len(runs())


def test_the_line_of_settings_says_every_choice_in_words():
    rows = {
        "rule": "frontier",
        "top": 5,
        "domain": "language",
        "finetunes": "exclude",
        "confidence": "likely",
    }
    said = rule_words(TrainingComputeSettings(**rows, since="2018-06", until="2024"))
    assert said.startswith("Top-5 runs by compute at release, language models, without fine-tunes, likely or")
    assert said.endswith(" confident, 2018-06 to 2024")
    line = answer(VIEW, TrainingComputeSettings(estimator="quantile", tau=0.9)).settings_line
    assert "Quantile 0.9, 90% clustered bootstrap interval." in line
    assert line.endswith(f"release {latest()}.")


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


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("domain", ["all", "language"])
@pytest.mark.parametrize("finetunes", ["include", "exclude"])
def test_the_models_with_a_value_are_the_candidates_of_the_trend(name, *, domain, finetunes):
    release = load(name)
    settings = TrainingComputeSettings(release=name, domain=domain, finetunes=finetunes)
    result = disclosure.disclosure(release, settings)
    assert result is not None
    assert sum(year.known for year in result.years) == len(candidates(release, settings))


@pytest.mark.parametrize("view", WARNING)
@pytest.mark.parametrize(("query", "warned"), [("", False), ("since=2019", False), ("since=2020", True)])
def test_a_rate_that_begins_after_2019_carries_the_warning(view, *, query, warned):
    chosen, ignored = read(view, query)
    assert not ignored
    result = answer(view, chosen)
    assert (ONLY in " ".join([result.subtitle, *result.notes])) is warned


def test_a_window_that_ends_while_most_models_had_a_value_carries_none():
    ends = TrainingComputeSettings(since="2020", until="2022")
    assert disclosure.warning(RELEASE, ends) == ""
    assert disclosure.warning(RELEASE, replace(ends, until="2024")).startswith("Only 49% of 2024's")


@pytest.mark.parametrize("view", [*WARNING, track_record.VIEW])
def test_every_trend_page_names_the_largest_known_run_and_its_grade(view):
    text = " ".join(answer(view, view.settings()).sure)
    assert "is graded “speculative”: it may be wrong by a factor of about 30." in text
    assert "24% of 2026's notable models have a compute value, against 53% in the median year" in text


def test_the_exhibit_is_titled_by_what_it_shows_and_stands_under_how_sure():
    shown = disclosure.exhibit(RELEASE, TrainingComputeSettings(), source="Data.")
    assert shown is not None and shown.section == "sure"
    assert shown.chart.title == "24% of 2026's notable models have a compute value"
    shares = {row[0]: row[3] for row in shown.table.rows}
    assert [shares[year] for year in ("2021", "2026")] == pytest.approx([0.78, 0.24], abs=0.005)
    on_page = answer(training_compute.VIEW, TrainingComputeSettings()).exhibits
    assert shown.chart.title in [exhibit.chart.title for exhibit in on_page]


def test_a_release_without_any_value_says_nothing():
    runs = RELEASE.training_runs.assign(training_compute_flop=float("nan"))
    empty = replace(RELEASE, name="none", origin="own models", training_runs=runs)
    settings = TrainingComputeSettings(since="2020")
    assert disclosure.disclosure(empty, settings) is None
    assert (disclosure.warning(empty, settings), disclosure.sentence(empty, settings)) == ("", ())
    assert disclosure.exhibit(empty, settings, source="Data.") is None


def test_the_error_of_an_estimate_is_that_of_its_grade():
    """Within a factor of 3, 10 and 30 in nine of ten cases: 0.29, 0.61 and 0.90 orders of magnitude."""
    runs = pd.DataFrame({"confidence": ["confident", "likely", "speculative", "unknown"]})
    assert error_sd(runs) == pytest.approx([0.290, 0.608, 0.898, 0.898], abs=0.001)
    assert set(CONFIDENCE_GRADES["all"]) == set(standing.table("confidence_grades")["grade"])


def sensitivity(settings: TrainingComputeSettings):
    shown = undisclosed.sensitivity(RELEASE, settings, source="Data.")
    assert shown is not None
    return shown


def test_every_flagship_is_a_row_of_the_release_that_has_no_compute():
    runs = RELEASE.training_runs.set_index("name").loc[TABLE["name"]]
    assert runs["training_compute_flop"].isna().all() and (runs["excluded"] == "").all()
    for name in ("published_on", "organisation"):
        assert (runs[name].to_numpy() == TABLE[name].to_numpy()).all()
    links = runs["link"].to_numpy()
    assert (links[links != ""] == TABLE["link"].to_numpy()[links != ""]).all()
    assert (links != "").sum() == len(TABLE) - 1


def test_what_is_assumed_lies_between_a_known_run_and_twice_the_largest():
    runs = RELEASE.training_runs
    known = dict(zip(runs["name"], runs["training_compute_flop"], strict=True))
    largest = max(flop for flop in known.values() if np.isfinite(flop))
    assert np.all(TABLE["low_flop"] <= 1.01 * known["Gemini 1.0 Ultra"])
    assert np.all(TABLE["high_flop"] == 2 * largest) and known["Grok 4"] == largest
    assert np.all(TABLE["low_flop"] < TABLE["high_flop"])
    assert known["GPT-5"] < known["GPT-4.5"]
    assert set(TABLE["confidence"]) == {"speculative"} and set(TABLE["estimate"]) == {"estimated"}


def test_left_out_is_the_default_and_changes_nothing():
    assert answer_to("undisclosed=ignore").headline == answer_to("").headline
    assert undisclosed.bounds(RELEASE, TrainingComputeSettings(), known=undisclosed.series(TABLE, 1e26)) == ()
    assert undisclosed.points(RELEASE, TrainingComputeSettings()) is None
    assert undisclosed.sensitivity(RELEASE, TrainingComputeSettings(), source="Data.") is None


@pytest.mark.parametrize("since", ["2012", "2020", "2023"])
def test_bounds_keep_the_rate_and_widen_its_interval(since):
    plain, wide = (answer_to(f"since={since}&undisclosed={word}") for word in ("ignore", "bounds"))
    before, after = plain.figure("yearly_growth"), wide.figure("yearly_growth")
    assert after.value == before.value
    assert (after.low or 0) < (before.low or 0) and (after.high or 0) > (before.high or 0)
    assert "widened" in after.method and "16 flagships" in wide.subtitle
    chart = wide.exhibits[0].chart
    assert isinstance(chart, XYChart)
    hollow = [mark for mark in chart.marks if isinstance(mark, Points) and mark.hollow]
    assert [len(mark.x) for mark in hollow] == [2 * len(TABLE)]
    assert "Hollow points are assumed bounds" in chart.subtitle


def test_the_table_of_assumed_values_gives_the_rates_an_independent_check_found():
    rows = {(int(str(row[0])), row[1]): row[2] for row in sensitivity(BOUNDS).table.rows}
    for since, rates in ATTACK.items():
        assert [rows[since, flop] for flop in ASSUMED_FLOP] == pytest.approx(rates, rel=0.02), since
    assert rows[2012, None] == pytest.approx(4.70, abs=0.005)
    assert rows[2020, None] == pytest.approx(4.65, abs=0.005)
    assert rows[2012, 1e25] == rows[2012, None]


def test_the_exhibit_is_open_where_it_was_asked_for():
    chart = sensitivity(BOUNDS).chart
    assert isinstance(chart, BarChart) and len(chart.bars) == len(undisclosed.STARTS)
    assert chart.title == "Since 2012 the rate is 4.4–5.0× a year; since 2023, 2.2–7.6×"
    assert sensitivity(BOUNDS).section == "changes"
    assert sensitivity(replace(BOUNDS, undisclosed="sensitivity")).section == "finding"
    shown = answer_to("undisclosed=sensitivity").exhibits
    assert chart.title in [exhibit.chart.title for exhibit in shown]


def test_only_models_of_the_time_and_the_domain_are_put_back():
    assert len(undisclosed.models(RELEASE, BOUNDS)) == len(TABLE) == 16
    assert len(undisclosed.models(RELEASE, replace(BOUNDS, until="2024"))) == 0
    older = load(names()[0])
    newest = older.training_runs["published_on"].max()
    assert np.all(undisclosed.models(older, BOUNDS)["published_on"] <= newest)
    assert 0 < len(undisclosed.models(older, BOUNDS)) < 16
    assert len(undisclosed.models(RELEASE, replace(BOUNDS, since="2026-03"))) == 16
    drawn = undisclosed.points(RELEASE, replace(BOUNDS, since="2026-03"))
    assert drawn is not None and len(drawn.x) == 12
    assert "16" not in answer_to("undisclosed=bounds&until=2024").subtitle


def test_a_model_whose_compute_becomes_known_is_put_back_no_more():
    name = TABLE["name"].iloc[0]
    runs = RELEASE.training_runs
    flop = np.where(runs["name"] == name, 2e26, runs["training_compute_flop"])
    known = runs.assign(training_compute_flop=flop)
    left = undisclosed.models(replace(RELEASE, name="own", origin="own models", training_runs=known), BOUNDS)
    assert name not in set(left["name"]) and len(left) == 15


def test_intervals_for_flagships_left_and_a_release_without_flagships_has_nothing_to_join():
    _, ignored = read(VIEW, "undisclosed=censored")
    assert ignored[0].sentence.endswith("allowed: ignore, bounds, sensitivity.")
    settings = TrainingComputeSettings(undisclosed="bounds", until="2024")
    plain = answer(VIEW, replace(settings, undisclosed="ignore")).figure("yearly_growth")
    assert answer(VIEW, settings).figure("yearly_growth").interval_text == plain.interval_text
