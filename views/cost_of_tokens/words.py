"""Prices in the words of a reader."""

import math

from views import wording


def usd(value: float) -> str:
    """Return a price: $0.13, $1.16, $25, $1,300; none where it cannot be had."""
    if not math.isfinite(value):
        return "not possible"
    if value >= 1e6:
        return f"${wording.multiple(value).removesuffix(' ×')}"
    if 1 <= value < 9.995:
        return f"${value:.2f}"
    return f"${wording.significant(value, 3 if value >= 100 else 2)}"


def between(low: float, high: float) -> str:
    """Return a range of prices: $0.72–$2.25; $5 or more where the high end cannot be had."""
    if not math.isfinite(low):
        return "possibly at no price"
    return f"{usd(low)} or more" if not math.isfinite(high) else wording.interval(usd(low), usd(high))
