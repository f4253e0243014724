"""What a link may say, and what stands for what it leaves out."""

from typing import Any

import pytest

from tests.views.placement.placed import result, rows
from views.models import names as model_names
from views.placement.settings import PlacementSettings
from views.placement.view import VIEW
from views.placement.workload import PRESETS
from views.short_link.recorded import pages
from views.short_link.token import meaning
from views.view import answer, link, read, short


def test_zero_requests_and_other_impossible_numbers_are_named():
    settings, ignored = read(VIEW, "work=laptop-coding&year=1999&requests=0&people=-5&model=gpt-nine")
    assert settings == PlacementSettings()
    assert {item.setting: item.allowed for item in ignored if item.setting in ("requests", "people")} == {
        name: f"a whole number from 1 to {most:,}, or empty for the workload's usual number"
        for name, most in (("requests", 999_999_999), ("people", 10_000_000))
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


def test_changing_people_or_requests_each_changes_requests():
    assert PlacementSettings(work="branch-documents", people=200).total == 200 * 50
    assert PlacementSettings(work="branch-documents", each=10.0).total == 40 * 10
    assert PlacementSettings(work="branch-documents", people=3, each=7.5).total == 22.5
    shown = result(work="branch-documents", people=200)
    assert "10,000 requests a day of 200 people" in shown.settings_line
    assert (
        rows(shown)["edge-server"]["machines"]
        >= rows(result(work="branch-documents"))["edge-server"]["machines"]
    )


def test_a_total_that_is_given_wins_and_says_what_each_person_asks():
    settings = PlacementSettings(people=40, requests=5000)
    assert (settings.number("requests"), settings.where_empty("each")) == (5000.0, "125")
    assert not settings.applies("each") and settings.applies("people")
    assert PlacementSettings(people=40).where_empty("requests") == "8,000"


def test_a_link_from_when_people_did_not_change_requests_keeps_its_total():
    before = [page for page in pages() if page.path == "/placement" and "each" not in page.defaults]
    assert before
    for page in before:
        query = {name: [text] for name, text in {**page.defaults, "people": "40"}.items()}
        settings: Any = read(VIEW, query)[0]
        assert (settings.total, settings.number("people")) == (200.0, 40.0)
        query["requests"] = ["700"]
        settings = read(VIEW, query)[0]
        assert settings.total == 700.0


def test_a_link_and_a_short_link_of_today_say_the_same_load():
    for settings in (
        PlacementSettings(people=40),
        PlacementSettings(each=0.0, people=9),
        PlacementSettings(requests=7),
    ):
        again: Any = read(VIEW, link(VIEW, settings).partition("?")[2])[0]
        said = meaning(short(VIEW, settings).removeprefix("/v/")).settings
        shortened: Any = read(VIEW, {name: [text] for name, text in said.items()})[0]
        assert settings.total == again.total == shortened.total


def test_more_people_than_any_company_has_are_refused_with_the_limit():
    ((one,),) = (read(VIEW, "people=99999999")[1],)
    assert one.sentence == (
        "people=99999999 was ignored; allowed: a whole number from 1 to 10,000,000, or empty for the workload's "
        "usual number."
    )
    assert result(people=10_000_000, each=10_000.0).headline
