"""Does a claim that a reader types hold?"""

from dataclasses import dataclass

from analysis.claims.claimed_value import GROWTH, Claimed, claimed, is_bare
from analysis.claims.verdict import Measured, Verdict
from data.releases import Release
from views import wording
from views.claims.expressions import Missing, measured, pinned_link
from views.claims.statements import DATA, Against, TestedPart, judged_number, with_interval, written
from views.result import Figure

NO_CLAIM = "none"
MAYBE_SHARE, MAYBE_PERCENT = 0.7, (10.0, 1000.0)
"""A bare growth up to the first, or between the others, may have been meant as a share or in per cent."""


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """A quantity that a reader's own claim may be about.

    ``label`` is the subject of a sentence, in few words, ``words`` the whole of it; then where our number is.
    """

    label: str
    words: str
    at: str
    measure: str = "yearly_growth"
    unit: str = GROWTH

    @property
    def subject(self) -> str:
        """Return the label as it stands inside a sentence."""
        return wording.small_initial(self.label)

    @property
    def grows(self) -> bool:
        """Return whether its number is a growth a year."""
        return self.unit == GROWTH


_H100 = "/data?table=accelerators&find=NVIDIA H100", '"NVIDIA H100 SXM5 80GB".'
_GPT4 = "/data?table=training-runs&find=GPT-4", '"GPT-4 (Mar 2023)".'
QUANTITIES: dict[str, Quantity] = {
    "training-compute": Quantity(
        label="Compute per frontier run",
        words="compute of frontier runs (top 10 at release, since 2012)",
        at="/training-compute",
    ),
    "training-compute-2018": Quantity(
        label="Compute per run since 2018",
        words="compute of frontier runs (top 10 at release, since 2018)",
        at="/training-compute?since=2018",
    ),
    "language-compute": Quantity(
        label="Compute per language-model run",
        words="compute of frontier language models (top 10, since 2020)",
        at="/training-compute?since=2020&domain=language",
    ),
    "memory-bandwidth": Quantity(
        label="Bandwidth of NVIDIA flagships",
        words="memory bandwidth per chip (NVIDIA's flagships, since 2012)",
        at="/accelerators?rule=flagships&vendor=nvidia&since=2012",
    ),
    "memory-bandwidth-all": Quantity(
        label="Memory bandwidth per chip",
        words="memory bandwidth per chip (all products)",
        at="/accelerators",
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
        label="The run-chip gap",
        words="gap between run and chip",
        at="/growth-gap",
        measure="run_chip_gap_growth",
    ),
    "run-run-gap": Quantity(
        label="The gap within a run",
        words="gap between a run and its own chips",
        at="/growth-gap",
        measure="run_run_gap_growth",
    ),
    "chips": Quantity(
        label="Chip count per frontier run",
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
        label="Cost per frontier run",
        words="cost of frontier runs",
        at="/growth-accounting",
        measure="cost_growth",
    ),
    "power": Quantity(
        label="Power per frontier run",
        words="power of frontier runs",
        at="/growth-accounting",
        measure="power_growth",
    ),
    "parameters": Quantity(
        label="Parameter count of frontier models",
        words="parameters of frontier models",
        at="/growth-accounting",
        measure="parameters_growth",
    ),
    "h100-bandwidth": Quantity(
        label="An H100's memory bandwidth",
        words="memory bandwidth of an H100 SXM",
        at=_H100[0],
        measure=f"{_H100[1]}memory_bandwidth_byte_per_s / 1e12",
        unit="TB/s",
    ),
    "h100-fp16": Quantity(
        label="An H100's 16-bit peak",
        words="dense 16-bit peak of an H100 SXM",
        at=_H100[0],
        measure=f"{_H100[1]}peak_fp16_dense_flop_per_s / 1e12",
        unit="TFLOP/s",
    ),
    "gpt-4-cost": Quantity(
        label="GPT-4's training cost",
        words="training cost of GPT-4 (2023 USD)",
        at=_GPT4[0],
        measure=f"{_GPT4[1]}training_cost_usd_2023 / 1e6",
        unit="million USD",
    ),
    "gpt-4-energy": Quantity(
        label="GPT-4's training energy",
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
    parts: tuple[TestedPart, ...] = ()
    claim_id: str = "yours"
    tested_by: str = "our data"
    article: str = "yours"
    url: str = ""
    by_hand: str = ""


@dataclass(frozen=True, kw_only=True)
class OwnClaim:
    """What a reader's own claim comes to: the answer, the catch, our figure, and its row where a value is given."""

    headline: str
    subtitle: str
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
    claim = claimed(value, unit=subject.unit) if value else None
    try:
        number = measured(subject.measure, at=subject.at, release=release)
    except Missing as gone:
        return _unknown(
            subject, claim, gone=str(gone), topic=quantity, link=pinned_link(subject.at, release=release)
        )
    if claim is None:
        return OwnClaim(
            headline=wording.sentence_case(_told(subject, number)),
            subtitle=f"{_in_full(subject, number)}. Type the number you read to check it.",
            figure=_figure(number, subject.unit, beside="nothing claimed yet"),
            row=None,
        )
    words = _claim_words(claim, subject.unit)
    verdict, reason = judged_number(
        number, unit=subject.unit, test=claim.test, value=claim.value, high=claim.high
    )
    hint = "" if verdict == "supported" else _hint(value, claim.value, unit=subject.unit)
    link = pinned_link(subject.at, release=release)
    part = TestedPart(
        label=subject.words,
        measured=number,
        unit=subject.unit,
        against=Against(test=claim.test, value=claim.value, high=claim.high),
        verdict=verdict,
        reason=reason,
        note="",
        link=link,
        tested_by=DATA,
    )
    return OwnClaim(
        headline=f"{_answer(verdict, claim, ours=number)}: {_told(subject, number)}",
        subtitle=f"You read {words}. {_in_full(subject, number)}.{hint}",
        figure=_figure(number, subject.unit, beside=f"claimed: {words}"),
        row=ClaimRow(
            verdict=verdict,
            statement=_sentence(subject, words),
            claimed=words,
            ours=with_interval(number, subject.unit),
            why=f"{wording.sentence_case(reason)}.",
            link=link,
            topic=quantity,
            parts=(part,),
        ),
    )


def _answer(verdict: Verdict, claim: Claimed, *, ours: Measured) -> str:
    """Return the verdict on a claim as one would say it: supported, too high, far too low, unclear."""
    if verdict == "supported":
        return "Supported"
    if claim.test in ("above", "below") and ours.low <= claim.value <= ours.high:
        return "Unclear"
    return f"{'Too' if verdict == 'off' else 'Far too'} {'high' if claim.value > ours.value else 'low'}"


def _told(subject: Quantity, number: Measured) -> str:
    """Return our number as a sentence: memory bandwidth per chip grows 1.28× a year."""
    if subject.grows:
        return f"{subject.subject} {wording.grows(round(number.value, 2) if number.value < 1 else number.value)} a year"
    return f"{subject.subject} is {written(number.value, subject.unit)}"


def _in_full(subject: Quantity, number: Measured) -> str:
    """Return our number with its interval and all of what it is about."""
    return f"Our data: {with_interval(number, subject.unit)} for {subject.words}"


def _sentence(subject: Quantity, words: str) -> str:
    return f"{subject.label} {'grows' if subject.grows else 'is'} {words}"


def _unknown(subject: Quantity, claim: Claimed | None, *, gone: str, topic: str, link: str) -> OwnClaim:
    """Return that a release does not know our number."""
    words = _claim_words(claim, subject.unit) if claim else ""
    return OwnClaim(
        headline=f"{'Not checkable' if claim else 'Not known'}: this data has no number for {subject.subject}",
        subtitle=f"{wording.sentence_case(gone)}.",
        figure=_figure(None, subject.unit, beside=f"claimed: {words}" if claim else "nothing claimed yet"),
        row=ClaimRow(
            verdict="not checkable",
            statement=_sentence(subject, words),
            claimed=words,
            ours="not known",
            why=f"{wording.sentence_case(gone)}.",
            link=link,
            topic=topic,
        )
        if claim
        else None,
    )


def _claim_words(claim: Claimed, unit: str) -> str:
    """Return a claim in words: 1.28× a year, more than 2× a year, 15–20× a year."""
    text = written(claim.value, unit)
    if claim.high is not None:
        low = text.removesuffix(" a year").removesuffix("×")
        return wording.interval(low, written(claim.high, unit))
    return {"above": "more than ", "below": "less than "}.get(claim.test, "") + text


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
    return f" For {meant} a year, write {meant}."
