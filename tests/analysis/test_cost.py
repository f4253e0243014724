"""What a request costs, rented and owned, and what is refused."""

import pytest

from analysis.cost import (
    energy_j_per_request,
    owned_usd_per_1000_requests,
    rented_usd_per_1000_requests,
)

OWNED = {"price_usd": 2000, "years": 4, "share": 0.5, "requests_per_day": 500, "energy_j_per_request": 360}


def test_rent_falls_with_utilization_and_ownership_adds_electricity():
    full = rented_usd_per_1000_requests(
        price_usd_per_hour=3.6, requests_per_s_at_full_load=1.0, utilization=1.0
    )
    assert full == pytest.approx(1.0)
    half = rented_usd_per_1000_requests(
        price_usd_per_hour=3.6, requests_per_s_at_full_load=1.0, utilization=0.5
    )
    assert half == pytest.approx(2.0)
    owned = owned_usd_per_1000_requests(**OWNED, electricity_usd_per_kwh=0.2)
    assert owned == pytest.approx(1000 * 1000 / (4 * 365.25 * 500) + 0.02)
    free = owned_usd_per_1000_requests(**{**OWNED, "share": 0.0}, electricity_usd_per_kwh=0.2)
    assert free == pytest.approx(0.02)
    assert energy_j_per_request(power_w=700, busy_s=10, requests_at_once=100, overhead=1.2) == pytest.approx(
        84
    )


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


def test_utilization_in_percent_is_refused():
    with pytest.raises(ValueError, match=r"utilization is a share above 0 and up to 1; got 60 to 60"):
        rented_usd_per_1000_requests(price_usd_per_hour=1, requests_per_s_at_full_load=1, utilization=60)
