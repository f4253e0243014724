"""The growth rates people quote, from any release."""

from collections.abc import Mapping
from typing import NamedTuple

from data.releases import Release
from views import written
from views.view import View, answer, read, split

QUOTED: Mapping[str, str] = written.toml(__file__, name="headline_rates.toml")
"""What each rate is called, and the link that gives it."""


class Rate(NamedTuple):
    """A growth rate a year and the bounds of its 90 % interval."""

    value: float
    low: float
    high: float


def rates_of(release: Release, *, views: Mapping[str, View]) -> dict[str, Rate]:
    """Return the quoted rates of a release by what each is called, without those that it has too few rows for."""
    rates = {}
    for label, link in QUOTED.items():
        path, query = split(link)
        result = answer(views[path], read(views[path], query)[0], release=release)
        growth = next((figure for figure in result.figures if figure.name == "yearly_growth"), None)
        if growth and growth.value is not None and growth.low is not None and growth.high is not None:
            rates[label] = Rate(growth.value, growth.low, growth.high)
    return rates
