"""Headline, subtitle and source line for claims and verdicts."""

from collections import Counter
from collections.abc import Sequence

from analysis.claims.verdict import VERDICTS, Verdict
from data.releases import Release
from views import wording
from views.claims.cards import WORDS
from views.claims.exhibits import title_of
from views.claims.statements import Statement, TestedPart

TOLD = ("supported", "not checkable")
"""Verdicts that the subtitle does not count."""


def headline(statements: Sequence[Statement]) -> str:
    """Return a headline on how many testable claims are supported."""
    if not statements:
        return "No claim matches these choices"
    counts = Counter(item.verdict for item in statements)
    tested = len(statements) - counts["not checkable"]
    if not tested:
        return "None of these published claims can be tested"
    if tested == 1:
        return f"The one testable claim {'holds' if counts['supported'] else 'does not hold in full'}"
    verb = "holds" if counts["supported"] == 1 else "hold"
    return f"{counts['supported']} of {tested} testable published claims {verb}"


def subtitle(statements: Sequence[Statement], *, article: str, topic: str, find: str) -> str:
    """Return a subtitle with the number of claims for each verdict that the headline does not give."""
    if not statements and find:
        return f"No claim contains all of “{find}”. Try fewer words."
    if not statements:
        return "Choose all sources and topics."
    counts: Counter[Verdict] = Counter(item.verdict for item in statements)
    about = "" if topic == "all" else f" on {topic}"
    words = f" with “{find}”" if find else ""
    every = wording.counted(len({item.article for item in statements}), "source")
    where = f"from {every}" if article == "all" else f"in “{title_of(article)}”"
    untested = counts["not checkable"]
    others: list[Verdict] = [verdict for verdict in VERDICTS if counts[verdict] and verdict not in TOLD]
    verdicts = [f"{counts[one]} {'is' if counts[one] == 1 else 'are'} {WORDS[one].lower()}" for one in others]
    summary = wording.listed(verdicts) or "all hold"
    of = f"Of {wording.counted(len(statements), 'claim')}{about}{words} {where}"
    if not untested:
        return f"{of}, {summary}."
    if untested == len(statements):
        return f"{of}, none can be tested."
    rest = wording.counted(len(statements) - untested, "claim")
    return f"{of}, {untested} cannot be tested. Of the other {rest}, {summary}."


def of_one(item: Statement) -> str:
    """Return a headline on one claim, as in "mixed: claimed 28%, ours 32%"."""
    verdict = WORDS[item.verdict]
    known = [part for part in item.parts if part.measured]
    numeric = any(letter.isdigit() for letter in item.claimed)
    if not known:
        return wording.fitting(
            *((f"{verdict}: claimed {item.claimed}, but no number here can test it",) if numeric else ()),
            "Not checkable: no page or published figure here can test it",
        )
    compared = [part for part in known if part.against.claimed] if numeric else []
    if not compared:
        return wording.fitting(
            *(f"{verdict}: {part.label}, {part.number}" for part in known), f"{verdict}: ours {_span(known)}"
        )
    ours = f"ours {_span(compared)}"
    return wording.fitting(
        f"{verdict}: claimed {item.claimed}, {ours}",
        f"{verdict}: claimed {item.claimed.removesuffix(' a year')}, {ours}",
        f"{verdict}: {ours}",
    )


def _span(parts: Sequence[TestedPart]) -> str:
    """Return our number as text. If several tests share a unit, it is the range of their numbers."""
    if len({part.unit for part in parts}) > 1:
        return parts[0].number
    order = sorted(parts, key=lambda part: part.measured.value if part.measured else 0.0)
    least, most = order[0].number, order[-1].number
    if least == most:
        return least
    ends = wording.interval(least.removesuffix(" a year"), most.removesuffix(" a year"))
    return f"{ends} a year" if most.endswith(" a year") else ends


def under_one(item: Statement) -> str:
    """Return a subtitle with the claim and our number in each of its tests."""
    known = [part for part in item.parts if part.measured] or item.parts
    texts = wording.listed([part.text for part in known])
    if not texts:
        return f"“{item.statement}” cannot be tested by a page or a published figure here."
    return f"The claim is “{item.statement}”. We find {texts}."


def source_line(release: Release) -> str:
    """Return a line that names the data and the release."""
    return f"Data: Epoch AI (CC BY 4.0), curated, {release.words}; published figures."
