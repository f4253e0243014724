"""Test of a claim typed by the reader."""

from dataclasses import dataclass

from analysis.claims.claimed_value import GROWTH, Claimed, claimed, is_bare
from analysis.claims.verdict import Measured, Verdict
from data.releases import Release
from views import wording, written
from views.claims import statements
from views.claims.expressions import Missing, measured, pinned_link
from views.result import Figure

NO_CLAIM = "none"
MAYBE_SHARE, MAYBE_PERCENT = 0.7, (10.0, 1000.0)
"""Largest bare growth that may be meant as a share, and the range that may be meant in percent."""


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """A quantity for a reader's own claim.

    ``label`` is a short subject of a sentence, and ``words`` the full description. The others locate our number.
    """

    label: str
    words: str
    at: str
    measure: str = "yearly_growth"
    unit: str = GROWTH

    @property
    def subject(self) -> str:
        """Return the label for use inside a sentence."""
        return wording.small_initial(self.label)

    @property
    def grows(self) -> bool:
        """Return whether our number for the quantity is a yearly growth factor."""
        return self.unit == GROWTH


QUANTITIES = {
    name: Quantity(**stated) for name, stated in written.toml(__file__, name="quantities.toml").items()
}
"""Quantities on offer for a reader's claim, keyed by option."""


@dataclass(frozen=True, kw_only=True)
class OwnClaim:
    """Result for a reader's own claim: the answer, its caveat, our figure, and a row if a value is given."""

    headline: str
    subtitle: str
    figure: Figure
    row: statements.Statement | None


def own_claim(quantity: str, *, value: str, release: Release) -> OwnClaim | None:
    """Return the result for a reader's own claim. None if no quantity is chosen.

    ``value`` is the text typed, such as ``28%``; if empty, our number is shown.

    Raises ValueError if the text is not a number of that quantity.
    """
    if quantity == NO_CLAIM:
        return None
    subject = QUANTITIES[quantity]
    claim = claimed(value, unit=subject.unit) if value else None
    words = _claim_words(claim, subject.unit) if claim else ""
    link = pinned_link(subject.at, release=release)
    beside = f"claimed: {words}" if claim else "type a number to compare"

    def row(
        verdict: Verdict, *, ours: str, reason: str, parts: tuple[statements.TestedPart, ...] = ()
    ) -> statements.Statement:
        return statements.Statement(
            claim_id="yours",
            article="yours",
            statement=f"{subject.label} {'grows' if subject.grows else 'is'} {words}",
            topic=quantity,
            claimed=words,
            verdict=verdict,
            parts=parts,
            ours=ours,
            why=f"{wording.sentence_case(reason)}.",
            tested_by=statements.DATA,
            link=link,
        )

    try:
        number = measured(subject.measure, at=subject.at, release=release)
    except Missing as missing:
        known = "Not checkable" if claim else "Not known"
        return OwnClaim(
            headline=f"{known}: our data has no number for {subject.subject}",
            subtitle=f"{wording.sentence_case(str(missing))}.",
            figure=_figure(None, subject.unit, beside=beside),
            row=row("not checkable", ours="not known", reason=str(missing)) if claim else None,
        )
    in_words, in_full = _in_words(subject, number), statements.with_interval(number, subject.unit)
    if claim is None:
        return OwnClaim(
            headline=wording.sentence_case(in_words),
            subtitle=f"Our data gives {in_full} for {subject.words}. Type the number you read to check it.",
            figure=_figure(number, subject.unit, beside=beside),
            row=None,
        )
    verdict, reason = statements.judged_number(
        number, unit=subject.unit, test=claim.test, value=claim.value, high=claim.high
    )
    hint = "" if verdict == "supported" else _hint(value, claim.value, unit=subject.unit)
    part = statements.TestedPart(
        label=subject.words,
        measured=number,
        unit=subject.unit,
        against=statements.Against(test=claim.test, value=claim.value, high=claim.high),
        verdict=verdict,
        reason=reason,
        note="",
        link=link,
        tested_by=statements.DATA,
    )
    return OwnClaim(
        headline=f"{_answer(verdict, claim, ours=number)}: {in_words}",
        subtitle=f"You read {words}. Our data gives {in_full} for {subject.words}.{hint}",
        figure=_figure(number, subject.unit, beside=beside),
        row=row(verdict, ours=in_full, reason=reason, parts=(part,)),
    )


def _answer(verdict: Verdict, claim: Claimed, *, ours: Measured) -> str:
    """Return the verdict on a claim in plain words: supported, undecided, too high or far too low."""
    if verdict == "supported":
        return "Supported"
    if verdict == "undecided":
        return "Undecided"
    return f"{'Too' if verdict == 'off' else 'Far too'} {'high' if claim.value > ours.value else 'low'}"


def _in_words(subject: Quantity, number: Measured) -> str:
    """Return our number in a sentence, such as "memory bandwidth per chip grows 1.28× a year"."""
    if subject.grows:
        return f"{subject.subject} {wording.grows(round(number.value, 2) if number.value < 1 else number.value)} a year"
    return f"{subject.subject} is {statements.written_number(number.value, subject.unit)}"


def _claim_words(claim: Claimed, unit: str) -> str:
    """Return a claim as text, such as 1.28× a year, more than 2× a year, or 15–20× a year."""
    text = statements.written_number(claim.value, unit)
    if claim.high is not None:
        low = text.removesuffix(" a year").removesuffix("×")
        return wording.interval(low, statements.written_number(claim.high, unit))
    return {"above": "more than ", "below": "less than "}.get(claim.test, "") + text


def _figure(number: Measured | None, unit: str, *, beside: str) -> Figure:
    ranging = number is not None and number.low < number.high
    return Figure(
        name="own_claim",
        label="Our number",
        value=number.value if number else None,
        unit="x/year" if unit == GROWTH else unit,
        text=statements.written_number(number.value, unit) if number else "not known",
        low=number.low if number and ranging else None,
        high=number.high if number and ranging else None,
        level=number.level if number else None,
        interval_text=beside,
    )


def _hint(words: str, value: float, *, unit: str) -> str:
    """Return advice if a bare number may mean a percentage: 28 or 0.28 may mean 28%. Otherwise empty."""
    low, high = MAYBE_PERCENT
    if unit != GROWTH or not is_bare(words) or not (value <= MAYBE_SHARE or low <= value <= high):
        return ""
    meant = f"{value if value > MAYBE_SHARE else 100 * value:g}%"
    return f" If you meant {meant} a year, type {meant}."
