"""Text of the finding, such as "doubling bandwidth comes with 1.6× the tokens/s"."""

from collections.abc import Sequence

from analysis.in_practice.exponents import Exponents
from analysis.in_practice.pairs import PairSummary
from analysis.intervals import Estimate
from views import wording, written
from views.in_practice.settings import ANY, WORKS, InPracticeSettings

GAINS: dict[str, str] = written.toml(__file__, name="names.toml")["gains"]
"""The quantity that a speed-up multiplies, keyed by kind of work."""
BY_FLOP = ("prompt", "first", "training")
"""Kinds of work commonly considered compute-bound."""
SAME = 1.05
"""Factor within which a data-sheet ratio counts as no difference. [1]"""
WIDEST = 1.0
"""Width of an exponent's interval from which headlines omit the exponent. [1]"""


def pair_name(pair: PairSummary) -> str:
    """Return the name of a pair of chips: H200 to B200, 8-bit."""
    return f"{pair.first} to {pair.second}{', ' * bool(pair.precision)}{pair.precision}"


def doubled(power: float) -> float:
    """Return the speed-up from doubling a quantity with the exponent ``power``."""
    return float(2**power)


def doubled_estimate(power: Estimate) -> Estimate:
    """Return the speed-up from doubling a quantity, with an interval derived from that of the exponent."""
    return Estimate(value=doubled(power.value), low=doubled(power.low), high=doubled(power.high))


def sure_enough(powers: Exponents) -> bool:
    """Return whether both exponents are certain enough for a headline."""
    return all(one and one.high - one.low < WIDEST for one in (powers.bandwidth, powers.flop))


def which(lead: Estimate | None) -> str:
    """Return the quantity with the clearly larger exponent: "bandwidth", "flop" or "neither"."""
    if lead is None or not (lead.low > 0 or lead.high < 0):
        return "neither"
    return "bandwidth" if lead.low > 0 else "flop"


def headline(settings: InPracticeSettings, *, powers: Exponents, first: PairSummary) -> str:
    """Return a headline on the speed-up from doubling each data-sheet number or, if uncertain, on one pair's."""
    gain = GAINS[settings.work]
    if sure_enough(powers) and powers.bandwidth and powers.flop:
        one, other = (wording.times(doubled(power.value)) for power in (powers.bandwidth, powers.flop))
        return f"Doubling bandwidth comes with {one} the {gain}; doubling FLOP/s, {other}"
    return f"{pair_name(first)}: {on_paper(first, settings)}, {wording.times(first.speed_up)} {gain}"


def on_paper(pair: PairSummary, settings: InPracticeSettings) -> str:
    """Return the data-sheet ratio expected to limit the work, as text. If that is about 1×, return the other ratio."""
    by_flop = settings.work in BY_FLOP
    ratio = pair.flop_ratio if by_flop else pair.bandwidth_ratio
    if max(ratio, 1 / ratio) < SAME:
        other = pair.bandwidth_ratio if by_flop else pair.flop_ratio
        if max(other, 1 / other) >= SAME:
            by_flop, ratio = not by_flop, other
    return f"{wording.times(ratio)} {'FLOP/s' if by_flop else 'bandwidth'}"


def both_ratios(pair: PairSummary) -> str:
    """Return a pair's two data-sheet ratios as text: 1.60× bandwidth, 2.3× FLOP/s."""
    return f"{wording.times(pair.bandwidth_ratio)} bandwidth, {wording.times(pair.flop_ratio)} FLOP/s"


def middle_half(pair: PairSummary) -> str:
    """Return the quartiles of a pair's speed-ups as text, or "one workload" if there is only one."""
    if pair.n < 2:
        return "one workload"
    works = f"{wording.counted(pair.n, 'workload')} of {wording.counted(pair.n_models, 'model')}"
    return f"middle half {wording.factors(pair.low, pair.high)}, {works}"


def verdict(powers: Exponents, settings: InPracticeSettings) -> str:
    """Return a sentence on which exponent is larger, that of bandwidth or that of FLOP/s."""
    if powers.bandwidth is None:
        return (
            f"{wording.sentence_case(wording.counted(powers.n_chips, 'chip'))} do not show which of the two matters "
            "more."
        )
    word = which(powers.lead)
    if word == "neither":
        return f"{powers.n_chips} chips do not show which of the two matters more."
    more, less = ("bandwidth", "FLOP/s") if word == "bandwidth" else ("FLOP/s", "bandwidth")
    return f"Speed rises more with {more} than with {less}, at {settings.level}% confidence."


def by_work(cases: Sequence[tuple[str, Exponents]]) -> str:
    """Return a sentence on which work speeds up more with bandwidth, and which with FLOP/s."""
    sure = [(WORKS[work][0].lower(), which(one.lead)) for work, one in cases if sure_enough(one)]
    named = (("bandwidth", "bandwidth"), ("flop", "FLOP/s"))
    works = {name: [work for work, more in sure if more == word] for word, name in named}
    parts = [f"more with {name} for {wording.listed(own)}" for name, own in works.items() if own]
    if not parts:
        return "No kind of work shows whether speed rises more with bandwidth or with FLOP/s"
    return f"Speed rises {'; '.join(parts)}"


def settings_line(settings: InPracticeSettings) -> str:
    """Return the settings line: the kind of work, and how measurements were matched."""
    alike = (
        "the same version and split"
        if settings.match == "exact"
        else "the same engine, own version and split"
    )
    parts = [WORKS[settings.work][0], alike]
    narrowed = [
        name for name in ("precision", "load") if settings.applies(name) and getattr(settings, name) != ANY
    ]
    parts += [settings.in_words(name) for name in narrowed]
    if settings.chips.strip():
        parts.append(f"only {settings.chips.strip()}")
    return "; ".join(parts)
