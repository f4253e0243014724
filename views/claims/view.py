"""Which published statements about the gap hold?"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from analysis.claims.claimed_value import GROWTH, claimed, forms
from data import sources, standing
from data.releases import Release, latest
from views import wording
from views.claims.exhibits import WORDS, by_article, by_verdict, contradictions, short_title_of, title_of
from views.claims.own_claim import NO_CLAIM, QUANTITIES, own_claim
from views.claims.statements import ARTICLES, Statement, judged
from views.result import Figure, Source
from views.settings import Conflict, choice, text
from views.sources import CURATION, EPOCH_AI
from views.view import LATEST, Finding, ReleaseSettings, View

TOPICS = tuple(sorted(set(standing.table("claims")["topic"])))


@dataclass(frozen=True, kw_only=True)
class ClaimSettings(ReleaseSettings):
    """Which statements are shown, and what a reader claims."""

    article: str = choice(
        "all",
        {
            "all": ("All articles", "all five articles"),
            **{name: (short_title_of(name), f"“{title_of(name)}”") for name in ARTICLES},
        },
        label="Article",
        help="Whose statements are shown.",
        first_row=True,
    )
    verdict: str = choice(
        "all",
        {
            "all": ("All verdicts", "every verdict"),
            "supported": ("Supported", "what holds"),
            "off": ("Off", "what is off by up to a factor of two, unclear, or holds in part only"),
            "wrong": ("Wrong", "what is off by more, or points the other way"),
            "not-checkable": ("Not checkable", "what no view or published figure here can test"),
        },
        label="Verdict",
        help="Which rows the table shows; the counts are of all.",
        first_row=True,
    )
    find: str = text(
        label="Find", help="Shows only statements that hold these words, in any case.", group="Data"
    )
    quantity: str = choice(
        NO_CLAIM,
        {
            NO_CLAIM: ("None", "no claim of your own"),
            **{
                name: (item.label, item.words + (", growth" if item.unit == GROWTH else f" [{item.unit}]"))
                for name, item in QUANTITIES.items()
            },
        },
        label="Your claim: quantity",
        help="A quantity to hold a claim of your own against.",
        first_row=True,
    )
    value: str = text(
        label="Your claim: value",
        help="The value you claim, as you would say it: 28 %, >2x, 15-20x, 2x every 2 years, 3.35 TB/s. A number "
        "alone is times a year for growth, else in the unit of the quantity.",
        first_row=True,
    )
    topic: str = choice(
        "all",
        {
            "all": ("All topics", "every topic"),
            **{name: (wording.sentence_case(name), f"only {name}") for name in TOPICS},
        },
        label="Topic",
        help="What the statements are about.",
        group="Data",
    )

    def conflicts(self) -> tuple[Conflict, ...]:
        """Return the conflict of a value that is no number of the quantity, if it is none."""
        if self.quantity == NO_CLAIM or not self.value:
            return ()
        unit = QUANTITIES[self.quantity].unit
        try:
            claimed(self.value, unit=unit)
        except ValueError:
            return (Conflict(names=("value",), allowed=forms(unit)),)
        return ()


def chosen(statements: Sequence[Statement], settings: ClaimSettings) -> tuple[Statement, ...]:
    """Return the statements of the article and topic that hold every word searched for, of any verdict."""
    words = _plain(settings.find).split()
    return tuple(
        item
        for item in statements
        if settings.article in ("all", item.article)
        and settings.topic in ("all", item.topic)
        and all(word in _searched(item) for word in words)
    )


def _searched(item: Statement) -> str:
    fields = (item.claim_id, item.statement, item.topic, item.claimed, item.ours, item.why)
    return _plain(" ".join(fields))


def _plain(text: str) -> str:
    """Return a text as it is compared: in one case, and 5× as 5x."""
    return text.casefold().replace("×", "x")


def summary(statements: Sequence[Statement], settings: ClaimSettings) -> str:
    """Return the verdicts in one sentence that can be quoted."""
    if not statements and settings.find:
        return f"No statement here has all of “{settings.find}”: try fewer words"
    if not statements:
        return "No statement fits these choices"
    counts = Counter(item.verdict for item in statements)
    where = "in five articles" if settings.article == "all" else f"in “{title_of(settings.article)}”"
    about = "" if settings.topic == "all" else f" on {settings.topic}"
    words = f" with “{settings.find}”" if settings.find else ""
    holding = _number(counts["supported"], plural="hold", singular="holds")
    off = _number(counts["off"], plural="are off", singular="is off")
    wrong = _number(counts["wrong"], plural="are wrong", singular="is wrong")
    return (
        f"Of {wording.counted(len(statements), 'statement')}{about}{words} {where}, {holding}, {off} and {wrong}; "
        f"{counts['not checkable']} cannot be checked from data"
    )


def _number(count: int, *, plural: str, singular: str) -> str:
    return f"{count} {singular if count == 1 else plural}"


def _figures(statements: Sequence[Statement]) -> tuple[Figure, ...]:
    counts = Counter(item.verdict for item in statements)
    return tuple(
        Figure(
            name=f"n_{name.replace(' ', '_')}",
            label=words,
            value=float(counts[name]),
            unit="",
            text=f"{counts[name]}",
            interval_text=f"of {len(statements)}",
            n=len(statements),
        )
        for name, words in WORDS.items()
    )


def _sources() -> tuple[Source, ...]:
    lines = [sources.rows()[name] for name in ARTICLES.values()]
    articles = tuple(
        Source(title=line["title"], publisher=line["publisher"], url=line["url"], licence=line["licence"])
        for line in lines
    )
    return (EPOCH_AI, CURATION, *articles)


def build(settings: ClaimSettings, release: Release) -> Finding:
    """Return the statements with their verdicts, how many hold, and which contradict each other."""
    everything = judged(release)
    statements = chosen(everything, settings)
    wanted = settings.verdict.replace("-", " ")
    shown = tuple(item for item in statements if wanted in ("all", item.verdict))
    own = own_claim(settings.quantity, value=settings.value, release=release)
    sentence = summary(statements, settings)
    if wanted == "all":
        counted = f"{wording.counted(len(shown), 'statement')} shown, every verdict."
    else:
        counted = (
            f"The table shows the {len(shown)} of verdict “{wanted}”; verdicts are counted over all "
            + (f"{wording.counted(len(statements), 'statement')}.")
        )
    source = f"{counted} Data: Epoch AI (CC BY 4.0), curated, release {release.name}; published figures."
    notes = []
    if own:
        notes.append(f"{sentence}.")
    elif settings.value:
        notes.append(
            f"“{settings.value}” is held against nothing yet: choose the quantity that you claim it of."
        )
    if not shown:
        notes.append("No statement fits; choose all articles and topics, every verdict, or fewer words.")
    resting = Counter(item.tested_by for item in statements if item.parts)
    if resting:
        kinds = ", ".join(f"{count} by {kind}" for kind, count in resting.most_common())
        notes.append(f"Tested {kinds}; the table marks which.")
    notes.append("An article's statement is in our words; what cannot be checked is not thereby wrong.")
    return Finding(
        headline=own.headline if own else sentence,
        figures=(*((own.figure,) if own else ()), *_figures(statements)),
        exhibits=(
            by_verdict(statements, shown, own=own, title=sentence, source=source),
            *((by_article(statements, source=source),) if settings.article == "all" and statements else ()),
            *contradictions(statements, everything, source=source),
        ),
        settings_line=source,
        notes=tuple(notes),
        sources=_sources(),
    )


def dear(settings: ClaimSettings) -> bool:
    """Return whether views are asked whose fits are not at hand: those of the newest release are made at the start."""
    return settings.release not in (LATEST, latest())


VIEW = View(
    path="/claims",
    title="Claims",
    question="Which published statements hold?",
    settings=ClaimSettings,
    build=build,
    dear=dear,
    method=(
        "Each statement that a view can test carries that view's link, the number it is held against, and a "
        "test. The verdict is computed from them at the chosen release, so a new release can change it. Where "
        "no view speaks but a published figure does, that figure is used. The table says which it was: our data, our "
        "model of hardware and work, or a published figure.",
        "A number given as “about” is supported inside our interval or within a tenth of our value (specifications: "
        "within 1 %), off up to a factor of two, wrong beyond. Growth rates are compared by their logarithms. "
        "“More than” and “less than” are supported when all of our interval is on that side. A direction "
        "(grows, falls) is off where our interval reaches both sides, wrong on the other side. A statement with "
        "several tests takes their common verdict; where they differ it is off: it depends.",
        "Statements that no view and no published figure here can test are not checkable; the reason column then "
        "gives what public sources said when the list was made. The column “judged by hand earlier” is from that "
        "time and changes nothing.",
    ),
)
