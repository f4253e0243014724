"""What the page says of statements and their verdicts: headline, what it leaves open, source line."""

from collections import Counter
from collections.abc import Sequence

from data.releases import Release
from views import wording
from views.claims.cards import NO_NUMBER
from views.claims.exhibits import title_of
from views.claims.statements import Statement

MOST_WORDS = 12


def headline(statements: Sequence[Statement]) -> str:
    """Return how many statements hold of those that can be tested."""
    if not statements:
        return "No statement fits these choices"
    counts = Counter(item.verdict for item in statements)
    tested = len(statements) - counts["not checkable"]
    if not tested:
        return "None of these published statements can be tested"
    if tested == 1:
        return f"The one testable published statement {'holds' if counts['supported'] else 'does not hold in full'}"
    verb = "holds" if counts["supported"] == 1 else "hold"
    return f"{counts['supported']} of {tested} testable published statements {verb}"


def subtitle(statements: Sequence[Statement], *, article: str, topic: str, find: str) -> str:
    """Return the other verdicts, and which statements were counted."""
    if not statements:
        return f"Nothing has all of “{find}”: try fewer words." if find else "Choose all articles and topics."
    counts = Counter(item.verdict for item in statements)
    about = "" if topic == "all" else f" on {topic}"
    words = f" with “{find}”" if find else ""
    where = "in five articles" if article == "all" else f"in “{title_of(article)}”"
    verdicts = [
        _number(counts["off"], plural="are off", singular="is off"),
        _number(counts["wrong"], plural="are wrong", singular="is wrong"),
        _number(counts["not checkable"], plural="cannot be checked", singular="cannot be checked"),
    ]
    said = f"{', '.join(verdicts[:-1])} and {verdicts[-1]}"
    return f"Of {wording.counted(len(statements), 'statement')}{about}{words} {where}, {said}."


def _number(count: int, *, plural: str, singular: str) -> str:
    return f"{count} {singular if count == 1 else plural}"


def of_one(item: Statement) -> str:
    """Return the verdict on one statement and the statement, cut where it is long."""
    words = f"{wording.sentence_case(item.verdict)}: {item.statement}".split()
    return " ".join(words if len(words) <= MOST_WORDS else [*words[: MOST_WORDS - 1], "…"])


def under_one(item: Statement) -> str:
    """Return what is claimed and what we find, in one line."""
    found = " and ".join(part.text for part in item.parts)
    if not found:
        return f"From “{title_of(item.article)}”; no view or published figure here tests it."
    return f"Ours: {found}." if item.claimed == NO_NUMBER else f"Claimed: {item.claimed}; ours: {found}."


def source_line(release: Release) -> str:
    """Return where the numbers come from."""
    return f"Data: Epoch AI (CC BY 4.0), curated, release {release.name}; published figures."
