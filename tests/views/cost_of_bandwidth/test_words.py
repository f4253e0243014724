import pytest

from views.cost_of_bandwidth.settings import CostOfBandwidthSettings
from views.cost_of_bandwidth.words import against, dollars, headline, whose


@pytest.mark.parametrize(("value", "said"), [(751.0, "$750"), (24.4, "$24"), (1198.0, "$1,200")])
def test_dollars_have_two_digits(value, said):
    assert dollars(value) == said


def test_compute_is_held_against_bandwidth_and_the_rest_against_compute():
    assert [against(per) for per in ("bandwidth", "compute", "memory")] == ["compute", "bandwidth", "compute"]


def test_headlines_say_what_a_unit_costs_whom():
    assert headline(CostOfBandwidthSettings(), now=751, growth="1.66×", other="1.09×") == (
        "A TB/s costs NVIDIA $750, growing 1.66× a year; compute 1.09×"
    )
    everyone = CostOfBandwidthSettings(maker="all", per="memory")
    assert headline(everyone, now=21.6, growth="1.35×", other="") == "A GB costs $22, growing 1.35× a year"
    assert whose(everyone) == "four makers"
