"""What a link may say, and what stands for what it leaves out."""

from typing import Any

import pytest

from tests.views.placement.placed import result, rows
from views.models import names as model_names
from views.placement.presets import PRESETS
from views.placement.settings import PlacementSettings
from views.placement.view import VIEW
from views.view import answer, read


def test_zero_requests_and_other_impossible_numbers_are_named():
    settings, ignored = read(VIEW, "work=laptop-coding&year=1999&requests=0&people=-5&model=gpt-nine")
    assert settings == PlacementSettings()
    assert {item.setting: item.allowed for item in ignored if item.setting in ("requests", "people")} == {
        name: "a whole number from 1 to 999999999, or empty for the workload's usual number"
        for name in ("requests", "people")
    }
    assert {item.setting for item in ignored} == {"year", "requests", "people", "model"}


@pytest.mark.parametrize("work", PRESETS)
def test_a_number_left_empty_is_the_usual_one_of_the_work_and_its_place_shows_it(work):
    usual: Any = read(VIEW, f"work={work}&requests=&budget=&chips=")[0]
    assert usual == PlacementSettings(work=work)
    assert usual.number("requests") == PRESETS[work].requests
    assert usual.where_empty("requests") == f"{PRESETS[work].requests:,}"
    assert (usual.where_empty("budget"), usual.where_empty("chips")) == ("any price", "the fewest")
    assert usual.where_empty("speed") == (f"{PRESETS[work].speed:g}" if PRESETS[work].speed else "any")
    spelled = PlacementSettings(work=work, requests=PRESETS[work].requests)
    assert rows(result(work=work)) == rows(answer(VIEW, spelled))


@pytest.mark.parametrize("work", PRESETS)
def test_the_preset_says_what_it_is_of_the_chosen_work(work):
    preset, settings = PRESETS[work], PlacementSettings(work=work)
    assert settings.option_label("model", "usual") == f"Preset: {model_names()[preset.model]}"
    assert settings.option_label("model", "phi-4") == "Phi-4"
    assert settings.option_label("charged", "usual") == f"Preset: {100 * preset.share:.0f} %"
    assert settings.shown("edge_model").startswith("Preset: ")
    assert (settings.shown("tuning") == "Preset") == (not preset.tuning)
    assert settings.in_words("stay") in ("Data may go: Preset: Anywhere", "Data may go: Preset: On premises")
