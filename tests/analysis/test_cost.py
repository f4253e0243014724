from functools import partial

import pytest

from analysis.cost import owned_usd_per_1000_requests, rented_usd_per_1000_requests, run_cost, run_energy_j
from tests.analysis.refusals import refusals

OWNED = {"price_usd": 2000, "years": 4, "share": 0.5, "requests_per_day": 500, "energy_j_per_request": 360}


def test_rent_falls_with_utilization_and_ownership_adds_electricity():
    rented = partial(rented_usd_per_1000_requests, price_usd_per_hour=3.6, requests_per_s_at_full_load=1.0)
    assert [rented(utilization=share) for share in (1.0, 0.5)] == pytest.approx([1.0, 2.0])
    owned = owned_usd_per_1000_requests(**OWNED, electricity_usd_per_kwh=0.2)
    assert owned == pytest.approx(1000 * 1000 / (4 * 365.25 * 500) + 0.02)
    free = owned_usd_per_1000_requests(**{**OWNED, "share": 0.0}, electricity_usd_per_kwh=0.2)
    assert free == pytest.approx(0.02)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"years": 0}, "more than 0 years and 0 requests a day; got 0 and 500"),
        ({"requests_per_day": 0}, "got 4 and 0"),
        ({"share": 50}, r"0 to 1; got 50\. For half pass 0\.5"),
    ],
)
def test_impossible_ownership_is_refused(change, words):
    with pytest.raises(ValueError, match=words):
        owned_usd_per_1000_requests(**{**OWNED, **change}, electricity_usd_per_kwh=0.2)


def test_gpt_4_energy_estimates():
    """Published estimates: 25,000 / 8 servers of 6.5 kW for 2,400 h are 48.75 GWh, at PUE 1.18 57.5 GWh."""
    for pue, gwh in ((1.0, 48.75), (1.18, 57.525)):
        watt = 6500 / 8
        joule = run_energy_j(accelerators=25000, power_w_per_accelerator=watt, seconds=2400 * 3600, pue=pue)
        assert joule / 3.6e12 == pytest.approx(gwh, rel=1e-12)


def test_a_run_of_a_day_costs_what_a_hand_count_says():
    """1,000 chips and 10 spares for a day at 2 USD an hour, 1 kW each and PUE 1.2: 24,240 h, 29.088 MWh."""
    prices = {"pue": 1.2, "usd_per_accelerator_hour": 2, "spare_share": 0.01}
    cost = run_cost(accelerators=1000, seconds=86400, power_w_per_accelerator=1000, **prices)
    assert (cost.days, cost.cost_usd) == pytest.approx((1, 48480))
    assert cost.energy_gwh == pytest.approx(0.029088)


test_a_refusal_says_what_it_is_what_came_and_what_to_do = refusals(
    {
        "pue is total power over computing power, at least 1; got 0.9.":
            lambda: run_energy_j(accelerators=1, power_w_per_accelerator=1, seconds=1, pue=0.9),
        "spare_share is spares over accelerators, zero or more; got -0.1. Pass 0 for none.":
            lambda: run_cost(
                accelerators=1,
                seconds=1,
                power_w_per_accelerator=1,
                pue=1,
                usd_per_accelerator_hour=1,
                spare_share=-0.1,
            ),
        "utilization is a share above 0 and up to 1; got 60 to 60":
            lambda: rented_usd_per_1000_requests(price_usd_per_hour=1, requests_per_s_at_full_load=1, utilization=60),
    }
)  # fmt: skip
