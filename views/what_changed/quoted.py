"""Check of whether a quoted number or link is still valid."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from data import records
from data.records import RecordedFigure
from data.release_name import order
from data.releases import load
from views.claims.expressions import views
from views.result import Card, CardLink, Fact
from views.short_link.digits import LONGEST_TEXT
from views.view import SHORT, ReleaseSettings, View, answer, at_release, link, pinned, short, split
from views.what_changed.pairs import RETOLD, Pair, figures_of, on_record, paired, recorded

MOST_CARDS = 8
MOST_FACTS = 3
SIGNS = {"x": "×", "times": "×", "percent": "%"}
NUMBER = re.compile(
    r"(\$)?\s?(?P<number>\d[\d,]*(?:\.\d+)?)(?:\s?(?P<sign>×(?!\s?10)|(?:x|times)\b|%|percent\b))?"
    r"(?:\s?(?P<many>million|billion|trillion|quadrillion))?",
    re.IGNORECASE,
)
"""A number in the style of pages and readers: $1.42, 4.7×, 4.7x, 28%, 69 million."""
LINK = re.compile(r"/|https?://|[\w-]+(\.[\w-]+)*\.[a-z]+(:\d+)?/", re.IGNORECASE)


Quote = tuple[str, tuple[Card, ...], Sequence[Pair]]
"""Result for a quoted text: a headline, cards of the first figures, and all figures then and now."""


def shortened(text: str) -> str:
    """Return pasted text, shortened if it is long. A link is replaced by its short form."""
    try:
        if len(text) <= LONGEST_TEXT or not LINK.match(text):
            return text[:LONGEST_TEXT]
        ((view, settings),) = named(text)
    except ValueError:
        return text[:LONGEST_TEXT]
    return short(view, settings)


def named(text: str) -> tuple[tuple[View, ReleaseSettings], ...]:
    """Return the views that a link names, with their settings: one view, or those in a deck.

    Raises ValueError if the link has no view or an invalid part; the message states the fault.
    """
    from views import deck, resolve

    path, query = split(text if text.startswith("/") or "://" in text else f"https://{text}")
    if path.startswith(SHORT):
        path, query = split(deck.follow(path.removeprefix(SHORT), query=query))
    if path == deck.PATH:
        return tuple((item.view, item.settings) for item in deck.parse_deck(query)[0].items)
    by_file = {f"/{view.name}": view.path for view in views().values()}
    path = by_file.get(re.sub(r"\.[a-z]+$", "", path), path)
    if path not in views() or (path, query) == ("/", ""):
        raise ValueError("The link does not lead to a page of this site. Copy the link from Share.")
    return (resolve.view_and_settings(f"{path}?{query}"),)


def quote(text: str, *, release: str) -> Quote:
    """Return what became of a quoted number or link. Raises ValueError for other text."""
    if LINK.match(text):
        return _of_link(text, release=release)
    match = NUMBER.match(text.lstrip("~≈<>≤≥ "))
    if match is None:
        raise ValueError(
            "That is neither a link of this site nor a number. Paste a link, or a number such as 4.7x."
        )
    return _of_number(match, release=release)


def _of_link(text: str, *, release: str) -> Quote:
    cards: list[Card] = []
    every: list[Pair] = []
    for view, settings in named(text):
        was, then = answer(view, settings), at_release(view, settings, release=release)
        now = recorded(answer(view, then)) if then.release == release else ()
        pairs = paired(view, was=recorded(was), now=now, links=(link(view, settings), link(view, then)))
        notes = was.moved_notes[:1]
        if was.release == release:
            notes = (*notes, f"The link uses release {release}, the newest.")
        cards += [_card(pair, others=pairs[1:MOST_FACTS], text=" ".join(notes)) for pair in pairs[:1]]
        every += pairs
    if not every:
        raise ValueError("The link does not lead to a page with figures. Paste the link of another page.")
    moved = sum(pair.outside for pair in every)
    deck = f"{moved} of {len(every)} figures of the deck left their interval"
    return deck if len(cards) > 1 else _headline(every[0]), tuple(cards), every


def _of_number(match: re.Match[str], *, release: str) -> Quote:
    words = match.group().strip()
    newest = {row.key[::2]: row for row in _shown(until=release) if _matches(match, row)}
    if not newest:
        raise ValueError(
            f"No page shows {words} at its default settings. Paste the link from which you quoted it."
        )
    by_name = {view.name: view for view in views().values()}
    pairs = []
    for (name, figure), was in newest.items():
        view = by_name[name]
        now = next((one for one in figures_of(view, release=load(release)) if one.figure == figure), None)
        before, after = (f"{view.path}?release={one}" for one in (was.release, release))
        pairs.append(Pair(view=view, was=was, now=now, link_before=before, link=after))
    pairs.sort(key=lambda pair: (not pair.was.is_key, not pair.same))
    many = f"{words} matches {len(pairs)} figures; {sum(pair.same for pair in pairs)} are unchanged"
    return many if len(pairs) > 1 else _headline(pairs[0]), tuple(map(_card, pairs[:MOST_CARDS])), pairs


def _headline(pair: Pair) -> str:
    return f"{pair.was.label}, {pair.was.text}: {pair.verdict[0].lower()}{pair.verdict[1:]}"


def _shown(*, until: str) -> Iterator[RecordedFigure]:
    """Yield every figure recorded up to a release, oldest first, each preceded by its former value."""
    names = {view.name for view in views().values() if view.path not in RETOLD}
    former = {(one.view, one.release, one.figure): one.was for one in records.moves() if one.kind == "method"}
    for (view, release), figures in on_record().items():
        if view in names and order(release) <= order(until):
            for row in figures:
                yield replace(row, text=former.get(row.key, row.text), interval="", value=None)
                yield row


def _matches(quoted: re.Match[str], figure: RecordedFigure) -> bool:
    """Return whether a quoted number may be a figure's value, or a growth factor as a percentage."""
    (number, digits), sign = _number(quoted), _sign(quoted)
    if (
        sign == "%"
        and figure.unit == "x/year"
        and round(100 * abs((figure.value or 0) - 1), digits) == number
    ):
        return True
    shown = NUMBER.search(figure.text)
    if shown is None or sign not in ("", _sign(shown)) or quoted["many"] not in (None, shown["many"]):
        return False
    value, places = _number(shown)
    common = min(digits, places) if places else digits
    return round(value, common) == round(number, common)


def _number(match: re.Match[str]) -> tuple[float, int]:
    """Return the matched number and its count of decimals."""
    return float(match["number"].replace(",", "")), len(match["number"].partition(".")[2])


def _sign(match: re.Match[str]) -> str:
    sign = (match["sign"] or "").lower()
    return match[1] or SIGNS.get(sign, sign)


def _card(pair: Pair, *, others: Sequence[Pair] = (), text: str = "") -> Card:
    """Return a card on a figure's change, with a line for each of ``others``."""
    values = {f"As quoted, {pair.was.release}": (pair.was, pair.link_before)}
    if pair.now:
        values = values if pair.now.release != pair.was.release else {}
        values[f"Now, {pair.now.release}"] = (pair.now, pair.link)
    facts = [Fact(label=words, text=one.text, note=one.interval) for words, (one, _) in values.items()]
    facts += [Fact(label=one.was.label, text=one.was.text, note=one.verdict) for one in others]
    return Card(
        name=f"{pair.was.view}-{pair.was.figure}",
        title=pair.name,
        verdict=pair.verdict,
        tone=pair.tone,
        facts=tuple(facts),
        text=" ".join(filter(None, [text, pair.why and f"Why: {pair.why}."])),
        links=tuple(CardLink(address=address, text=words) for words, (_, address) in values.items()),
    )


def expensive(text: str) -> bool:
    """Return whether the text is a link with answers that are expensive to compute."""
    try:
        return bool(LINK.match(text)) and any(
            view.takes_long(pinned(settings)) for view, settings in named(text)
        )
    except ValueError:
        return False
