import pytest

from analysis.fleet import FleetGrowth
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
    rate, late = FleetGrowth(factor=3.2, low=3.0, high=3.4), FleetGrowth(factor=2.5, low=2.4, high=2.6)
    assert headline(FleetSettings(), now=69e18, rate=rate, late=late) == (
        "AI chips in use read 69 million TB/s, 2.5× the year before"
    )
    one = FleetSettings(offers="units", count="shipped")
    fewer = FleetGrowth(factor=0.9, low=0.8, high=1.0)
    assert headline(one, now=2.3e6, rate=rate, late=fewer) == (
        "2.3 million AI chips ship a quarter, 0.90× the year before"
    )
    assert headline(one, now=2.3e6, rate=rate, late=None).endswith("growing 3.2× a year")
