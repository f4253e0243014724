"""The history that is forecast is the one its own view follows."""

import pytest

from data.releases import latest, load
from views.chips.choice import AcceleratorSettings
from views.chips.metrics import METRICS
from views.runs.choice import TrainingComputeSettings
from views.setting_kinds import Choice
from views.settings import definitions
from views.track_record.settings import CHIP_SERIES, TrackRecordSettings, chosen, history, rule

RELEASE = load(latest())


def test_runs_and_chips_are_chosen_as_their_own_views_choose_them():
    asked = {"since": "2014", "top": 4, "estimator": "theil-sen", "level": "80"}
    runs = chosen(TrackRecordSettings(rule="all", domain="language", **asked))
    assert runs == TrainingComputeSettings(rule="notable", domain="language", **asked)
    chips = chosen(TrackRecordSettings(series="fp16", rule="records", **asked))
    assert chips == AcceleratorSettings(metric="fp16", rule="records", **asked)


def test_the_rule_is_the_one_that_is_named():
    assert (rule(TrackRecordSettings(rule="records")).depth, rule(TrackRecordSettings(top=3)).depth) == (1, 3)
    assert rule(TrackRecordSettings(rule="all")).depth is None


@pytest.mark.parametrize("series", CHIP_SERIES)
def test_a_series_of_chips_has_the_words_unit_and_colour_of_its_quantity(series):
    points, subject = history(RELEASE, TrackRecordSettings(series=series))
    metric = METRICS[series]
    assert (subject.noun, subject.unit, subject.role, subject.point) == (
        metric.noun,
        metric.unit,
        metric.role,
        "chip",
    )
    assert len(points.year) > 10 and (points.value > 0).all()


def test_chips_go_by_their_product_and_runs_by_their_name():
    chips, _ = history(RELEASE, TrackRecordSettings(series="memory-bandwidth"))
    assert "H100 SXM" in chips.name and "NVIDIA H100 SXM5 80GB" not in chips.name
    runs, subject = history(RELEASE, TrackRecordSettings())
    assert set(runs.name) <= set(RELEASE.training_runs["name"])
    assert (subject.noun, subject.unit, subject.point) == ("training compute", "FLOP", "run")


def test_every_series_offered_can_be_chosen():
    offered = definitions(TrackRecordSettings)["series"]
    assert isinstance(offered, Choice) and list(offered.options) == ["training-compute", *CHIP_SERIES]
