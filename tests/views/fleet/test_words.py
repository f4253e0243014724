import pytest

from data.releases import load
from views.fleet.answer import FleetAnswer
from views.fleet.settings import FleetSettings
from views.fleet.words import amount, axis_unit, headline, settings_line


@pytest.mark.parametrize(
    ("value", "offers", "said"),
    [
        (69.2e18, "bandwidth", "69 million TB/s"),
        (8.5e17, "bandwidth", "850,000 TB/s"),
        (1.87e22, "fp16", "19 million PFLOP/s"),
        (1.5e18, "memory", "1.5 million TB"),
        (11.2e9, "power", "11 GW"),
        (2.3e6, "units", "2.3 million"),
    ],
)
def test_amounts_are_said_in_units_that_readers_know(*, value, offers, said):
    assert amount(value, offers) == said


def test_the_axis_counts_in_millions_but_for_gigawatts():
    assert (axis_unit("bandwidth"), axis_unit("power"), axis_unit("units")) == (1e18, 1e9, 1e6)


def test_headlines_say_what_chips_do():
    answer = FleetAnswer(settings=FleetSettings(offers="units", count="shipped"), release=load("2026-07"))
    assert headline(answer).endswith(" million AI chips ship a quarter, 1.02× the year before")
    answer.__dict__["last_year"] = None
    assert headline(answer).endswith("growing 1.84× a year")


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        ({}, "Memory bandwidth of AI chips in use, by quarter. S"),
        (
            {"count": "shipped", "since": 2022},
            "Memory bandwidth of AI chips shipped, by quarter, growth since 2022. S",
        ),
        (
            {"retire": "3", "level": "50"},
            "Memory bandwidth of AI chips in use, by quarter, retired after 3 years, 50 % intervals. S",
        ),
    ],
)
def test_the_settings_line_names_what_is_off_its_default(choices, words):
    assert settings_line(FleetSettings(**choices), source="S") == words
