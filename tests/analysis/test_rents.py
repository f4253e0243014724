"""Rents: what the same offer does over time, what newer accelerators cost, and the three ways on."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.rents import (
    AS_LAST_YEAR,
    NEXT_GENERATION,
    STEADY,
    Offers,
    generation_rate,
    history,
    later_rent,
    offers,
    rent_now,
    same_offer_rate,
    scenario,
)

PROVIDERS = tuple("ABCDEF")


def table(*, a_year: float, per_release: float, providers: tuple[str, ...] = PROVIDERS) -> Offers:
    """Return offers of two accelerators, released in 2020 and 2024, at two dates of each provider's own level."""
    rows = [
        (name, chip, year, released)
        for name in providers
        for chip, released in (("old", 2020.0), ("new", 2024.0))
        for year in (2025.2, 2026.7)
    ]
    level = {name: 1.0 + place for place, name in enumerate(providers)}
    price = [
        level[name] * a_year ** (year - 2026.7) * per_release ** (released - 2024)
        for name, _, year, released in rows
    ]
    return Offers(
        provider=tuple(row[0] for row in rows),
        accelerator=tuple(row[1] for row in rows),
        year=np.array([row[2] for row in rows]),
        exact=np.ones(len(rows), dtype=bool),
        released=np.array([row[3] for row in rows]),
        usd_per_hour=np.array(price),
    )


@given(a_year=st.floats(0.3, 3.0), per_release=st.floats(0.5, 2.0))
def test_rates_are_found_again_whatever_each_provider_asks(a_year, per_release):
    known = table(a_year=a_year, per_release=per_release)
    assert same_offer_rate(known).factor == pytest.approx(a_year)
    assert generation_rate(known).factor == pytest.approx(per_release)


def test_who_lists_what_when_does_not_look_like_a_movement():
    known = table(a_year=1.0, per_release=1.0)
    dear_later = (known.year > 2026) | np.isin(known.provider, ["A", "B", "C"])
    assert same_offer_rate(known).factor == pytest.approx(1.0)
    with pytest.raises(
        ValueError, match=r"needs 5 providers with prices at two dates; the table has 3. Take steady"
    ):
        same_offer_rate(known.at(dear_later))


def test_a_wider_level_holds_a_narrower_one():
    known = table(a_year=0.8, per_release=1.3)
    known = replace(
        known, usd_per_hour=known.usd_per_hour * np.exp(np.random.default_rng(0).normal(0, 0.3, len(known)))
    )
    narrow, wide = same_offer_rate(known, level=0.5), same_offer_rate(known, level=0.95)
    assert wide.low < narrow.low < narrow.factor < narrow.high < wide.high


def test_few_providers_support_no_rate():
    with pytest.raises(
        ValueError, match="needs 5 providers with accelerators of two releases; the table has 4"
    ):
        generation_rate(table(a_year=1.0, per_release=1.2, providers=PROVIDERS[:4]))
    nothing = table(a_year=1.0, per_release=1.2, providers=())
    with pytest.raises(ValueError, match="the table has 0"):
        same_offer_rate(nothing)
    assert rent_now(nothing, "old") is None


def test_a_level_in_percent_is_told_apart():
    with pytest.raises(ValueError, match=r"strictly between 0 and 1; got 90. Pass 0.9 for 90 %"):
        same_offer_rate(table(a_year=1.0, per_release=1.0), level=90)


def test_the_rent_now_is_the_newest_of_each_provider():
    known = table(a_year=0.5, per_release=1.0)
    now = rent_now(known, "old")
    assert now is not None
    assert (now.middle, now.low, now.high, now.providers) == (3.5, 1.0, 6.0, 6)
    assert rent_now(known, "no such chip") is None


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
    found = offers(rows, released={"X": 2022.5})
    assert found.usd_per_hour.tolist() == [2.0]
    assert found.released.tolist() == [2022.5]


def test_three_ways_on():
    known = table(a_year=0.9, per_release=1.25)
    assert scenario(known, AS_LAST_YEAR).factor == pytest.approx(0.9)
    assert scenario(known, STEADY).factor == 1.0
    assert scenario(known, NEXT_GENERATION).factor == pytest.approx(0.8)
    with pytest.raises(ValueError, match=r"as-last-year, steady, next-generation; got 'free'. Choose one"):
        scenario(known, "free")


def test_where_the_list_falls_a_generation_a_year_the_newest_always_rents_alike():
    known = table(a_year=0.9, per_release=1.25)
    newer = generation_rate(known)
    ahead = np.array([0.0, 1.0, 6.0])
    falls = later_rent(newer, scenario(known, NEXT_GENERATION), years_ahead=ahead)
    assert falls.middle == pytest.approx(1.0)
    assert falls.low == pytest.approx(falls.high)
    assert later_rent(newer, scenario(known, STEADY), years_ahead=ahead).middle == pytest.approx(1.25**ahead)
