"""Settings of /claims, and the finding on which published claims are supported."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

from analysis.claims.claimed_value import GROWTH, UNITS, claimed, forms
from data import sources, standing
from data.by_release import ByRelease
from data.releases import Release
from views import wording, written
from views.claims import words
from views.claims.cards import FIRST_CARDS, WORDS, alone, claims_address, own_card, statement_cards
from views.claims.exhibits import OFF, by_verdict, claimed_and_ours, short_title_of, statement_table, title_of
from views.claims.expressions import is_on_record
from views.claims.own_claim import NO_CLAIM, QUANTITIES, OwnClaim, own_claim
from views.claims.statements import ARTICLES, PUBLISHED, Statement, judged
from views.exhibits import count_figure
from views.result import Card, Exhibit, Figure, Source
from views.settings import Conflict, Option, choice, text
from views.sources import CURATION, EPOCH_AI
from views.view import Finding, ReleaseSettings, View, pinned

SETTING_WORDS = written.settings(__file__)
ARTICLE_OPTIONS: ByRelease[str, Option] = ByRelease(
    lambda: {name: (short_title_of(name), f"“{title_of(name)}”") for name in ARTICLES}
)
TOPIC_OPTIONS: ByRelease[str, Option] = ByRelease(
    lambda: {
        name: (wording.sentence_case(name), f"only {name}")
        for name in sorted(set(standing.table("claims")["topic"]))
    }
)
SEARCHED = attrgetter("claim_id", "statement", "topic", "claimed", "ours", "why")
IN_OUR_WORDS = "Claims are stated in our own words."


@dataclass(frozen=True, kw_only=True)
class ClaimSettings(ReleaseSettings):
    """Settings of /claims: the displayed claims, and the reader's own claim."""

    article: str = choice("all", computed=ARTICLE_OPTIONS, **SETTING_WORDS["article"])
    verdict: str = choice("all", **SETTING_WORDS["verdict"])
    find: str = text(**SETTING_WORDS["find"])
    quantity: str = choice(
        NO_CLAIM,
        computed={
            name: (item.label, item.words + (", growth" if item.unit == GROWTH else f" [{item.unit}]"))
            for name, item in QUANTITIES.items()
        },
        **SETTING_WORDS["quantity"],
    )
    value: str = text(**SETTING_WORDS["value"])
    topic: str = choice("all", computed=TOPIC_OPTIONS, **SETTING_WORDS["topic"])
    cards: str = choice(
        "few",
        {"few": (f"First {FIRST_CARDS}", "the most quoted"), "all": ("All", "one for every chosen claim")},
        **SETTING_WORDS["cards"],
    )
    statement: str = text(**SETTING_WORDS["statement"])

    def conflicts(self) -> tuple[Conflict, ...]:
        """Return conflicts for an unknown claim, or for a value that does not fit the chosen quantity."""
        conflicts: list[Conflict] = []
        if self.statement and self.statement not in standing.rows("claims", "claim_id"):
            conflicts.append(Conflict(names=("statement",), allowed="the number of a claim, such as S0-02"))
        if self.quantity != NO_CLAIM and self.value:
            unit = QUANTITIES[self.quantity].unit
            try:
                claimed(self.value, unit=unit)
            except ValueError:
                conflicts.append(Conflict(names=("value",), allowed=forms(unit)))
        return tuple(conflicts)

    def where_empty(self, name: str) -> str:
        """Return an example of the expected text, in the chosen quantity's unit."""
        if name == "value":
            return UNITS[QUANTITIES[self.quantity].unit if self.quantity in QUANTITIES else GROWTH]["example"]
        return super().where_empty(name)

    def around(self, name: str) -> tuple[str, str] | None:
        """Return the words around a control. The controls of the reader's own claim form one sentence."""
        grows = self.quantity not in QUANTITIES or QUANTITIES[self.quantity].grows
        quantity = ("I read that", "grows" if grows else "is")
        return {"quantity": quantity, "value": ("", "a year." if grows else ".")}.get(name)


def chosen(statements: Sequence[Statement], settings: ClaimSettings) -> tuple[Statement, ...]:
    """Return the claims on the chosen article and topic that contain every search word."""
    wanted = _plain(settings.find).split()
    return tuple(
        item
        for item in statements
        if settings.article in ("all", item.article)
        and settings.topic in ("all", item.topic)
        and all(word in _plain(" ".join(SEARCHED(item))) for word in wanted)
    )


def _plain(text: str) -> str:
    """Return a text normalized for comparison: lower case, with 5× as 5x and 28 % as 28%."""
    return text.casefold().replace("×", "x").replace(" %", "%")


def _figures(statements: Sequence[Statement]) -> tuple[Figure, ...]:
    """Return the number of claims with each verdict, for the pills that select one."""
    n = len(statements)
    counts = Counter(item.verdict for item in statements)
    tested = n - counts["not checkable"]
    of_verdicts = (
        count_figure(
            f"n_{verdict.replace(' ', '_')}",
            counts[verdict],
            label=label,
            interval_text=f"of {of} {what}",
            n=n,
        )
        for verdict, label in WORDS.items()
        for of, what in ((n, "claims") if verdict == "not checkable" else (tested, "tested"),)
    )
    return (count_figure("n_statements", n, label="Claims", n=n), *of_verdicts)


def _sources() -> tuple[Source, ...]:
    parts = ("title", "publisher", "url", "licence")
    lines = [sources.rows()[name] for name in ARTICLES.values()]
    return (EPOCH_AI, CURATION, *(Source(**{part: line[part] for part in parts}) for line in lines))


def build(settings: ClaimSettings, release: Release) -> Finding:
    """Return the chosen claims with their verdicts, and how many of them are supported."""
    everything = judged(release)
    if settings.statement:
        one = next(item for item in everything if item.claim_id == settings.statement)
        source = f"{settings.chosen_words('statement')}{words.source_line(release)}"
        return _of_one(one, release=release, source=source)
    statements = chosen(everything, settings)
    wanted = settings.verdict.replace("-", " ")
    shown = tuple(item for item in statements if wanted in ("all", item.verdict))
    own = own_claim(settings.quantity, value=settings.value, release=release)
    title = words.headline(statements)
    catch = words.subtitle(statements, article=settings.article, topic=settings.topic, find=settings.find)
    headline, subtitle = (own.headline, own.subtitle) if own else (title, catch)
    choices = settings.chosen_words("article", "verdict", "find", "quantity", "value", "topic")
    source = f"{choices}{words.source_line(release)}"
    waiting = (
        (f"Choose the quantity of “{settings.value}” to compare it.",) if settings.value and not own else ()
    )
    return Finding(
        headline=headline,
        subtitle=subtitle,
        figures=(*((own.figure,) if own else ()), *_figures(statements)),
        cards=(*own_card(own), *_cards(shown, settings, own=own, release=release)),
        exhibits=(
            _first(
                own.row if own else None,
                statements,
                title=headline,
                source=source,
                numbers=statement_table(shown, own),
            ),
        ),
        settings_line=source,
        notes=(*waiting, IN_OUR_WORDS),
        sure=(*((f"{title}. {catch}",) if own else ()), *_sure(statements)),
        changes=(
            "Verdicts are computed from the chosen release, so new data may change them.",
            "A claim is mixed if its tests disagree, because the answer then depends on the case.",
        ),
        sources=_sources(),
    )


def _of_one(item: Statement, *, release: Release, source: str) -> Finding:
    """Return the finding on a single claim."""
    headline = words.of_one(item)
    return Finding(
        headline=headline,
        subtitle=words.under_one(item),
        figures=_figures((item,)),
        cards=(alone(item, release=release),),
        exhibits=(_first(item, (item,), title=headline, source=source, numbers=statement_table((item,))),),
        settings_line=source,
        notes=(IN_OUR_WORDS,),
        sources=_sources(),
    )


def _first(item: Statement | None, statements: Sequence[Statement], **shown: Any) -> Exhibit:
    """Return an exhibit of the chosen claim beside our numbers or, if none is chosen, of claims by verdict."""
    return (claimed_and_ours(item, **shown) if item else None) or by_verdict(statements, **shown)


def _cards(
    shown: Sequence[Statement], settings: ClaimSettings, *, own: OwnClaim | None, release: Release
) -> tuple[Card, ...]:
    """Return cards of the claims. Beside a reader's own claim, a link replaces the claims unless they are filtered."""
    if settings.cards == "all":
        return statement_cards(shown, release=release, most=len(shown))
    filtered = {settings.verdict, settings.article, settings.topic, settings.find or "all"} != {"all"}
    most = 0 if own and own.row and not filtered else FIRST_CARDS
    default = type(settings)().described()
    described = replace(settings, cards="all").described()
    query = {name: text for name, text in described.items() if text != default[name] and name != "release"}
    return statement_cards(
        shown,
        release=release,
        most=most,
        rest=claims_address(release=release, **query),
        lead="" if most else f"{words.headline(shown)}.",
    )


def _sure(statements: Sequence[Statement]) -> tuple[str, ...]:
    """Return sentences about what the verdicts are based on."""
    kinds = Counter(item.tested_by.replace(PUBLISHED, f"a {PUBLISHED}") for item in statements if item.parts)
    several = sum(kinds.pop(kind) for kind in [*kinds] if " and " in kind)
    bases = [f"on {kind} for {wording.counted(count, 'claim')}" for kind, count in kinds.most_common()]
    verb = "verdict is" if several == 1 else "verdicts are each"
    also = f" The other {verb} based on more than one of these kinds of evidence." if several else ""
    return (
        *((f"Verdicts are based {wording.listed(bases)}.{also}",) if bases else ()),
        f"{OFF} A claim is undecided if our numbers neither support nor contradict it.",
        "A claim that cannot be checked is not necessarily wrong.",
    )


def must_ask_views(settings: ReleaseSettings) -> bool:
    """Return whether the verdicts must be computed from other views, because they are not recorded."""
    return not is_on_record(pinned(settings).release)


VIEW = View(
    settings=ClaimSettings, build=build, expensive=must_ask_views, **written.page(__file__, path="/claims")
)
