"""What number do a reader's words such as `28 %`, `1.28x`, `doubles every 3 years` or `3,350 GB/s` stand for?"""

import re
from collections.abc import Mapping

GROWTH = "x a year"
"""The unit whose values are compared by their logarithms."""

MOST = 1e6

_UNITS: Mapping[str, Mapping[str, float]] = {
    GROWTH: {"x": 1.0, "×": 1.0, "times": 1.0, "fold": 1.0, "-fold": 1.0},
    "TB/s": {"tb/s": 1.0, "gb/s": 1e-3, "pb/s": 1e3},
    "TFLOP/s": {"tflop/s": 1.0, "tflops": 1.0, "gflop/s": 1e-3, "pflop/s": 1e3, "pflops": 1e3},
    "million USD": {
        **dict.fromkeys(("m", "million", "million usd", "million dollars"), 1.0),
        **dict.fromkeys(("bn", "billion", "billion usd", "billion dollars"), 1e3),
        **dict.fromkeys(("usd", "dollars"), 1e-6),
    },
    "GWh": {"gwh": 1.0, "mwh": 1e-3, "kwh": 1e-6, "twh": 1e3},
}
_FORMS = {
    GROWTH: "a growth a year such as 28 %, 1.28x or doubles every 3 years",
    "TB/s": "a number such as 3.35 TB/s or 3,350 GB/s",
    "TFLOP/s": "a number such as 989 TFLOP/s",
    "million USD": "a number such as 40 million USD",
    "GWh": "a number such as 50 GWh",
}
_ABOUT = r"(?:about |around |roughly |some |~ ?|≈ ?)?"
_NUMBER = r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]+(?:[.,][0-9]+)?(?:e[0-9]{1,2})?"
_AMOUNT = re.compile(
    rf"(?:[a-z ]*\b(?:grows|grew|up) )?(?:by )?{_ABOUT}(?P<sign>[-−+]?) ?\$?(?P<number>{_NUMBER}) ?(?P<unit>[^0-9]*?)"
    r"(?:(?: ?/ ?| (?:a |per |each )?)(?:year|yr|annum))?",
    re.ASCII,
)
_DOUBLING = re.compile(
    rf"(?:doubles|doubling) (?:every |in )?{_ABOUT}(?P<number>{_NUMBER})? ?(?P<unit>month|year)s?", re.ASCII
)


def forms(unit: str) -> str:
    """Return in words how a number of that unit may be written."""
    return f"{_FORMS[unit]}; above zero, at most a million"


def is_bare(words: str) -> bool:
    """Return whether the words are a number alone, without a unit, a times sign or a per cent sign."""
    return bool(re.fullmatch(_NUMBER, words.strip().casefold(), re.ASCII))


def claimed_value(words: str, *, unit: str) -> float:
    """Return the number that the words stand for, in the unit; growth as a factor a year.

    Raises
    ------
    ValueError
        Words that are no such number; the message says which are.
    """
    told = " ".join(words.casefold().split())
    value = _doubling(told) if unit == GROWTH else None
    if value is None:
        value = _amount(told, unit=unit)
    if value is None or not 0 < value <= MOST:
        raise ValueError(f"{words.strip()!r} is not {forms(unit)}.")
    return value


def _number(text: str) -> float:
    """Return a number; a comma before three digits marks thousands, any other a decimal place."""
    thousands = re.fullmatch(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?", text, re.ASCII)
    return float(text.replace(",", "" if thousands else "."))


def _doubling(told: str) -> float | None:
    found = _DOUBLING.fullmatch(told)
    if found is None:
        return None
    years = _number(found["number"] or "1") / (12 if found["unit"] == "month" else 1)
    return 2 ** (1 / years) if years > 0.05 else None


def _amount(told: str, *, unit: str) -> float | None:
    found = _AMOUNT.fullmatch(told)
    if found is None:
        return None
    value, suffix = _number(found["number"]), found["unit"].strip()
    falling = found["sign"] in ("-", "−")
    if unit == GROWTH and suffix in ("%", "percent", "per cent"):
        return 1 + (-value if falling else value) / 100
    if falling:
        return None
    return value if not suffix else _UNITS[unit].get(suffix, 0.0) * value
