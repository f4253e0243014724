"""Verdict on whether a computed number supports a claimed one, and the reason for the verdict."""

import math
from collections.abc import Callable, Mapping, Sequence
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
"""The reason for a verdict. For "about" and "between": our interval covers the claim, our value agrees, our value has
the opposite sign, or our value or the nearer bound of its interval differs by little or by much. For bounds and
directions: our number has no interval, or its interval is on one side of the bound or on both."""

LEVEL = 0.9
"""Level of the intervals of our models' numbers."""
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
TESTS: tuple[Test, ...] = get_args(Test)


@dataclass(frozen=True, kw_only=True)
class Thresholds:
    """Thresholds between verdicts.

    An "about" claim may differ by the share ``about_tolerance``; it is "off" up to ``off_factor`` and "wrong" beyond. A
    claim gets the verdict of its decided tests if they exceed the share ``decided_share`` of all tests.
    """

    about_tolerance: float
    off_factor: float
    decided_share: float


@dataclass(frozen=True, kw_only=True)
class Measured:
    """One of our numbers with its interval. Without an interval, both bounds equal the value."""

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

    @classmethod
    def exactly(cls, value: float) -> "Measured":
        """Return a number without an interval."""
        return cls(value=value, low=value, high=value)

    @property
    def numbers(self) -> tuple[float, float, float]:
        """Return the value and the bounds of its interval."""
        return self.value, self.low, self.high

    def is_close(self, other: "Measured", *, within: float) -> bool:
        """Return whether another measurement equals this one to within a relative difference."""
        pairs = zip(self.numbers, other.numbers, strict=True)
        return self.level == other.level and all(math.isclose(*pair, rel_tol=within) for pair in pairs)


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """A verdict and the code of its reason."""

    verdict: Verdict
    reason: Reason


def apart(one: float, other: float, *, growth: bool = False) -> float:
    """Return the larger of two numbers divided by the smaller. Infinite if their signs differ.

    With ``growth`` both are factors a year, and their logarithms are compared: 1.28x and 1.26x a year differ by 7%, and
    growth differs infinitely from shrinkage.
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
    """Return the verdict on a claim and the reason for the verdict, given our measured number.

    An ``about`` or ``between`` claim is supported if our interval covers it or our value is within ``tolerance``. It is
    off if the nearer bound of our interval is within ``off_factor``, and wrong beyond that. An ``above`` or ``below``
    claim is supported if our whole interval is on that side, undecided if the interval straddles the bound, and
    otherwise off or wrong by the same factor. ``rises`` and ``falls`` are directions from ``value``: supported,
    undecided or wrong.

    Raises ValueError if the test does not exist, or ``between`` has no high end.
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


def of_parts(
    value: Callable[[Mapping[str, float]], float], shares: Mapping[str, float], *, error: float
) -> Measured:
    """Return a number made of the shares of a step's time, with its interval.

    ``value`` computes it from ``shares``; ``error`` is half the width of the 90% interval of the step's log time.
    Published runs test the time of whole steps, never of their parts. We assume that all parts err by the same factor
    and independently of each other. A part then errs more than the step: by ``error`` over the root of the sum of
    squared shares. The effects of each part's error on the number's logarithm add in quadrature. [1]
    """
    whole, ours = sum(shares.values()), value(shares)
    times = math.exp(error * whole / max(math.hypot(*shares.values()), 1e-12))

    def changed(name: str, by: float) -> float:
        """Return the number if one part takes ``by`` times as long."""
        times = {**shares, name: shares[name] * by}
        return value({part: time * whole / sum(times.values()) for part, time in times.items()})

    if ours <= 0:
        return Measured.exactly(ours)
    errors = (math.log(changed(name, times) / changed(name, 1 / times)) / 2 for name in shares)
    spread = math.exp(math.hypot(*errors))
    level = LEVEL if spread > 1 else None
    return Measured(value=ours, low=ours / spread, high=ours * spread, level=level)


def combined(verdicts: Sequence[Verdict], *, decided_share: float) -> Verdict:
    """Return the verdict on a claim from the verdicts on its parts.

    It is that of the decided parts if they agree and are more than ``decided_share`` of all, off if they disagree, and
    undecided if too few are decided. Parts that cannot be checked do not count.
    """
    tested: list[Verdict] = [item for item in verdicts if item != "not checkable"]
    decided: list[Verdict] = [item for item in tested if item != "undecided"]
    if not tested:
        return "not checkable"
    if len(set(decided)) > 1:
        return "off"
    return decided[0] if len(decided) > decided_share * len(tested) else "undecided"
