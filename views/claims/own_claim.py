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
    unit, link = subject.unit, pinned_link(subject.at, release=release)
    claim = claimed(value, unit=unit) if value else None
    against = statements.Against(test=claim.test, value=claim.value, high=claim.high) if claim else None
    words = against.words(unit) if against else ""
    number, reason = None, ""
    try:
        number = measured(subject.measure, at=subject.at, release=release)
    except Missing as missing:
        reason = str(missing)
    verdict: Verdict = "not checkable"
    if number and against:
        verdict, reason = statements.judged_number(number, unit=unit, against=against)
    in_full = statements.with_interval(number, unit) if number else "not known"
    ours = f"Our data gives {in_full} for {subject.words}."
    if number is None:
        headline = (
            f"{'Not checkable' if claim else 'Not known'}: our data has no number for {subject.subject}"
        )
        subtitle = f"{wording.sentence_case(reason)}."
    elif claim is None:
        headline = wording.sentence_case(_in_words(subject, number))
        subtitle = f"{ours} Type the number you read to check it."
    else:
        headline = f"{_answer(verdict, claim, ours=number)}: {_in_words(subject, number)}"
        hint = "" if verdict == "supported" else _hint(value, claim.value, unit=unit)
        subtitle = f"You read {words}. {ours}{hint}"
    figure = _figure(number, unit, beside=f"claimed: {words}" if claim else "type a number to compare")
    if against is None:
        return OwnClaim(headline=headline, subtitle=subtitle, figure=figure, row=None)
    part = statements.TestedPart(
        label=subject.words,
        measured=number,
        unit=unit,
        against=against,
        verdict=verdict,
        reason=reason,
        note="",
        link=link,
        tested_by=statements.DATA,
    )
    row = statements.Statement(
        claim_id="yours",
        article="yours",
        statement=f"{subject.label} {'grows' if subject.grows else 'is'} {words}",
        topic=quantity,
        claimed=words,
        verdict=verdict,
        parts=(part,) if number else (),
        ours=in_full,
        why=f"{wording.sentence_case(reason)}.",
        tested_by=statements.DATA,
        link=link,
    )
    return OwnClaim(headline=headline, subtitle=subtitle, figure=figure, row=row)


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


def _figure(number: Measured | None, unit: str, *, beside: str) -> Figure:
    ranged = number if number and number.low < number.high else None
    return Figure(
        name="own_claim",
        label="Our number",
        value=number.value if number else None,
        unit="x/year" if unit == GROWTH else unit,
        text=statements.written_number(number.value, unit) if number else "not known",
        low=ranged.low if ranged else None,
        high=ranged.high if ranged else None,
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
