"""Parser for claimed numbers, such as ``28 %``, ``>2x``, ``15-20x``, ``2x every 2 years`` or ``3,350 GB/s``."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

GROWTH = "x a year"
"""Unit whose values are compared on a log scale."""

MOST = 1e6

UNITS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
"""How a claimed value may be written, with an example to type, keyed by unit."""
_ABOUT = r"(?:about |around |roughly |some |~ ?|≈ ?)?"
_NUMBER = r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]+(?:[.,][0-9]+)?(?:e[0-9]{1,2})?"
_AMOUNT = re.compile(
    rf"(?:[a-z ]*\b(?:grows|grew|up) )?(?:by )?{_ABOUT}(?P<sign>[-−+]?) ?\$?(?P<number>{_NUMBER}) ?(?P<unit>[^0-9]*?)"
    r"(?:(?: ?/ ?| (?:a |per |each )?)(?:year|yr|annum))?",
    re.ASCII,
)
_EVERY = re.compile(
    r"(?:(?:doubles|doubling) (?:every |in )?|(?P<amount>.+?) (?:every|in|over|per|each|within) )"
    rf"{_ABOUT}(?P<number>{_NUMBER})? ?(?P<unit>month|year)s?",
    re.ASCII,
)
_SIDE = re.compile(
    r"(?P<before>(?:[a-z ]*\b(?:grows|grew|up) )?(?:by )?)"
    r"(?:(?P<above>>=?|≥|more than|over|above|at least|faster than)"
    r"|(?P<below><=?|≤|less than|under|below|at most|up to|slower than)) ?(?P<rest>.+)"
)
_RANGE = re.compile(
    rf"(?:between )?(?P<before>[^0-9]*?)(?P<low>{_NUMBER})(?P<unit>[^0-9]*?) ?(?:-|–|—|to|and) ?\$?"
    rf"(?P<high>{_NUMBER})(?P<after>.*)"
)


@dataclass(frozen=True, kw_only=True)
class Claimed:
    """A claimed quantity: a value, a range, or a lower or upper bound."""

    test: Literal["about", "between", "above", "below"]
    value: float
    high: float | None = None


def forms(unit: str) -> str:
    """Return a description of the accepted ways to write a number in ``unit``."""
    return f"{UNITS[unit]['form']}; above zero, at most a million"


def is_bare(words: str) -> bool:
    """Return whether the text is only a number, without a unit, a times sign or a percent sign."""
    return bool(re.fullmatch(_NUMBER, words.strip().casefold(), re.ASCII))


def claimed(words: str, *, unit: str) -> Claimed:
    """Return the claim that a text makes in ``unit``: a number, a range, or a bound such as ``>2x``.

    Raises ValueError if the text cannot be parsed; the message lists the accepted forms.
    """
    plain = " ".join(words.casefold().split())
    if side := _SIDE.fullmatch(plain):
        value = _one(f"{side['before']}{side['rest']}", unit=unit)
        if value is not None:
            return Claimed(test="above" if side["above"] else "below", value=value)
    if ends := _RANGE.fullmatch(plain):
        before, after = ends["before"], ends["after"]
        low = _one(f"{before}{ends['low']}{ends['unit'] if ends['unit'].strip() else after}", unit=unit)
        high = _one(f"{before}{ends['high']}{after}", unit=unit)
        if low is not None and high is not None and low != high:
            return Claimed(test="between", value=min(low, high), high=max(low, high))
    return Claimed(test="about", value=claimed_value(words, unit=unit))


def claimed_value(words: str, *, unit: str) -> float:
    """Return the only number in a text, converted to ``unit``. Growth is returned as a yearly factor.

    Raises ValueError if the text cannot be parsed; the message lists the accepted forms.
    """
    value = _one(" ".join(words.casefold().split()), unit=unit)
    if value is None:
        raise ValueError(f"{words.strip()!r} is not {forms(unit)}.")
    return value


def _one(plain: str, *, unit: str) -> float | None:
    value = _every(plain) if unit == GROWTH else None
    if value is None:
        value = _amount(plain, unit=unit)
    return value if value is not None and 0 < value <= MOST else None


def _every(plain: str) -> float | None:
    """Return the yearly growth factor that is equivalent to growth such as 2x every 2 years, or doubling every year."""
    match = _EVERY.fullmatch(plain)
    amount = _amount(match["amount"] or "2", unit=GROWTH) if match else None
    if match is None or amount is None or amount <= 0:
        return None
    years = _number(match["number"] or "1") / (12 if match["unit"] == "month" else 1)
    return amount ** (1 / years) if years > 0.05 else None


def _number(text: str) -> float:
    """Parse a number. A comma before three digits separates thousands; any other comma is a decimal comma."""
    thousands = re.fullmatch(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?", text, re.ASCII)
    return float(text.replace(",", "" if thousands else "."))


def _amount(plain: str, *, unit: str) -> float | None:
    match = _AMOUNT.fullmatch(plain)
    if match is None:
        return None
    value, suffix = _number(match["number"]), match["unit"].strip()
    falling = match["sign"] in ("-", "−")
    if unit == GROWTH and suffix in ("%", "percent", "per cent"):
        return 1 + (-value if falling else value) / 100
    if falling:
        return None
    return value if not suffix else UNITS[unit]["written"].get(suffix, 0.0) * value
