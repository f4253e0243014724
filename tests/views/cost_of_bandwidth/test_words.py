import pytest

from analysis.fleet import FleetGrowth
from views.cost_of_bandwidth.settings import CostOfBandwidthSettings
from views.cost_of_bandwidth.words import against, dollars, headline, whose


@pytest.mark.parametrize(("value", "said"), [(751.0, "$750"), (24.4, "$24"), (1198.0, "$1,200")])
def test_dollars_have_two_digits(value, said):
    assert dollars(value) == said


def test_compute_is_held_against_bandwidth_and_the_rest_against_compute():
    assert [against(per) for per in ("bandwidth", "compute", "memory")] == ["compute", "bandwidth", "compute"]


@pytest.mark.parametrize(
    ("growth", "other", "gap", "said"),
    [
        (1.66, 1.09, (1.31, 1.74), "growing 1.66× a year, faster than compute"),
        (1.66, 1.09, (0.9, 2.0), "growing 1.66× a year"),
        (1.10, 1.60, (0.6, 0.9), "growing 1.10× a year, slower than compute"),
        (0.90, 0.55, (1.3, 2.0), "shrinking 0.90× a year, slower than compute"),
        (0.50, 0.80, (0.5, 0.8), "shrinking 0.50× a year, faster than compute"),
        (0.81, 1.19, (0.5, 0.9), "shrinking 0.81× a year while compute grows"),
        (1.36, 0.95, (1.2, 1.7), "growing 1.36× a year while compute falls"),
    ],
)
def test_headlines_say_what_a_unit_costs_and_whether_it_outgrows_compute(*, growth, other, gap, said):
    ratio = FleetGrowth(factor=growth / other, low=gap[0], high=gap[1])
    words = headline(CostOfBandwidthSettings(), now=751, growth=growth, gap=ratio, other=other)
    assert words == f"A TB/s costs NVIDIA $750, {said}"


def test_a_headline_without_the_other_side_says_its_own():
    everyone = CostOfBandwidthSettings(maker="all", per="memory")
    assert headline(everyone, now=21.6, growth=1.35, gap=None, other=None) == (
        "A GB costs $22, growing 1.35× a year"
    )
    assert whose(everyone) == "four makers"
