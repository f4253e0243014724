"""Does a claim that a reader types hold?"""

from dataclasses import dataclass

from analysis.claims.claimed_value import GROWTH, Claimed, claimed, is_bare
from analysis.claims.verdict import Measured, Verdict
from data.releases import Release
from views import wording
from views.claims.expressions import Missing, measured, pinned_link
from views.claims.statements import judged_number, with_interval, written
from views.result import Figure

NO_CLAIM = "none"
MAYBE_SHARE, MAYBE_PERCENT = 0.7, (10.0, 1000.0)
"""A bare growth up to the first, or between the others, may have been meant as a share or in per cent."""


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """A quantity that a reader's own claim may be about: its label, its words, where our number is, its unit."""

    label: str
    words: str
    at: str
    measure: str = "yearly_growth"
    unit: str = GROWTH


_H100 = "/data?table=accelerators&find=NVIDIA H100", '"NVIDIA H100 SXM5 80GB".'
_GPT4 = "/data?table=training-runs&find=GPT-4", '"GPT-4 (Mar 2023)".'
QUANTITIES: dict[str, Quantity] = {
    "training-compute": Quantity(
        label="Frontier compute since 2012",
        words="compute of frontier runs (top 10 at release, since 2012)",
        at="/training-compute",
    ),
    "training-compute-2018": Quantity(
        label="Frontier compute since 2018",
        words="compute of frontier runs (top 10 at release, since 2018)",
        at="/training-compute?since=2018",
    ),
    "language-compute": Quantity(
        label="Language-model compute since 2020",
        words="compute of frontier language models (top 10, since 2020)",
        at="/training-compute?since=2020&domain=language",
    ),
    "memory-bandwidth": Quantity(
        label="Bandwidth of NVIDIA flagships",
        words="memory bandwidth per chip (NVIDIA's flagships, since 2012)",
        at="/accelerators?rule=flagships&vendor=nvidia&since=2012",
    ),
    "memory-bandwidth-all": Quantity(
        label="Bandwidth of all chips", words="memory bandwidth per chip (all products)", at="/accelerators"
    ),
    "memory-capacity": Quantity(
        label="Memory capacity per chip",
        words="memory capacity per chip",
        at="/accelerators?metric=memory-capacity",
    ),
    "fp16": Quantity(
        label="16-bit throughput per chip", words="16-bit throughput per chip", at="/accelerators?metric=fp16"
    ),
    "chip-link": Quantity(
        label="Chip-to-chip bandwidth",
        words="chip-to-chip bandwidth per chip",
        at="/accelerators?metric=chip-link",
    ),
    "flop-per-dollar": Quantity(
        label="FLOP/s per dollar", words="FLOP/s per dollar", at="/accelerators?metric=flop-per-dollar"
    ),
    "flop-per-byte": Quantity(
        label="FLOP per byte of chips",
        words="FLOP per byte that chips offer at 16 bits",
        at="/compute-to-memory",
    ),
    "run-chip-gap": Quantity(
        label="Gap between run and chip",
        words="gap between run and chip",
        at="/growth-gap",
        measure="run_chip_gap_growth",
    ),
    "run-run-gap": Quantity(
        label="Gap between a run and its chips",
        words="gap between a run and its own chips",
        at="/growth-gap",
        measure="run_run_gap_growth",
    ),
    "chips": Quantity(
        label="Chips of a frontier run",
        words="number of chips of a frontier run",
        at="/growth-accounting",
        measure="chips_growth",
    ),
    "training-time": Quantity(
        label="Training time",
        words="training time of frontier runs",
        at="/growth-accounting",
        measure="time_growth",
    ),
    "cost": Quantity(
        label="Training cost", words="cost of frontier runs", at="/growth-accounting", measure="cost_growth"
    ),
    "power": Quantity(
        label="Power of a run",
        words="power of frontier runs",
        at="/growth-accounting",
        measure="power_growth",
    ),
    "parameters": Quantity(
        label="Parameters of frontier models",
        words="parameters of frontier models",
        at="/growth-accounting",
        measure="parameters_growth",
    ),
    "h100-bandwidth": Quantity(
        label="Bandwidth of an H100 SXM",
        words="memory bandwidth of an H100 SXM",
        at=_H100[0],
        measure=f"{_H100[1]}memory_bandwidth_byte_per_s / 1e12",
        unit="TB/s",
    ),
    "h100-fp16": Quantity(
        label="16-bit peak of an H100 SXM",
        words="dense 16-bit peak of an H100 SXM",
        at=_H100[0],
        measure=f"{_H100[1]}peak_fp16_dense_flop_per_s / 1e12",
        unit="TFLOP/s",
    ),
    "gpt-4-cost": Quantity(
        label="Training cost of GPT-4",
        words="training cost of GPT-4 (2023 USD)",
        at=_GPT4[0],
        measure=f"{_GPT4[1]}training_cost_usd_2023 / 1e6",
        unit="million USD",
    ),
    "gpt-4-energy": Quantity(
        label="Training energy of GPT-4",
        words="energy of GPT-4's training",
        at=_GPT4[0],
        measure=f"{_GPT4[1]}training_power_w * {_GPT4[1]}training_time_s / 3.6e12",
        unit="GWh",
    ),
}


@dataclass(frozen=True, kw_only=True)
class ClaimRow:
    """A reader's own claim as a row of the table of statements."""

    verdict: Verdict
    statement: str
    claimed: str
    ours: str
    why: str
    link: str
    topic: str
    claim_id: str = "yours"
    tested_by: str = "our data"
    article: str = "yours"
    url: str = ""
    by_hand: str = ""


@dataclass(frozen=True, kw_only=True)
class OwnClaim:
    """What a reader's own claim comes to: headline, our figure, and its row of the table if a value is given."""

    headline: str
    figure: Figure
    row: ClaimRow | None


def own_claim(quantity: str, *, value: str, release: Release) -> OwnClaim | None:
    """Return what a reader's own claim comes to; nothing where no quantity is chosen.

    ``value`` is in the reader's words, such as ``28 %``; without one, our number is told.

    Raises
    ------
    ValueError
        Words that are no number of that quantity.
    """
    if quantity == NO_CLAIM:
        return None
    subject = QUANTITIES[quantity]
    if not value:
        return _unclaimed(subject, release)
    claim = claimed(value, unit=subject.unit)
    words = _claim_words(claim, subject.unit)
    whose = f"Your {words} for the {subject.words}"
    try:
        number = measured(subject.measure, at=subject.at, release=release)
    except Missing as gone:
        verdict, reason, ours, number = "not checkable", str(gone), "not known", None
        headline = f"{whose} cannot be checked: {gone}"
    else:
        verdict, reason = judged_number(
            number, unit=subject.unit, test=claim.test, value=claim.value, high=claim.high
        )
        ours = with_interval(number, subject.unit)
        hint = "" if verdict == "supported" else _hint(value, claim.value, unit=subject.unit)
        headline = f"{whose} is {verdict}: ours is {ours}{hint}"
    return OwnClaim(
        headline=headline,
        figure=_figure(number, subject.unit, beside=f"claimed: {words}"),
        row=ClaimRow(
            verdict=verdict,
            statement=f"The {subject.words}{' grows' if subject.unit == GROWTH else ' is'} {words}",
            claimed=words,
            ours=ours,
            why=f"{wording.sentence_case(reason)}.",
            link=pinned_link(subject.at, release=release),
            topic=quantity,
        ),
    )


def _claim_words(claim: Claimed, unit: str) -> str:
    """Return a claim in words: 1.28× a year, more than 2× a year, 15–20× a year."""
    text = written(claim.value, unit)
    if claim.high is not None:
        low = text.removesuffix(" a year").removesuffix("×")
        return wording.interval(low, written(claim.high, unit))
    return {"above": "more than ", "below": "less than "}.get(claim.test, "") + text


def _unclaimed(subject: Quantity, release: Release) -> OwnClaim:
    """Return our number alone, and what a reader does next."""
    try:
        number = measured(subject.measure, at=subject.at, release=release)
    except Missing as gone:
        headline, number = f"Our number for the {subject.words} is not known: {gone}", None
    else:
        ours = with_interval(number, subject.unit)
        headline = f"Ours for the {subject.words} is {ours}; write what you claim under “Your claim: value”"
    return OwnClaim(
        headline=headline, figure=_figure(number, subject.unit, beside="nothing claimed yet"), row=None
    )


def _figure(number: Measured | None, unit: str, *, beside: str) -> Figure:
    ranging = number is not None and number.low < number.high
    return Figure(
        name="own_claim",
        label="Ours",
        value=number.value if number else None,
        unit="x/year" if unit == GROWTH else unit,
        text=written(number.value, unit) if number else "not known",
        low=number.low if number and ranging else None,
        high=number.high if number and ranging else None,
        level=number.level if number else None,
        interval_text=beside,
    )


def _hint(words: str, value: float, *, unit: str) -> str:
    """Return how to write per cent where a bare number may have meant that: 28 or 0.28 for 28 %."""
    low, high = MAYBE_PERCENT
    if unit != GROWTH or not is_bare(words) or not (value <= MAYBE_SHARE or low <= value <= high):
        return ""
    meant = f"{value if value > MAYBE_SHARE else 100 * value:g} %"
    return f". For {meant} a year, write {meant}"
