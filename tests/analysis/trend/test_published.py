"""Growth rates that others published, from the curated release 2026-07."""

import numpy as np
import pandas as pd
import pytest

from analysis.trend.calendar_year import decimal_year
from analysis.trend.growth import Growth, Series, Window, growth
from analysis.trend.selection import Kind, Rule
from data.releases import load


@pytest.fixture(scope="module")
def release():
    """Return the release that the bands were written for."""
    return load("2026-07")


def series(table: pd.DataFrame, *, date: str, value: str, cluster: str) -> Series:
    """Return the rows with a date and a positive value."""
    rows = table[table[date].notna() & (table[value] > 0)]
    return Series(
        year=decimal_year(rows[date]),
        value=np.array(rows[value], dtype=float),
        cluster=np.array(rows[cluster], dtype=object),
        name=np.array(rows["name"], dtype=object),
    )


def rate(runs: pd.DataFrame, *, domain: str, kind: Kind, since: str, until: str | None = None) -> Growth:
    """Return the growth of training compute with the re-selecting bootstrap."""
    fits = (runs["excluded"] == "") & runs["domain"].str.contains("Language" if domain == "language" else "")
    chosen = runs.loc[fits]
    history = series(chosen, date="published_on", value="training_compute_flop", cluster="organisation")
    ends = [None if day is None else float(decimal_year([day])[0]) for day in (since, until)]
    return growth(
        history, rule=Rule(kind=kind, top=10), window=Window(since=ends[0], until=ends[1]), draws=1000
    )


@pytest.mark.parametrize(
    ("case", "low", "high", "inside"),
    [
        # Epoch AI: 5x a year, 90 % interval 3.1 to 7.3 (2024)
        ({"domain": "language", "kind": "frontier", "since": "2020-01-01"}, 4.2, 6.0, 5),
        # Epoch AI: 4.5 to 4.7x a year (2024 to 2026)
        ({"domain": "all", "kind": "all", "since": "2010-01-01"}, 4.0, 5.2, None),
        # Epoch AI: 4 to 5x a year (2024)
        ({"domain": "all", "kind": "frontier", "since": "2010-01-01"}, 4.4, 5.2, None),
        # Epoch AI: 9.5x a year, 90 % interval 7.4 to 12.2, June 2017 to May 2024
        ({"domain": "language", "kind": "all", "since": "2017-06-01", "until": "2024-06-01"}, 6.5, 11.5, 9.5),
    ],
    ids=lambda value: " ".join(value.values()) if isinstance(value, dict) else "",
)
def test_training_compute_grows_as_published(release, *, case, low, high, inside):
    found = rate(release.training_runs, **case)
    assert low < found.trend.yearly_growth < high
    assert inside is None or found.growth_low < inside < found.growth_high
    assert found.growth_high / found.growth_low > (1.3 if case["kind"] == "frontier" and inside else 1)
    assert found.n > (400 if case["domain"] == case["kind"] == "all" else 0)


def test_bandwidth_of_all_chips_as_exported_grows_28_per_cent(release):
    """The 28 % a year that is quoted against training compute."""
    chips = series(
        release.exported_accelerators,
        date="released_on",
        value="memory_bandwidth_byte_per_s",
        cluster="vendor",
    )
    found = growth(chips, rule=Rule(kind="all"), window=Window(), draws=1000)
    assert 1.24 < found.trend.yearly_growth < 1.32
    assert 1.2 < found.growth_low < found.growth_high < 1.35


def test_every_estimator_finds_the_same_order_of_growth(release):
    runs = release.training_runs.loc[release.training_runs["excluded"] == ""]
    history = series(runs, date="published_on", value="training_compute_flop", cluster="organisation")
    rates = [
        growth(history, rule=Rule(kind="frontier"), window=Window(since=2012), estimator=e, draws=100)
        for e in ("least-squares", "theil-sen", "quantile")
    ]
    assert np.ptp([r.trend.yearly_growth for r in rates]) < 0.5
