"""Does a number we compute bear out a number that is claimed?"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

Verdict = Literal["supported", "off", "wrong", "not checkable"]
Test = Literal["about", "between", "above", "below", "rises", "falls"]
Reason = Literal[
    "inside",
    "agrees",
    "other way",
    "near",
    "far",
    "one number",
    "all on its side",
    "on both sides",
    "not on its side",
]
"""Why a verdict is what it is: for about and between, our interval holds the claim, or our number agrees, points the
other way, or is off by little or much; for bounds and directions, ours is one number, or where our interval lies."""

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
TESTS: tuple[Test, ...] = get_args(Test)

OFF_FACTOR = 2.02
"""Up to a factor of two (rounded) a number is off, beyond it is wrong."""

TOLERANCE = 0.1
"""A number given as "about" may differ by this share and still hold. [1]"""


@dataclass(frozen=True, kw_only=True)
class Measured:
    """A number of ours with its interval; both ends are the value where there is none."""

    value: float
    low: float
    high: float
    level: float | None = None

    def __post_init__(self) -> None:
        if not self.low <= self.value <= self.high:
            raise ValueError(
                f"a measured value lies inside its interval; got {self.value:g} with {self.low:g} to "
                f"{self.high:g}. Give low and high in this order."
            )

    def is_close(self, other: "Measured", *, within: float) -> bool:
        """Return whether another number and its interval are the same but for a relative difference."""
        ends = ((self.value, other.value), (self.low, other.low), (self.high, other.high))
        return self.level == other.level and all(math.isclose(*pair, rel_tol=within) for pair in ends)


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """A verdict and the code of its reason."""

    verdict: Verdict
    reason: Reason


def apart(one: float, other: float, *, growth: bool = False) -> float:
    """Return how many times one number is the other, never below 1; infinite across zero.

    With ``growth`` both are factors a year and their logarithms are compared: 1.28x against 1.26x a year is
    7 % apart, and growth against shrinkage is infinitely far.
    """
    if growth:
        one, other = math.log(one), math.log(other)
    if one == other:
        return 1.0
    if one * other <= 0:
        return math.inf
    return max(one / other, other / one)


def verdict(
    measured: Measured,
    *,
    test: Test,
    value: float,
    high: float | None = None,
    tolerance: float = TOLERANCE,
    growth: bool = False,
) -> Verdict:
    """Return whether the claim ``test`` ``value`` (to ``high``) holds against the measured number.

    ``about`` and ``between`` hold inside our interval or within ``tolerance``; ``above`` and ``below`` hold
    when all of our interval does. All four are off up to a factor of two, and wrong beyond. ``rises`` and
    ``falls`` are directions from ``value``: off where our interval reaches both sides, wrong on the other.

    Raises
    ------
    ValueError
        A test that does not exist, or ``between`` without its high end.
    """
    if test not in TESTS:
        raise ValueError(f"a test is one of {', '.join(TESTS)}; got {test!r}.")
    if test == "between" and (high is None or high < value):
        raise ValueError(f"between needs a high end above {value:g}; got {high}.")
    if test in ("about", "between"):
        end = value if high is None or test == "about" else high
        if measured.low <= end and measured.high >= value:
            return "supported"
        nearest = value if measured.value < value else end
        distance = apart(nearest, measured.value, growth=growth)
        if distance <= 1 + tolerance:
            return "supported"
        return "off" if distance <= OFF_FACTOR else "wrong"
    upward = test in ("above", "rises")
    worst, best = (measured.low, measured.high) if upward else (-measured.high, -measured.low)
    limit = value if upward else -value
    strict = test in ("rises", "falls")
    if worst > limit or (worst == limit and not strict):
        return "supported"
    if best > limit:
        return "off"
    near = not strict and apart(value, measured.value, growth=growth) <= OFF_FACTOR
    return "off" if near else "wrong"


def judgement(
    measured: Measured,
    *,
    test: Test,
    value: float,
    high: float | None = None,
    tolerance: float = TOLERANCE,
    growth: bool = False,
) -> Judgement:
    """Return the verdict as :func:`verdict` has it, with its reason.

    Raises
    ------
    ValueError
        A test that does not exist, or ``between`` without its high end.
    """
    held = verdict(measured, test=test, value=value, high=high, tolerance=tolerance, growth=growth)
    return Judgement(
        verdict=held, reason=_reason(measured, held, test=test, value=value, high=high, growth=growth)
    )


def _reason(
    measured: Measured, held: Verdict, *, test: Test, value: float, high: float | None, growth: bool
) -> Reason:
    spread = measured.low < measured.high
    if test in ("about", "between"):
        inside = measured.low <= (high or value) and measured.high >= value
        if held == "supported":
            return "inside" if spread and inside else "agrees"
        if growth and (measured.value - 1) * (value - 1) <= 0:
            return "other way"
        return "near" if held == "off" else "far"
    if not spread:
        return "one number"
    if held == "supported":
        return "all on its side"
    if held == "off" and measured.low <= value <= measured.high:
        return "on both sides"
    return "not on its side"


def together(verdicts: Sequence[Verdict]) -> Verdict:
    """Return the verdict on a statement from those on its parts: theirs if they agree, else off.

    Parts that cannot be checked do not count; without any other the statement cannot be checked.
    """
    tested: list[Verdict] = [item for item in verdicts if item != "not checkable"]
    if not tested:
        return "not checkable"
    return tested[0] if len(set(tested)) == 1 else "off"
