"""Numbers as text, with common units, two or three significant digits, and real superscripts."""

import math
import re
from collections.abc import Sequence
from functools import lru_cache

_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_PREFIXES = ((1e18, "E"), (1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))
_WORDS = ((1e15, "quadrillion"), (1e12, "trillion"), (1e9, "billion"), (1e6, "million"))

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")

NEVER = "never"

PREFIXED_UNITS = {
    "byte/s": "B/s",
    "byte": "B",
    "FLOP/s": "FLOP/s",
    "OP/s": "OP/s",
    "W": "W",
    "FLOP/s/W": "FLOP/s/W",
    "FLOP/s/USD": "FLOP/s/USD",
}
"""Units that take a decimal prefix, as written after it."""


def significant(value: float, digits: int = 2) -> str:
    """Return a value as text with ``digits`` significant digits, without an exponent."""
    if value == 0:
        return "0"
    if not math.isfinite(value):
        return "∞" if value > 0 else "−∞"
    places = digits - 1 - math.floor(math.log10(abs(value)))
    rounded = round(value, places)
    places = max(0, digits - 1 - math.floor(math.log10(abs(rounded))))
    return f"{rounded:,.{places}f}".replace("-", "−")


def power_of_ten(value: float, digits: int = 2) -> str:
    """Return a value as text with a power of ten: 5 × 10²⁶ for 5e26."""
    if value == 0 or not math.isfinite(value):
        return significant(value)
    exponent = math.floor(math.log10(value))
    mantissa = significant(value / 10**exponent, digits)
    if float(mantissa) >= 10:
        exponent, mantissa = exponent + 1, significant(value / 10 ** (exponent + 1), digits)
    mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
    power = f"10{str(exponent).translate(_SUPERSCRIPT)}"
    return power if mantissa == "1" else f"{mantissa} × {power}"


def times(value: float) -> str:
    """Return a yearly growth factor as text, such as 4.7×. A factor from 0.1 to 2 has two decimals."""
    return f"{value:.2f}×" if 0.1 <= value < 1.995 else f"{significant(value)}×"


def grows(yearly_growth: float) -> str:
    """Return a growth factor as a verb phrase: grows 4.7×, falls 17%."""
    return f"grows {times(yearly_growth)}" if yearly_growth >= 1 else f"falls {decline(yearly_growth)}"


def decline(yearly_growth: float) -> str:
    """Return a growth factor below 1 as a yearly decline in percent: 17% for 0.83."""
    lost = 100 * (1 - yearly_growth)
    return f"{lost:.0f}%" if lost >= 1 else f"{significant(lost, 1)}%"


def multiple(value: float, digits: int = 3) -> str:
    """Return a large factor as text with ``digits`` digits: 126 million ×, 32,200×, 15×, 1.3×."""
    for size, word in _WORDS:
        if value >= size * 0.9995:
            return f"{significant(value / size, digits)} {word} ×".replace(".00 ", " ").replace(".0 ", " ")
    if value == round(value) and value < 1000:
        return f"{value:.0f}×"
    return times(value) if value < 10 else f"{significant(value, digits if value >= 100 else 2)}×"


def quantity(value: float, unit: str) -> str:
    """Return a value with its unit as text: 5 × 10²⁶ FLOP, 3.35 TB/s, 700 W, $25,000."""
    if unit == "FLOP":
        return f"{power_of_ten(value)} FLOP"
    if unit == "USD":
        return f"${significant(value, 3)}"
    if unit in PREFIXED_UNITS:
        scaled, prefix = _scaled(value)
        digits = significant(scaled, 3)
        digits = digits.rstrip("0").rstrip(".") if "." in digits else digits
        return f"{digits} {prefix}{PREFIXED_UNITS[unit]}"
    return f"{significant(value, 3)} {unit}".rstrip()


def quantity_interval(low: float, high: float, *, unit: str) -> str:
    """Return a range as text, with one unit and power of ten: 0.44–2.4 × 10²⁹ FLOP."""
    if unit == "FLOP" and low > 0 and high < low * 1e3 and math.isfinite(high):
        exponent = math.floor(math.log10(high))
        ends = "–".join(significant(end / 10**exponent) for end in (low, high))
        return f"{ends} × 10{str(exponent).translate(_SUPERSCRIPT)} FLOP"
    return interval(quantity(low, unit), quantity(high, unit))


def _scaled(value: float) -> tuple[float, str]:
    for size, prefix in _PREFIXES:
        if value >= size * 0.9995:
            return value / size, prefix
    return value, ""


def duration(years: float) -> str:
    """Return a duration as text: 19 days, 5.4 months, 2.8 years."""
    if not math.isfinite(years):
        return NEVER
    if abs(years) < 1 / 12:
        return f"{significant(years * 365.25)} days"
    if abs(years) < 2:
        return f"{significant(years * 12)} months"
    return f"{significant(years)} years"


def interval(low: str, high: str) -> str:
    """Return a range of two formatted numbers. A common suffix (unit, word, ×) is written once."""
    shared = re.search(r"(?: [^\d\s][^\d]*|[×%])$", low)
    if shared and high.endswith(shared.group()):
        low = low.removesuffix(shared.group())
    return f"{low} or never" if high == NEVER else f"{low}–{high}"


def factors(*values: float) -> str:
    """Return the range of the given factors as text: 1.31–1.74×."""
    return interval(times(min(values)), times(max(values)))


def at_level(level: float, *, low: str, high: str) -> str:
    """Return an interval and its level as text: 90%: 4.3–5.1×."""
    return f"{percent(level)}: {interval(low, high)}"


def percent(level: float) -> str:
    """Return a probability as text in percent: 90% for 0.9."""
    return f"{100 * level:.3g}%"


def share(part: float) -> str:
    """Return a share in whole percent as text: 63% for 0.634, −10% for −0.1."""
    return f"{100 * part:.0f}%".replace("-", "−")


def small_initial(text: str) -> str:
    """Return a text with a lower-case first letter, unless it starts with a name such as FP8 or KV cache."""
    first = text.partition(" ")[0]
    return text if any(letter.isupper() for letter in first[1:]) else text[:1].lower() + text[1:]


def sentences(text: str) -> list[str]:
    """Split a text into sentences, each with its full stop."""
    return re.split(r"(?<=[.!?]) (?=[A-Z0-9])", text)


def factor_tick(value: float) -> str:
    """Return a growth factor as a tick label: 1×, 1.5×, 20×."""
    return f"{value:,.3g}×" if value < 1000 else f"{value:,.0f}×"


def counted(number: int, singular: str, *, plural: str | None = None) -> str:
    """Return a count and its noun as text: 1 model, 116 models."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def counted_in_words(number: int, singular: str) -> str:
    """Return a count and its noun as text, with small numbers spelled out: one vendor, 12 vendors."""
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
    count = words[number] if number < len(words) else f"{number:,}"
    return f"{count} {singular if number == 1 else singular + 's'}"


def listed(words: Sequence[str]) -> str:
    """Join words as a list in a sentence: GPUs; GPUs and wafers; GPUs, wafers and Groq chips."""
    return " and ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)


def a(name: str) -> str:
    """Return a name with its indefinite article: a Google, an AMD, an edge server, an NVIDIA."""
    return f"{'an' if name[0] in 'AEIOUaeio' or name.startswith('NV') else 'a'} {name}"


MOST_WORDS = 12
"""Maximum number of words in a headline."""


def fitting(*texts: str) -> str:
    """Return the first text that is short enough for a headline. If none is, return the shortest."""
    shortest = min(texts, key=lambda text: len(text.split()))
    return next((text for text in texts if len(text.split()) <= MOST_WORDS), shortest)


def sentence_case(text: str) -> str:
    """Return the text with a capital first letter."""
    return text[:1].upper() + text[1:]


@lru_cache(maxsize=2048)
def month_words(text: str) -> str:
    """Return a month or day as readers see it: Jun 2018 for 2018-06, 5 Jun 2018 for 2018-06-05."""
    year, _, rest = text.partition("-")
    month, _, day = rest.partition("-")
    if not month:
        return year
    return f"{int(day)} {MONTHS[int(month) - 1]} {year}" if day else f"{MONTHS[int(month) - 1]} {year}"


def release_words(name: str) -> str:
    """Return a release as readers see it: Jul 2026 for 2026-07, "Jul 2026, correction 1" for 2026-07.1."""
    day, _, number = name.partition(".")
    return f"{month_words(day)}, correction {number}" if number else month_words(day)


def number_words(text: str, *, beside: str) -> str:
    """Return a text without the final words, after its number, that it shares with another text."""
    words, others = text.split(), beside.split()
    while len(words) > 1 and len(others) > 1 and words[-1] == others[-1] and not words[-1][-1].isdigit():
        words, others = words[:-1], others[:-1]
    return " ".join(words)


def quarter(end_year: float) -> str:
    """Return the quarter that ends at a decimal year: Q4 2025 for 2026.0."""
    number = round(4 * end_year)
    return f"Q{(number - 1) % 4 + 1} {(number - 1) // 4}"


Ends = tuple[float, float]


def beyond_words(measured: tuple[Ends, Ends], *, prompt: float, answer: float, of: str) -> list[str]:
    """Return a sentence if a prompt or answer is outside the measured range, otherwise nothing.

    ``measured`` are the shortest and longest prompt and answer [tokens], and ``of`` is the quantity extrapolated.
    """
    lengths = zip(("prompts", "answers"), measured, (prompt, answer), strict=True)
    beyond = [
        (name, f"from {low:,.0f} to {high:,.0f}")
        for name, (low, high), length in lengths
        if not low <= length <= high
    ]
    if not beyond:
        return []
    (name, span), *others = beyond
    more = "".join(f", {other} {other_span}" for other, other_span in others) or " tokens"
    tokens = " tokens" if others else ""
    return [f"{name.capitalize()} were measured {span}{tokens}{more}; this {of} is extrapolated beyond that."]
