from dataclasses import replace

import numpy as np
import pytest

from data.releases import latest, load, names
from views.runs import rows as run_rows
from views.runs.choice import TrainingComputeSettings, rule_words
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


@pytest.mark.parametrize("rule", ["frontier", "notable", "records"])
@pytest.mark.parametrize("domain", ["all", "language"])
def test_the_headline_says_which_runs_and_how_fast(rule, domain):
    headline = answer(VIEW, TrainingComputeSettings(rule=rule, domain=domain)).headline
    assert ("of language models" in headline) == (domain == "language")
    assert headline.endswith("× a year")


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
    assert "Quantile 0.9 on log10; 90 % interval: " in line
    assert line.endswith(f"release {latest()}.")


def test_the_table_lists_the_fitted_runs_newest_first_with_their_ratio_to_the_trend():
    result = answer(VIEW, TrainingComputeSettings())
    dates = [str(row[2]) for row in result.table.rows]
    assert dates == sorted(dates, reverse=True)
    ratios = [row[4] for row in result.table.rows]
    assert all(isinstance(ratio, float) and 1e-3 < ratio < 1e3 for ratio in ratios)


def test_the_strip_of_rates_starts_with_this_view_and_names_no_rule_twice():
    result = answer(VIEW, TrainingComputeSettings())
    labels = [row[0] for row in result.exhibits[1].table.rows]
    assert labels[0] == "This view"
    assert len(set(labels)) == len(labels) >= 8
    assert "Top 10 at release" not in labels
    assert result.exhibits[1].chart.title.startswith("The choice of rule moves the rate between ")


def test_the_strip_holds_each_rate_as_its_own_view_gives_it():
    settings = TrainingComputeSettings()
    strip = {row[0]: row for row in answer(VIEW, settings).exhibits[1].table.rows}
    for label, change in (("Every notable run", {"rule": "notable"}), ("Since 2020", {"since": "2020"})):
        own = answer(VIEW, replace(settings, **change)).figure("yearly_growth")
        assert strip[label][1] == pytest.approx(own.value)
        assert strip[label][2] == pytest.approx(own.low, rel=0.02)
        assert strip[label][4] == own.n


def test_a_fit_so_short_that_its_projection_overflows_is_still_an_answer():
    chosen, ignored = read(VIEW, "confidence=likely&until=2012")
    assert not ignored
    value = answer(VIEW, chosen).figure("value")
    assert "∞" in value.interval_text
