"""Amounts, limits and missed targets on /placement as text."""

import math

from analysis.placement.results import Lack, Shortfall
from charts.chart import Role
from views import wording, written

ROLES: dict[str, Role] = {"personal": "edge", "owned": "links", "rented": "compute"}
_WORDS = written.toml(__file__, name="words.toml")
KIND_WORDS, LIMITS, LACK_WORDS = _WORDS["kinds"], _WORDS["limits"], _WORDS["lacks"]
RULES, STAYS, CLASS_WORDS = _WORDS["rules"], _WORDS["stays"], _WORDS["classes"]
ON, QUANTITY_WORDS, MEASURES = _WORDS["on"], _WORDS["quantities"], _WORDS["measures"]
NOT_QUANTITIES = ("capacity", "rule")
WITH_ARTICLE = ("network", "load", "price")


def limit_words(binding: str) -> str:
    """Return what limits a place, as part of a sentence: limited by the network, memory too small."""
    if binding in NOT_QUANTITIES:
        return LIMITS[binding]
    return f"limited by {'the ' if binding in WITH_ARTICLE else ''}{LIMITS[binding]}"


def usd(value: float) -> str:
    """Return an amount of money as text. [USD]"""
    if not math.isfinite(value):
        return "unknown"
    if value >= 1000:
        return f"${wording.significant(value)}"
    if value >= 10:
        return f"${value:.0f}"
    return f"${value:.2f}" if value >= 0.095 else f"${wording.significant(value)}"


def seconds(value: float) -> str:
    """Return a time in seconds as text. [s]"""
    if not math.isfinite(value):
        return "no end"
    if value < 1:
        return f"{wording.significant(value * 1e3)} ms"
    return f"{wording.significant(value)} s" if value < 600 else f"{wording.significant(value / 60)} min"


def hours(value: float) -> str:
    """Return a time in hours as text. [h]"""
    if value < 1 / 60:
        return f"{wording.significant(3600 * value)} s"
    if value < 1:
        return f"{wording.significant(60 * value)} min"
    return f"{wording.significant(value)} h" if value < 72 else f"{wording.significant(value / 24)} days"


def joule(value: float) -> str:
    """Return an energy as text. [J]"""
    return f"{wording.significant(value)} J"


def gigabytes(size_byte: float) -> str:
    """Return an amount of memory as text. [byte]"""
    return f"{wording.significant(size_byte / 1e9, 3 if size_byte >= 100e9 else 2)} GB"


def chance(probability: float) -> str:
    """Return a probability as text. It is never 0 or 100%, which a thousand draws cannot show."""
    if probability >= 0.995:
        return "over 99%"
    percent = f"{100 * probability:.0f}%"
    return "under 1%" if percent == "0%" else percent


def count(number: float) -> str:
    """Return a number as text: 256, 10,000, 1 million, 8.1 billion, 1 trillion."""
    for size, word in ((1e12, "trillion"), (1e9, "billion"), (1e6, "million")):
        if number >= 0.9995 * size or (size == 1e9 and number >= 0.1e9):
            return f"{float(f'{number / size:.3g}'):g} {word}"
    if number == round(number):
        return f"{number:,.0f}"
    return wording.significant(number, 3 if number >= 100 else 2)


def distinct(reached: str, required: str, *, exact: tuple[str, str]) -> tuple[str, str]:
    """Return two amounts as text. If they would look equal, return their ``exact`` texts."""
    return exact if reached.split()[0] == required.split()[0] else (reached, required)


AMOUNTS = {
    Lack.FIRST_TOKEN: (seconds, "{:.4g} s"),
    Lack.TIME: (hours, "{:.4g} h"),
    Lack.COST: (usd, "${:.4g}"),
}
"""Text formats of quantities with an upper limit: the usual one, and a more precise one."""


def lack_detail(lack: Shortfall, *, per: str = " per 1,000") -> str:
    """Return text on what a place reaches and what is required. ``per`` is the unit of costs and budgets."""
    reached, required = lack.reached, lack.required
    match lack.lack:
        case Lack.RULE:
            return RULES[lack.rule]
        case Lack.MEMORY:
            if math.isnan(required):
                return "memory is too small"
            return f"{gigabytes(reached)}, {gigabytes(required)} needed"
        case Lack.SPEED:
            needed = f"{required:,.6g}"
            speed, _ = distinct(wording.significant(reached), needed, exact=(f"{reached:.4g}", needed))
            return f"{speed} tokens/s, {needed} needed"
        case Lack.PRICE:
            return f"budget {usd(required)}{per}" if per else f"price unknown, {usd(required)} allowed"
        case Lack.CHANCE:
            return f"{chance(reached)} likely, {wording.percent(required)} required"
        case Lack.FIRST_TOKEN | Lack.TIME | Lack.COST:
            word, digits = AMOUNTS[lack.lack]
            exact = (digits.format(reached), digits.format(required))
            amount, allowed = distinct(word(reached), word(required), exact=exact)
            return f"{amount}{per if lack.lack is Lack.COST else ''}, {allowed} allowed"
