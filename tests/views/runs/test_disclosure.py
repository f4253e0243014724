"""Which share of the notable models has a compute value, and where a rate says so."""

from dataclasses import replace

import pytest

from analysis.trend.calendar_year import decimal_year
from data.releases import latest, load, names
from views import overview, training_compute
from views.growth_gap import view as growth_gap
from views.runs import disclosure
from views.runs.choice import TrainingComputeSettings
from views.runs.rows import candidates, fitted
from views.view import answer, read

RELEASE = load(latest())
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
