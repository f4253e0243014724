"""Claims from articles, each tested against our numbers."""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from analysis.claims.claimed_value import GROWTH
from analysis.claims.verdict import LEVEL, Measured, Test, Thresholds, Verdict, combined, judgement
from analysis.rents import Listed
from analysis.trend.calendar_year import decimal_year
from data import sources, standing
from data.by_release import ByRelease, kept_by_release
from data.releases import Release
from views import wording, written
from views.chips.rents import rent
from views.claims import expressions
from views.claims.expressions import MODELS, Missing, divided, frozen_release, measured, pinned_link
from views.kept import kept
from views.view import split

ARTICLES = ByRelease(
    lambda: {name[:2]: str(row["source_id"]) for name, row in standing.rows("claims", "claim_id").items()}
)
"""Each article's key in sources.csv, keyed by the first two characters of its claims' numbers."""
REASONS = written.toml(__file__, name="reasons.toml")
DATA, MODEL, PUBLISHED = "our data", "our model", "published figure"
OPEN = "open"
"""Value of ``tested_by`` for a part of a claim that nothing here tests."""


@dataclass(frozen=True, kw_only=True)
class Against:
    """What a measured number is tested against: a value, or a range from ``value`` to ``high``."""

    test: Test
    value: float
    high: float | None = None
    claimed: bool = True
    """Whether the claim states the number. Otherwise the number is the threshold for the verdict."""

    @property
    def middle(self) -> float:
        """Return the value, or the geometric mean of the range."""
        return self.value if self.high is None else math.sqrt(self.value * self.high)

    def words(self, unit: str) -> str:
        """Return the value or range as text, such as 1.28× a year, more than 2× a year, or 15–20× a year."""
        text = written_number(self.value, unit)
        if self.high is not None:
            low = text.removesuffix(" a year").removesuffix("×")
            return wording.interval(low, written_number(self.high, unit))
        more = {"above": "more than ", "rises": "more than ", "below": "less than ", "falls": "less than "}
        return more.get(self.test, "") + text


@dataclass(frozen=True, kw_only=True)
class TestedPart:
    """One test of a claim: the measured number, the reference and the verdict."""

    label: str
    measured: Measured | None
    unit: str
    against: Against
    verdict: Verdict
    reason: str
    note: str
    link: str
    tested_by: str
    view: str = ""
    """Path of the view that tests the claim. Empty for a published figure."""

    @property
    def text(self) -> str:
        """Return the measured number and its interval as text."""
        return with_interval(self.measured, self.unit) if self.measured else "not known"

    @property
    def number(self) -> str:
        """Return the measured number as text, without its interval."""
        return written_number(self.measured.value, self.unit) if self.measured else "not known"

    @property
    def interval(self) -> str:
        """Return the measured number's interval and level as text. Empty without an interval."""
        return interval_of(self.measured, self.unit) if self.measured else ""

    @property
    def without_interval(self) -> str:
        """Return why our model's number has no interval, as a sentence. Empty if it has one, or is not our model's."""
        bare = self.tested_by == MODEL and self.measured is not None and not self.interval
        return expressions.MODEL_ERRORS[self.view].get("without", "") if bare else ""


@dataclass(frozen=True, kw_only=True)
class Statement:
    """An article's or a reader's claim, with its number, its tests and the verdict.

    ``ours`` is the measured number, and ``why`` the reason for the verdict. ``tested_by`` is our data, our model, a
    published figure, several of these, or nothing. ``link`` is the first view with a test, or the published source.
    """

    claim_id: str
    article: str
    statement: str
    topic: str
    claimed: str
    verdict: Verdict
    parts: tuple[TestedPart, ...]
    ours: str
    why: str
    tested_by: str
    link: str
    by_hand: str = ""
    url: str = ""


def _why(parts: Sequence[TestedPart], *, computable: bool, evidence: str) -> str:
    """Return the reason for the verdict. For an untested claim, it is the ``evidence`` in public sources."""
    if not parts:
        kind = "No page here tests it." if computable else "No number of ours tests it."
        return f"{kind} {evidence.rstrip('.')}."
    reasons = [part.reason for part in parts]
    reasons = reasons[0] if len(set(reasons)) == 1 else "; ".join(_numbered(reasons))
    bare = dict.fromkeys(part.without_interval for part in parts)
    sentences = (f"{wording.sentence_case(reasons)}.", *bare, *(part.note for part in parts))
    return " ".join(sentence for sentence in sentences if sentence)


def _numbered(texts: list[str]) -> list[str]:
    if len(texts) == 1:
        return texts
    return [f"({number}) {text}" for number, text in enumerate(texts, start=1)]


def _round(value: float, digits: int) -> str:
    text = wording.significant(value, digits)
    return text.rstrip("0").rstrip(".") if "." in text else text


def written_number(value: float, unit: str) -> str:
    """Return a claim's number and unit as text, such as 4.7× a year, 3.6×, 21% or 25,000 accelerators."""
    if unit == GROWTH:
        return f"{wording.times(value)} a year"
    if unit == "x":
        return f"{_round(value, 2 if value < 100 else 3)}×"
    if unit == "1":
        return f"{_round(100 * value, 2)}%" if value <= 1 else _round(value, 2)
    if unit == "bit/s":
        return f"{_round(value / 1e12, 2)} Tbit/s"
    if unit == "USD" and value >= 1e6:
        return f"${_round(value / 1e6, 3)} million"
    if unit in wording.PREFIXED_UNITS or unit == "USD":
        return wording.quantity(value, unit)
    if unit == "year":
        return wording.duration(value)
    if unit == "power":
        return f"to the power of {_round(value, 2)}"
    if unit == "tokens" and value >= 1e6:
        return f"{_round(value / 1e6, 3)} million tokens"
    number = _round(value, 3)
    return f"{number} {unit.removesuffix('s') if number == '1' else unit}".rstrip()


def with_interval(ours: Measured, unit: str) -> str:
    """Return a measured number as text, with its interval and level if it has any."""
    text, ends = written_number(ours.value, unit), interval_of(ours, unit)
    return f"{text} ({ends})" if ends else text


def interval_of(ours: Measured, unit: str) -> str:
    """Return a measured number's interval as text, such as "90%: 4.3–5.1×". Empty without an interval."""
    if ours.low == ours.high:
        return ""
    low, high = (written_number(end, unit).removesuffix(" a year") for end in (ours.low, ours.high))
    return wording.at_level(ours.level, low=low, high=high) if ours.level else wording.interval(low, high)


@kept_by_release()
def thresholds() -> Thresholds:
    """Return the thresholds between verdicts, from the release's table."""
    rows = standing.rows("claim_thresholds", "name").items()
    return Thresholds(**{name: float(row["value"]) for name, row in rows})


def judged_number(
    ours: Measured, *, unit: str, against: Against, tolerance: float | None = None
) -> tuple[Verdict, str]:
    """Return the verdict on a claimed number, and the reason as text."""
    test, value, high = against.test, against.value, against.high
    if test in ("about", "between"):
        value = _as_shown(ours, value, unit=unit)
        high = None if high is None else _as_shown(ours, high, unit=unit)
    limits, growth = thresholds(), unit == GROWTH
    judged = judgement(
        ours, test=test, value=value, thresholds=limits, high=high, tolerance=tolerance, growth=growth
    )
    reason = REASONS[judged.reason].format(
        limit="no change" if value == 1 and unit == GROWTH else written_number(value, unit),
        side="above" if test in ("above", "rises") else "below",
        doublings=" in doublings a year" if unit == GROWTH else "",
        way="grows" if ours.value > 1 else "falls",
        place=_place(ours.value, value, unit=unit),
    )
    return judged.verdict, reason


def _place(ours: float, value: float, *, unit: str) -> str:
    """Return where our number is relative to another: "above", "just above", "below" and so on."""
    if math.isclose(ours, value, rel_tol=1e-9):
        return "exactly"
    return ("just " if written_number(ours, unit) == written_number(value, unit) else "") + (
        "above" if ours > value else "below"
    )


def _as_shown(measured: Measured, value: float, *, unit: str) -> float:
    """Return a claimed number, or our number if both look the same."""
    return next(
        (end for end in measured.numbers if written_number(end, unit) == written_number(value, unit)), value
    )


def _signed(text: str) -> str:
    """Return a text with typographic signs in its numbers, such as 5× for 5x and 10–15% for 10-15%."""
    ranged = re.sub(r"(?<![\w.-])(?!\d{4}-\d\d\b)(\$?\d+(?:\.\d+)?)-(?=\d)", r"\1–", text)
    return re.sub(r"(?<=[0-9])( ?)x(?![a-z0-9])", r"\1×", ranged)


def _known(number: float) -> float | None:
    return None if math.isnan(number) else float(number)


def _claimed(row: Any) -> str:
    value, high, unit = _known(row.claimed_value), _known(row.claimed_high), str(row.claimed_unit)
    if value is None:
        directions = {"linear": "on a straight line", "rises": "rises", "falls": "falls"}
        return directions.get(row.relation, "no number")
    if unit == GROWTH and value == 1:
        return "grows"
    if high is not None:
        return wording.interval(written_number(value, unit), written_number(high, unit))
    number = f"{_round(value, 3)}× a year" if unit == GROWTH else written_number(value, unit)
    return {"above": "more than ", "below": "less than "}.get(row.relation, "") + number


def _measured(test: Any, *, release: Release) -> Measured:
    """Return the measured number of a test. For a frozen release, it comes from the record."""
    frozen = {frozen_release(at, release) for at in (test.at, test.over_at) if at}
    known = expressions.recorded(frozen.pop(), test) if len(frozen) == 1 else None
    return known or measure(test, release=release)


def measure(test: Any, *, release: Release) -> Measured:
    """Return the measured number of a test, from the views' answers and published tables.

    Raises Missing if it needs a number that the release does not have.
    """
    ours = measured(test.measure, at=test.at, release=release)
    if test.accelerator:
        hour = _hour(test, release=release)
        return Measured(
            value=ours.value * hour.middle, low=ours.low * hour.low, high=ours.high * hour.high, level=None
        )
    if test.over_at:
        ours = divided(ours, measured(test.over_measure or test.measure, at=test.over_at, release=release))
    error = expressions.ratio_error(split(test.at)[0], test.measure)
    return replace(ours, low=ours.low / error, high=ours.high * error, level=LEVEL) if error > 1 else ours


def _hour(test: Any, *, release: Release) -> Listed:
    """Return the hourly list prices of a test's accelerator on the test's day. Raises Missing if there are none."""
    listed = rent(release.stands_on, test.accelerator, year=float(decimal_year([test.priced_on])[0]))
    if listed is None:
        raise Missing(f"no price of the {test.accelerator} of {test.priced_on:%B %Y} is known")
    return listed


def _priced(test: Any, *, release: Release) -> str:
    """Return a sentence on the list prices in a test."""
    hour = _hour(test, release=release)
    return (
        f"List prices of {test.priced_on:%B %Y} were ${hour.low:.2f} to ${hour.high:.2f} an hour at "
        f"{wording.counted(hour.providers, 'provider')}, median ${hour.middle:.2f}."
    )


def _part(test: Any, row: Any, *, release: Release) -> TestedPart:
    mark, opened = _known(test.value), test.test == OPEN
    against = Against(
        test="about" if opened else test.test,
        value=float(row.claimed_value) if mark is None else mark,
        high=_known(row.claimed_high if mark is None else test.high),
        claimed=mark is None,
    )
    ours, priced, on_page = None, "", test.at.startswith("/")
    kind = (MODEL if test.at.startswith(MODELS) else DATA) if on_page else PUBLISHED
    verdict, reason = "undecided", "no page here tests this part"
    try:
        ours = None if opened else _measured(test, release=release)
    except Missing as missing:
        verdict, reason = "not checkable", str(missing)
    if ours:
        priced = _priced(test, release=release) if test.accelerator else ""
        verdict, reason = judged_number(
            ours, unit=test.unit, against=against, tolerance=_known(test.tolerance)
        )
    return TestedPart(
        label=test.label,
        measured=ours,
        unit=test.unit,
        against=against,
        verdict=verdict,
        reason=reason,
        note=f"{priced} {test.note}".strip(),
        link="" if opened else pinned_link(test.at, release=release) or sources.address(test.source_id),
        tested_by="" if opened else kind,
        view=split(test.at)[0] if on_page else "",
    )


def tests() -> Iterable[Any]:
    """Return the tests of all claims, as rows of the newest table."""
    return standing.table("claim_tests").itertuples()


def _statement(row: Any, parts: tuple[TestedPart, ...]) -> Statement:
    links = [part.link for part in sorted(parts, key=lambda part: part.tested_by == PUBLISHED) if part.link]
    return Statement(
        claim_id=row.claim_id,
        article=row.claim_id[:2],
        statement=_signed(row.statement),
        topic=row.topic,
        claimed=_claimed(row),
        verdict=combined([part.verdict for part in parts], decided_share=thresholds().decided_share),
        parts=parts,
        ours="; ".join(_numbered([f"{part.label}: {part.text}" for part in parts])),
        why=_why(parts, computable=bool(row.computable), evidence=_signed(row.public_evidence)),
        tested_by=" and ".join(sorted({part.tested_by for part in parts if part.tested_by})) or "not tested",
        link=links[0] if links else "",
        by_hand=row.judged_by_hand,
        url=sources.address(row.source_id),
    )


@kept
def judged(release: Release) -> tuple[Statement, ...]:
    """Return every claim and its verdict at a release."""
    by_claim: defaultdict[str, list[Any]] = defaultdict(list)
    for test in tests():
        by_claim[test.claim_id].append(test)
    rows: Iterable[Any] = standing.table("claims").itertuples()
    return tuple(
        _statement(row, tuple(_part(test, row, release=release) for test in by_claim[row.claim_id]))
        for row in rows
    )
