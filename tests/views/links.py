"""Settings and links drawn at random for the tests of the views."""

from random import Random

from hypothesis import strategies as st

from scripts.same_results import random_query
from tests.length import LONG, at_length
from views.deck import RELEASE_SETTING, Deck, Item
from views.registry import VIEWS
from views.setting_kinds import Choice, Decimal, Month, Setting, Text, WholeNumber
from views.settings import definitions
from views.view import ReleaseSettings, View, read

CORPUS = at_length(200, few=7)
"""Links of a view that the laws over its answers are tried on."""
DEAR = ("/training-run", "/cost-of-tokens", "/placement", "/story", "/claims")
"""Views whose answers take longest; `make test` tries two links fewer of each."""


def value_texts(setting: Setting) -> st.SearchStrategy[str]:
    """Return what a link may say for a setting."""
    if isinstance(setting, Choice):
        return st.sampled_from(list(setting.options))
    if isinstance(setting, WholeNumber):
        return _or_empty(setting, st.integers(int(setting.low), int(setting.high)).map(str))
    if isinstance(setting, Decimal):
        return _or_empty(setting, st.decimals(str(setting.low), str(setting.high), places=3).map(str))
    if isinstance(setting, Month):
        years = st.integers(setting.low, setting.high).map(str)
        months = st.tuples(years, st.integers(1, 12)).map(lambda pair: f"{pair[0]}-{pair[1]:02d}")
        return st.one_of(years, months, *([st.just(setting.unbounded)] if setting.unbounded else []))
    assert isinstance(setting, Text)
    return st.text(
        st.characters(categories=("L", "N", "P", "S", "Zs"), include_characters=" "), max_size=setting.longest
    ).filter(str.isprintable)


def _or_empty(setting: WholeNumber | Decimal, texts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(st.just(""), texts) if setting.unset else texts


def queries(view: View) -> st.SearchStrategy[dict[str, list[str]]]:
    """Return valid queries that give any part of a view's settings."""
    known = definitions(view.settings)
    return st.fixed_dictionaries(
        {}, optional={name: value_texts(setting).map(lambda text: [text]) for name, setting in known.items()}
    )


def settings(view: View) -> st.SearchStrategy[ReleaseSettings]:
    """Return sound settings of a view."""

    return queries(view).map(lambda query: read(view, query)[0])


def decks(*, fewest: int = 0) -> st.SearchStrategy[Deck]:
    """Return decks of up to six views, each with any choices."""
    items = st.sampled_from(list(VIEWS.values())).flatmap(
        lambda view: settings(view).map(lambda chosen: Item(view=view, settings=chosen))
    )
    title = st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=100)
    return st.builds(
        Deck,
        items=st.lists(items, min_size=fewest, max_size=6, unique_by=lambda item: item.link).map(tuple),
        title=title.map(str.strip).filter(lambda text: text and text.isprintable()),
        release=st.sampled_from(list(RELEASE_SETTING.options)),
    )


def corpus(view: View, *, most: int = CORPUS) -> list[dict[str, list[str]]]:
    """Return the first of the queries that all laws over answers share, so that each is answered once.

    The bare link comes first, then random choices and choices at the edge of what a link may say, in turn.
    """
    ordinary = drawn(view, count=1 + CORPUS // 2)
    edges = drawn(view, count=1 + CORPUS // 2, seed=15, share=0.4, edges=True)[1:]
    others = [query for pair in zip(ordinary[1:], edges, strict=True) for query in pair]
    return [ordinary[0], *others][: min(most, CORPUS if LONG or view.path not in DEAR else CORPUS - 2)]


def drawn(
    view: View, *, count: int, seed: int = 0, share: float = 0.3, edges: bool = False
) -> list[dict[str, list[str]]]:
    """Return queries, the bare one first, then each giving every setting with the chance ``share``; the same always.

    With ``edges``, half of the numbers and dates are at or beside the smallest or the largest a link may say.
    """
    random = Random(f"{view.path}{seed}")
    edge = 0.5 if edges else 0.0
    queries = (random_query(view, random, share=share, edge=edge) for _ in range(count - 1))
    return [{}, *({name: [text] for name, text in query.items()} for query in queries)]
