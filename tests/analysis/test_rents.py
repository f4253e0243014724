"""Rents: offers of the price table, what is asked today, and what was asked in the quarters before."""

import pandas as pd
import pytest

from analysis.rents import history, offers, rent_now
from tests.analysis.test_rent_rates import table


def test_the_rent_now_is_the_newest_of_each_provider():
    known = table(a_year=0.5, per_release=1.0)
    now = rent_now(known, "old")
    assert now is not None
    assert (now.middle, now.low, now.high, now.providers) == (3.5, 1.0, 6.0, 6)
    assert rent_now(known, "no such chip") is None
    assert rent_now(table(a_year=1.0, per_release=1.2, providers=()), "old") is None


def test_history_has_each_provider_once_a_quarter():
    first, last = history(table(a_year=0.5, per_release=1.0), "new")
    assert (first.providers, last.providers) == (6, 6)
    assert first.middle == pytest.approx(3.5 * 2**1.5)
    assert last.middle == pytest.approx(3.5)


def test_offers_are_medians_of_what_is_on_demand_and_named():
    rows = pd.DataFrame(
        {
            "tier": ["on-demand", "on-demand", "community", "on-demand"],
            "accelerator": ["X", "X", "X", ""],
            "provider": ["A", "A", "A", "A"],
            "as_of": ["2026-05-01", "2026-05-01", "2026-05-01", "2026"],
            "as_of_on": pd.to_datetime(["2026-05-01"] * 3 + ["2026-01-01"]),
            "price_usd_per_hour": [1.0, 3.0, 0.1, 9.0],
        }
    )
    result = offers(rows, released={"X": 2022.5})
    assert result.usd_per_hour.tolist() == [2.0]
    assert result.released.tolist() == [2022.5]
