from io import BytesIO

import numpy as np
import pandas as pd
import pytest

from analysis.rents import contract_shares, listed, offers, rent_now, rent_on
from data import standing
from tests.analysis.test_rent_rates import table


def test_a_rent_is_the_newest_of_each_provider_first_listed_in_the_year_before_a_day():
    known = table(a_year=0.5, per_release=1.0)
    now = rent_now(known, "old")
    assert now is not None
    assert (now.middle, now.low, now.high, now.providers) == (3.5, 1.0, 6.0, 6)
    assert rent_now(known, "no such chip") is None
    assert rent_now(table(a_year=1.0, per_release=1.2, providers=()), "old") is None
    assert now.spread(0.5) == pytest.approx((2.25 / 3.5, 4.75 / 3.5))
    assert rent_on(known, "old", year=2025.1) is None
    then = rent_on(known, "old", year=2026.1)
    assert then is not None and then.prices == pytest.approx([(n + 1) * 2**1.5 for n in range(6)])
    assert rent_on(known, "old", year=2026.3) is None


def test_a_contract_costs_what_lists_with_both_prices_say():
    shares = contract_shares(pd.read_csv(BytesIO(standing.working()["reserved_rents"])))
    assert len(shares) == 11 and np.median(shares) == pytest.approx(0.7, abs=0.005)
    now = listed(2026.8, (2.0, 4.0, 6.0)).under_contract((0.7, 0.8, 0.7))
    assert (now.middle, now.low, now.high, now.providers) == pytest.approx((2.8, 1.4, 4.8, 3))


def test_an_unchanged_price_is_dated_by_its_first_version_and_no_rent_is_of_an_index():
    rows = standing.table("cloud_prices")
    copied = rows.loc[rows["source_id"] == "full-stack-cloud-gpus"]
    assert len(copied) > 105 and np.mean(copied["valid_from"] < copied["seen_until"]) > 0.9
    assert "2025-03-07" not in set(rows["as_of"])
    assert np.all(rows["valid_from"] <= rows["seen_until"])
    index = rows.loc[rows["tier"] == "index"]
    assert len(index) == 39
    assert not set(index["provider"]) & set(offers(rows, released={}).provider)


def test_offers_are_medians_of_what_is_on_demand_and_named():
    rows = pd.DataFrame(
        {
            "tier": ["on-demand", "on-demand", "community", "on-demand"],
            "accelerator": ["X", "X", "X", ""],
            "provider": ["A", "A", "A", "A"],
            "as_of": ["2026-05-01", "2026-05-01", "2026-05-01", "2026"],
            "valid_from": pd.to_datetime(["2026-05-01"] * 3 + ["2026-01-01"]),
            "seen_until": pd.to_datetime(["2026-05-01", "2026-09-01", "2026-05-01", "2026-01-01"]),
            "price_usd_per_hour": [1.0, 3.0, 0.1, 9.0],
        }
    )
    result = offers(rows, released={"X": 2022.5})
    assert result.usd_per_hour.tolist() == [2.0]
    assert result.released.tolist() == [2022.5]
