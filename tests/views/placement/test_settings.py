"""What a link may say, and what stands for what it leaves out."""

import re
from dataclasses import replace
from typing import Any

import pytest

from analysis.model.formats import SERVED_BITS_PER_WEIGHT
from data import standing
from data.releases import latest, load
from tests.views.placement.placed import result
from views.chips.rents import rent
from views.models import names as model_names
from views.placement.places import SERVER_ROOM, compared
from views.placement.settings import FORMATS, PRESETS, WORDS, PlacementSettings, devices
from views.placement.view import VIEW
from views.short_link.recorded import pages
from views.view import read


@pytest.mark.parametrize("work", PRESETS)
def test_a_number_left_empty_is_the_usual_one_of_the_work_and_its_place_shows_it(work):
    usual: Any = read(VIEW, f"work={work}&requests=&budget=&chips=")[0]
    assert usual == PlacementSettings(work=work)
    assert usual.number("requests") == PRESETS[work].requests
    assert usual.where_empty("requests") == f"{PRESETS[work].requests:,}"
    assert (usual.where_empty("budget"), usual.where_empty("chips")) == ("any price", "the fewest")
    assert usual.where_empty("speed") == (f"{PRESETS[work].speed:g}" if PRESETS[work].speed else "any")


@pytest.mark.parametrize("work", PRESETS)
def test_the_preset_says_what_it_is_of_the_chosen_work(work):
    preset, settings = PRESETS[work], PlacementSettings(work=work)
    assert settings.option_label("model", "usual") == f"Preset: {model_names()[preset.model]}"
    assert settings.option_label("model", "phi-4") == "Phi-4"
    assert settings.option_label("charged", "usual") == f"Preset: {100 * preset.share:.0f}%"
    assert settings.shown("edge_model").startswith("Preset: ")
    assert (settings.shown("tuning") == "Preset") == (not preset.tuning)
    assert re.fullmatch("Where data may go: Preset: (Anywhere|On premises)", settings.in_words("stay"))


def test_changing_people_or_requests_each_changes_requests():
    assert PlacementSettings(work="branch-documents", people=200).total == 200 * 50
    assert PlacementSettings(work="branch-documents", each=10.0).total == 40 * 10
    assert PlacementSettings(work="branch-documents", people=3, each=7.5).total == 22.5
    shown = result(work="branch-documents", people=200, utilization=30)
    always, _, chosen = shown.settings_line.partition("Chosen: ")
    assert "10,000 requests a day of 200 people" in always
    assert chosen.startswith("Utilization, %: 30. Epoch AI")


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
        settings = read(VIEW, {**query, "requests": ["700"]})[0]
        assert settings.total == 700.0


def test_every_format_offered_says_the_bits_of_its_row():
    table = standing.table("quantisation")
    bits = dict(zip(table["name"], map(float, table["bits_per_weight"]), strict=True))
    for word, weights in FORMATS.items():
        _, meaning = WORDS["format"]["options"][word]
        for size in re.findall(r"([0-9.]+) bits per weight", meaning):
            assert float(size) == pytest.approx(bits[weights.on_devices], abs=0.01)
        assert word == "fp16" or meaning.startswith(f"{weights.on_devices} on devices")
        assert SERVED_BITS_PER_WEIGHT[weights.on_accelerators] == bits[weights.on_accelerators]


RELEASE = load("2026-07")


def places(**changed):
    labels, compares = compared(PlacementSettings(**changed), RELEASE)
    return {label.word: i for i, label in enumerate(labels)}, compares


def test_a_place_has_the_numbers_of_its_device():
    at, known = places()
    i = at["desktop-gpu"]
    row = standing.rows("edge_devices", "name")["NVIDIA RTX 5090"]
    assert "RTX 5090" in known.name[i] and known.kind[i] == "owned" and not known.accelerator[i]
    assert known.memory_bandwidth_byte_per_s[i] == row["memory_bandwidth_byte_per_s"]
    assert (known.price_usd[i], known.price_usd_per_hour[i]) == (row["price_usd"], 0)


def test_what_is_rented_has_the_listed_rent_and_the_chips_asked_for():
    at, known = places(chips=4)
    i = at["cloud-h100"]
    listed = rent(latest(), "NVIDIA H100 SXM5 80GB")
    assert listed is not None and known.price_usd_per_hour[i] == listed.middle
    assert (known.price_usd[i], known.chips[i], known.accelerator[i]) == (0, 4, True)
    assert known.chips[at[SERVER_ROOM]] == 8 == known.most_chips[at[SERVER_ROOM]]
    assert places()[1].chips[i] == 0


def test_a_device_of_ones_own_stands_beside_the_typical_ones():
    word = next(word for word, name in devices().items() if name == "NVIDIA RTX 4090")
    at, known = places(device=word)
    assert len(at) == 17 and known.name[at[word]] == "desktop with a GPU (RTX 4090)"


def test_an_accelerator_that_the_release_does_not_know_is_left_out():
    kept = RELEASE.accelerators.loc[RELEASE.accelerators["name"] != "NVIDIA H100 SXM5 80GB"]
    own = replace(RELEASE, name="your export", origin="own hardware", accelerators=kept)
    labels, compares = compared(PlacementSettings(), own)
    assert set(places()[0]) - {label.word for label in labels} == {"cloud-h100"}
    assert len(compares) == len(labels) == 15


def test_a_place_of_a_later_year_says_so():
    labels, compares = compared(PlacementSettings(year=2030), RELEASE)
    named = {label.word: (label.text, label.brief) for label in labels}
    assert named["laptop"] == ("laptop (Apple M5 of 2030)", "laptop")
    assert named["cloud-h100"] == ("cloud H100 of 2030", "cloud H100 of 2030")
    assert not any("2030" in name for name in compares.name)
