import pytest

from views.fleet.settings import FleetSettings
from views.fleet.words import amount, axis_unit, headline


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
    assert headline(FleetSettings(), now=69e18, growth="3.5×") == (
        "AI chips in use read 69 million TB/s, growing 3.5× a year"
    )
    one = FleetSettings(offers="units", count="shipped")
    assert (
        headline(one, now=2.3e6, growth="2.0×") == "2.3 million AI chips ship a quarter, growing 2.0× a year"
    )
