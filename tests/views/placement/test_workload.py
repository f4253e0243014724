"""Every usual work is one that a link could spell out."""

import pytest

from views.models import names
from views.placement.options import FORMATS, NETWORKS, TUNINGS
from views.placement.settings import PlacementSettings
from views.placement.view import VIEW
from views.placement.workload import PRESETS
from views.view import link, read, split

SPELLED = ("model", "format", "stay", "network", "edge_model", "tuning")
NUMBERS = ("prompt", "output", "kept", "requests", "people", "peak")


@pytest.mark.parametrize("work", PRESETS)
def test_a_usual_choice_is_one_that_can_be_chosen(work):
    preset = PRESETS[work]
    assert {preset.model, preset.edge_model} <= set(names())
    assert preset.format in FORMATS and preset.network in NETWORKS
    assert preset.tuning == "" or preset.tuning in TUNINGS
    assert preset.words and preset.noun[0].isupper()


@pytest.mark.parametrize("work", PRESETS)
def test_a_usual_number_spelled_out_in_a_link_is_read_as_it_is(work):
    preset = PRESETS[work]
    said = {name: getattr(preset, name) for name in NUMBERS}
    settings = PlacementSettings(work=work, **said)
    again, ignored = read(VIEW, split(link(VIEW, settings))[1])
    assert ignored == ()
    assert isinstance(again, PlacementSettings)
    assert {name: again.number(name) for name in NUMBERS} == said
    assert {name: PlacementSettings(work=work).number(name) for name in NUMBERS} == said


@pytest.mark.parametrize("work", PRESETS)
def test_a_model_at_the_edge_is_smaller_than_the_works_own(work):
    order = list(names())
    preset = PRESETS[work]
    if not preset.tuning:
        assert order.index(preset.edge_model) < order.index(preset.model)
        assert 0 < preset.kept_on_edge < 100


def test_only_a_fine_tuning_has_tokens_to_learn_from_and_a_deadline():
    for preset in PRESETS.values():
        assert bool(preset.tuning) == bool(preset.tuning_tokens) == bool(preset.deadline)
