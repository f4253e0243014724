"""Rents of accelerators: today's median, their history, and three scenarios."""

from collections.abc import Mapping
from dataclasses import dataclass

from numpy.typing import ArrayLike

from analysis import rent_rates as rates
from analysis import rents as rented
from analysis.rent_rates import AS_LAST_YEAR, STEADY, LaterRent, RentRate
from analysis.rents import Listed, Offers
from analysis.trend.calendar_year import decimal_year
from data import standing
from data.by_release import kept_by_release
from data.releases import load
from views import wording, written
from views.settings import Settings, choice

WORDS = written.settings(__file__)
RENTS: Mapping[str, tuple[str, str]] = WORDS["rents"]["options"]
"""Label and meaning of each rent scenario, keyed by option."""


@dataclass(frozen=True, kw_only=True)
class RentSettings(Settings):
    """The rent scenario, a setting of all questions with rents."""

    rents: str = choice(STEADY, **WORDS["rents"])


@kept_by_release(4)
def offers(release: str) -> Offers:
    """Return dated on-demand prices, with the release dates of HBM chips from a frozen release."""
    chips = load(release).accelerators
    chips = chips.loc[chips["memory_kind"].astype(str).str.startswith("HBM")]
    years = decimal_year(chips["released_on"])
    released = dict(zip(map(str, chips["name"]), map(float, years), strict=True))
    return rented.offers(standing.table("cloud_prices"), released=released)


@kept_by_release(256)
def rent(release: str, accelerator: str, *, year: float | None = None) -> Listed | None:
    """Return an accelerator's hourly prices, today or in a decimal ``year``. None if it is not listed."""
    known = offers(release)
    return (
        rented.rent_now(known, accelerator) if year is None else rented.rent_on(known, accelerator, year=year)
    )


@kept_by_release(4)
def contract_shares(release: str) -> tuple[float, ...]:
    """Return the ratio of contract to on-demand price for each listed pair. Empty without pairs."""
    known = "reserved_rents" in standing.names()
    return rented.contract_shares(standing.table("reserved_rents")) if known else ()


@kept_by_release(16)
def rate(release: str, scenario: str, *, level: float = 0.9) -> RentRate:
    """Return the yearly change of an accelerator's rent under a scenario, as a factor."""
    return rates.scenario(offers(release), scenario, level=level)


@kept_by_release(4)
def newer(release: str, *, level: float = 0.9) -> RentRate:
    """Return the price of an accelerator relative to that of one on the same list that is a year older."""
    return rates.generation_rate(offers(release), level=level)


def later(release: str, scenario: str, *, years_ahead: ArrayLike, level: float = 0.9) -> LaterRent:
    """Return rents of future accelerators relative to today's rents, under a scenario."""
    both = newer(release, level=level), rate(release, scenario, level=level)
    return rates.later_rent(*both, years_ahead=years_ahead, level=level)


def scenario_label(scenario: str) -> str:
    """Return a scenario's label."""
    return RENTS[scenario][0]


def brief(scenario: str) -> str:
    """Return a one-word label of a scenario, for the end of its line."""
    return {AS_LAST_YEAR: "Rising", STEADY: "Steady"}.get(scenario, "Falling")


def rate_words(rent_rate: RentRate) -> str:
    """Return a rent's yearly factor as text, with its interval and the prices behind it."""
    if not rent_rate.n:
        return "they are assumed not to change"
    ends = wording.factors(rent_rate.low, rent_rate.high)
    chips = wording.counted(len(rent_rate.accelerators), "accelerator")
    known = f"{rent_rate.n} prices of {chips} at {rent_rate.providers} providers"
    months = f"{month(rent_rate.since)} to {month(rent_rate.until)}"
    return f"{wording.times(rent_rate.value)} a year ({ends}; {known}, {months})"


def month(year: float) -> str:
    """Return a decimal year as month and year, such as Mar 2025 for 2025.18."""
    return wording.month_words(f"{int(year)}-{int((year % 1) * 12) + 1:02d}")
