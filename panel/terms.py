"""Technical terms in body text, explained and linked to the glossary where they first occur."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache, lru_cache

from markupsafe import Markup, escape

from views.methods import text as methods
from views.result import Card

LINK = f"{methods.PATH}#glossary"
_meaning = cache(methods.meaning_of)
_TERM = Markup('<a class="term" href="{}" aria-description="{}">{}</a>')
_WITHIN = r"\w=/·-"
"""Characters that join a word beside them into a longer word."""
_WHOLE = re.compile(r"[^\s–]*\d[^\s–]*–\d\S*|\bS\d-\d\d\b")
_WORD = re.compile(rf"(?<![{_WITHIN}])[A-Za-z]+")


def as_set(text: str) -> str:
    """Return text in the page's typography, without a space before a percent sign."""
    return text.replace(" %", "%")


@lru_cache(maxsize=4096)
def together(text: str) -> Markup:
    """Return a text as HTML without breaks in ranges such as 93–99% and claim numbers such as S2-10."""
    return Markup(_WHOLE.sub(r'<span class="range">\g<0></span>', str(escape(as_set(text)))))


class Reader:
    """What a reader has seen of a page from the top, so that each term is explained only once."""

    def __init__(self) -> None:
        self._known: set[str] = set()

    def text(self, text: str) -> Markup:
        """Return a text as HTML, with explanations of the terms that are new on the page."""
        return Markup("").join(self._parts(text))

    def texts(self, texts: Iterable[str]) -> list[Markup]:
        """Return several texts as HTML, in reading order."""
        return [self.text(text) for text in texts]

    def card(self, card: Card) -> Card:
        """Return a card with the terms in its facts and text explained. Its title is unchanged."""
        facts = tuple(
            replace(fact, label=self.text(fact.label), note=self.text(fact.note)) for fact in card.facts
        )
        return replace(card, facts=facts, text=self.text(card.text))

    def _parts(self, text: str) -> Iterator[str]:
        for words, entry in _split_at_terms(as_set(text)):
            if not entry or entry in self._known:
                yield together(words)
                continue
            self._known.add(entry)
            yield _TERM.format(LINK, _meaning(entry), words)


@lru_cache(maxsize=4096)
def _split_at_terms(text: str) -> tuple[tuple[str, str], ...]:
    """Return a text in pieces, each with its glossary entry if it is a term."""
    pieces: list[tuple[str, str]] = []
    at = 0
    for word in _WORD.finditer(text):
        if word.start() < at:
            continue
        for form, entry in _forms().get(word.group().lower(), ()):
            if match := form.match(text, word.start()):
                pieces += [(text[at : match.start()], ""), (match.group(), entry)]
                at = match.end()
                break
    return *((words, entry) for words, entry in pieces if words), (text[at:], "")


@cache
def _forms() -> dict[str, list[tuple[re.Pattern[str], str]]]:
    """Return the pattern and entry of each form of a term, keyed by its initial letters, longest form first."""
    forms = [(entry, form) for entry, forms in methods.FORMS.items() for form in forms]
    by_letters: dict[str, list[tuple[re.Pattern[str], str]]] = {}
    for entry, form in sorted(forms, key=lambda pair: len(pair[1]), reverse=True):
        start = re.split("[^A-Za-z]", form)[0].lower()
        for letters in (start, f"{start}s", f"{start}es"):
            by_letters.setdefault(letters, []).append((_pattern(form), entry))
    return by_letters


def _pattern(form: str) -> re.Pattern[str]:
    """Return a pattern for a form and its plural. Case matters except at the start of a sentence."""
    first, rest = form[0], re.escape(form[1:])
    starts = first if first.isupper() else f"[{first}{first.upper()}]"
    return re.compile(rf"{starts}{rest}(?:e?s)?(?![{_WITHIN}])")
