from typing import Any
from unittest.mock import Mock

import pytest

from analysis.trend.selection import Rule
from data.releases import latest, load
from views import accelerators, overview, training_compute
from views.growth_gap.levels import Level
from views.growth_gap.settings import GapSettings
from views.overview import VIEW
from views.runs import rows as run_rows
from views.runs.choice import TrainingComputeSettings
from views.trend import fit as fit_settings
from views.view import answer, read

BANDWIDTH_OF = {
    "usual": "rule=flagships&vendor=nvidia",
    "nvidia-flagships": "rule=flagships&vendor=nvidia",
    "flagships": "rule=flagships",
    "all": "rule=all",
}
MOSTLY = "Compute outgrows memory bandwidth 3.6× a year, mostly because runs get bigger"
EVERY_CHOICE = pytest.mark.parametrize(
    "settings",
    [
        GapSettings(since=2008, domain="all", chips="usual"),
        GapSettings(since=2008, domain="language", chips="all"),
        GapSettings(since=2012, domain="all", chips="all"),
        GapSettings(since=2012, domain="language", chips="flagships"),
        GapSettings(since=2022, domain="all", chips="flagships"),
        GapSettings(since=2022, domain="language", chips="nvidia-flagships"),
    ],
    ids=str,
)


@EVERY_CHOICE
def test_both_rates_are_those_of_the_views_they_come_from(settings):
    result = answer(VIEW, settings)
    if len(result.figures) == 1:
        assert result.headline == "Too few points remain to compare two trends"
        assert "Widen the window" in " ".join(result.notes)
        return
    years = f"since={settings.since}&to={settings.to}&level={settings.level}"
    for name, view, query in (
        ("compute_growth", training_compute.VIEW, f"domain={settings.domain}&{years}"),
        ("bandwidth_growth", accelerators.VIEW, f"{BANDWIDTH_OF[settings.chips]}&{years}"),
    ):
        own, ignored = read(view, query)
        assert not ignored
        there = answer(view, own).figure("yearly_growth")
        here = result.figure(name)
        assert (here.value, here.low, here.high, here.n) == (there.value, there.low, there.high, there.n)


def test_the_finding_is_the_like_for_like_one_and_its_three_key_figures_are_the_three_gaps():
    result = answer(VIEW, GapSettings())
    assert result.headline == MOSTLY
    assert " one chip's bandwidth grows 3.6× a year (90% interval 3.0–4.1×). " in result.subtitle
    assert " 1.39× a year (1.30–1.47×); within one chip, it grows 1.08× (1.01–1.12×)." in result.subtitle
    assert [(figure.name, figure.label, figure.text) for figure in result.figures if figure.key] == [
        ("gap_growth", "Run vs one chip", "3.6× a year"),
        ("run_run_gap_growth", "Run vs its own chips", "1.39× a year"),
        ("chip_chip_gap_growth", "Within one chip", "1.08× a year"),
    ]
    chart: Any = result.exhibits[0].chart
    assert "More chips and longer training explain" in chart.subtitle
    assert chart.bars[2].text == "74% of the growth (2.6× a year)"


def test_most_of_the_difference_is_met_by_more_chips_for_longer():
    runs = run_rows.candidates(load(latest()), TrainingComputeSettings())
    runs = runs.assign(training_compute_flop=runs["hardware_quantity"] * runs["training_time_s"])
    runs = runs.loc[runs["training_compute_flop"].notna()]
    settings = TrainingComputeSettings(interval="classical")
    chip_time = fit_settings.fitted(
        run_rows.series(runs), settings, rule=Rule(kind="frontier", top=10), since="2012"
    )
    apart = answer(VIEW, GapSettings()).figure("gap_growth").value or 0.0
    assert chip_time.trend.yearly_growth > apart**0.5


def _level(name: str, ends: tuple[float, float, float]) -> Level:
    gap = Mock(low=ends[0], value=ends[1], high=ends[2], level=0.9)
    return Level(name=name, compute=Mock(), memory=Mock(), gap=gap, rows="", comparing="")


@pytest.mark.parametrize(
    ("quoted", "chips", "runs", "headline"),
    [
        ((3.2, 3.6, 3.9), (1.0, 1.2, 1.4), None, MOSTLY),
        ((3.2, 3.6, 3.9), None, (1.3, 1.4, 1.5), MOSTLY),
        ((3, 3.6, 4), (0.8, 0.9, 1), (2, 2.1, 2.2), "The gap widens 3.6× vs one chip, 2.1× vs its own chips"),
        ((1.4, 1.5, 1.6), (2.0, 2.1, 2.2), None, "Like for like, the gap widens faster: 2.1× a year, not 1.50×"),
        ((0.9, 1.5, 1.6), (2.0, 2.1, 2.2), None, "Run vs one chip: no clear change (1.50× a year)"),
        ((0.7, 0.8, 0.9), (2.0, 2.1, 2.2), None, "Run vs one chip: the gap narrows 20% a year"),
        ((3.2, 3.6, 3.9), None, None, "Run vs one chip: the gap widens 3.6× a year"),
    ],
)  # fmt: skip
def test_the_words_follow_where_choices_make_the_like_for_like_gap_larger(*, quoted, chips, runs, headline):
    fair = [_level(name, ends) for name, ends in (("run-run", runs), ("chip-chip", chips)) if ends]
    assert overview._headline(_level("run-chip", quoted), fair) == headline
    assert len(headline.split()) <= 12
