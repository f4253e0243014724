"""Shares, durations, tokens, money and dates of a training run as text."""

import math
import re

from analysis.trend.calendar_year import from_decimal_year
from analysis.units import DAY_S, YEAR_S
from views import wording

_MONEY = ((1e15, "quadrillion"), (1e12, "trillion"), (1e9, "billion"), (1e6, "million"))
YEAR_DAYS = YEAR_S / DAY_S
FOREVER = "practically forever"


def percent(share: float) -> str:
    """Return a share as text: 63%, 2.5%, less than 0.1%."""
    if share < 0.001:
        return "less than 0.1%"
    if share < 0.995:
        return f"{wording.significant(100 * share)}%"
    if 0.9995 < share < 1:
        return "more than 99.9%"
    return "100%" if share == 1 else f"{100 * share:.1f}%"


def days_words(days: float) -> str:
    """Return a run's duration as text: 3 minutes, 3.1 hours, 54 days, 12 years, practically forever."""
    if days * 24 * 60 < 1:
        return f"{wording.significant(days * DAY_S)} seconds"
    if days * 24 < 1:
        return f"{wording.significant(days * 24 * 60)} minutes"
    if days < 1:
        return f"{wording.significant(days * 24)} hours"
    if days > 1e6 * YEAR_DAYS:
        return FOREVER
    if days > 1000:
        return f"{wording.significant(days / YEAR_DAYS)} years"
    return f"{wording.significant(days, 3 if days >= 100 else 2)} days"


def range_of_days(low: float, high: float) -> str:
    """Return a range of durations as text, with a common unit written once: 70–88 days."""
    first, last = days_words(low), days_words(high)
    if last.endswith(" years") and low >= YEAR_DAYS:
        first = f"{wording.significant(low / YEAR_DAYS)} years"
    return last if first == FOREVER else wording.interval(first, last)


def change_of_days(now: float, *, then: float) -> str:
    """Return a duration and the previous one as text: 54 days instead of 75 days, 54 days as before."""
    words, old = days_words(now), days_words(then)
    return f"{words} as before" if words == old else f"{words} instead of {old}"


def short_tokens(tokens: float) -> str:
    """Return a number of tokens as short text: 300B, 15.6T, 7."""
    for size, letter in ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "k")):
        if tokens >= size * 0.9995:
            number = wording.significant(tokens / size, 3)
            return f"{number.rstrip('0').rstrip('.') if '.' in number else number}{letter}"
    return f"{round(tokens)}"


def short_hours(hours: float) -> str:
    """Return a number of hours as short text: 2.66 million, 184,000."""
    return (
        short_tokens(hours).replace("M", " million") if hours >= 999_500 else f"{float(f'{hours:.3g}'):,.0f}"
    )


def tokens_words(tokens: float) -> str:
    """Return a number of tokens as text: 300B tokens, 15.6T tokens, 1 token."""
    return f"{short_tokens(tokens)} {'token' if round(tokens) == 1 else 'tokens'}"


def money_words(usd: float) -> str:
    """Return a sum of money as text: $950,000, $40.8 million, $30.2 billion."""
    if usd > 1e18:
        return "more than a quadrillion dollars"
    for size, word in _MONEY:
        if usd >= size * 0.9995:
            return f"${wording.significant(usd / size, 3)} {word}"
    return f"${wording.significant(usd, 3)}"


def short_count(number: float) -> str:
    """Return a number of accelerators as a short tick label: 1,000, 100k, 1M."""
    if number < 1e4:
        return f"{number:,.0f}"
    return f"{number / 1e6:g}M" if number >= 1e6 else f"{number / 1e3:g}k"


def chip_words(product: str) -> str:
    """Return a chip's short name for headlines: H100 for H100 SXM, A100 for A100 80 GB."""
    return re.sub(r" SXM$| \d+ GB$", "", product)


def many_words(accelerators: int, chip: str) -> str:
    """Return a number of chips as text: one H100, 16,384 H100s, 8 TPU v5e."""
    many = chip if re.search("[a-zIS]$", chip) else f"{chip}s"
    return f"one {chip}" if accelerators == 1 else f"{accelerators:,} {many}"


def date_words(year: float) -> str:
    """Return the date of software as text: Jun 2025. A date that is not finite gives "today"."""
    if not math.isfinite(year):
        return "today"
    return wording.month_words(str(from_decimal_year(year).astype("datetime64[M]")))
