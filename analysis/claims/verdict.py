"""Does a number we compute bear out a number that is claimed?"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

Verdict = Literal["supported", "undecided", "off", "wrong", "not checkable"]
Test = Literal["about", "between", "above", "below", "rises", "falls"]
Reason = Literal[
    "inside",
    "agrees",
    "other way",
    "near",
    "near at its end",
    "far",
    "one number",
    "all on its side",
    "on both sides",
    "not on its side",
]
"""Why a verdict is what it is: for about and between, our interval covers the claim, or our number agrees, points the
other way, or it or the near end of its interval is off by little or much; for bounds and directions, ours is one
number, or where our interval is."""

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
TESTS: tuple[Test, ...] = get_args(Test)


@dataclass(frozen=True, kw_only=True)
class Thresholds:
    """Where verdicts part. [1]

    A number given as "about" may differ by the share ``about_tolerance``; up to ``off_factor`` it is off, beyond it is
    wrong. A statement has the verdict of its decided tests if they are more than the share ``decided_share`` of all.
    """

    about_tolerance: float
    off_factor: float
    decided_share: float


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


def judgement(
    measured: Measured,
    *,
    test: Test,
    value: float,
    thresholds: Thresholds,
    high: float | None = None,
    tolerance: float | None = None,
    growth: bool = False,
) -> Judgement:
    """Return whether the claim ``test`` ``value`` (to ``high``) holds against the measured number, and why.

    ``about`` and ``between`` hold inside our interval or within ``tolerance`` of our value. They are off if the near
    end of our interval is within the factor that counts as off, and wrong beyond. ``above`` and ``below`` hold if all
    of our interval is on that side, are undecided if it reaches both sides, and else off or wrong by that factor.
    ``rises`` and ``falls`` are directions from ``value``: undecided or wrong.

    Raises
    ------
    ValueError
        A test that does not exist, or ``between`` without its high end.
    """
    if test not in TESTS:
        raise ValueError(f"a test is one of {', '.join(TESTS)}; got {test!r}.")
    if test == "between" and (high is None or high < value):
        raise ValueError(f"between needs a high end above {value:g}; got {high}.")
    spread = measured.low < measured.high
    if test in ("about", "between"):
        end = value if high is None or test == "about" else high
        if measured.low <= end and measured.high >= value:
            return Judgement(verdict="supported", reason="inside" if spread else "agrees")
        claim, ours = (value, measured.high) if measured.value < value else (end, measured.low)
        distance = apart(claim, measured.value, growth=growth)
        if distance <= 1 + (thresholds.about_tolerance if tolerance is None else tolerance):
            return Judgement(verdict="supported", reason="agrees")
        if growth and (measured.value - 1) * (value - 1) <= 0:
            return Judgement(verdict="wrong", reason="other way")
        if distance <= thresholds.off_factor:
            return Judgement(verdict="off", reason="near")
        if apart(claim, ours, growth=growth) <= thresholds.off_factor:
            return Judgement(verdict="off", reason="near at its end")
        return Judgement(verdict="wrong", reason="far")
    upward, strict = test in ("above", "rises"), test in ("rises", "falls")
    worst, best = (measured.low, measured.high) if upward else (-measured.high, -measured.low)
    limit = value if upward else -value
    if worst > limit or (worst == limit and not strict):
        return Judgement(verdict="supported", reason="all on its side" if spread else "one number")
    if best > limit:
        return Judgement(verdict="undecided", reason="on both sides")
    near = not strict and apart(value, measured.value, growth=growth) <= thresholds.off_factor
    return Judgement(verdict="off" if near else "wrong", reason="not on its side" if spread else "one number")


def combined(verdicts: Sequence[Verdict], *, decided_share: float) -> Verdict:
    """Return the verdict on a statement from those on its parts.

    It is that of the decided parts if they agree and are more than ``decided_share`` of all; off if they disagree, and
    undecided if too few are decided. Parts that cannot be checked do not count.
    """
    tested: list[Verdict] = [item for item in verdicts if item != "not checkable"]
    decided: list[Verdict] = [item for item in tested if item != "undecided"]
    if not tested:
        return "not checkable"
    if len(set(decided)) > 1:
        return "off"
    return decided[0] if len(decided) > decided_share * len(tested) else "undecided"
