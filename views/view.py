"""Base of all views. A view is a link, and every format of it shows the same result."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from typing import Any
from urllib.parse import parse_qs, urlencode

from data import records
from data.records import Move, moved_by_method
from data.releases import Release, is_frozen, latest, load, names, reading
from views import written
from views.comparison import PINNED, Side, compared
from views.compute_pool import check_cancelled
from views.every_option import MOST_OPTIONS, OptionAnswer, every_option
from views.kept import store_of
from views.lazy_sequence import LazySequence
from views.note import BY, Note
from views.result import Exhibit, Figure, Finding, Result
from views.setting_kinds import Choice, SettingError
from views.settings import Ignored, Option, Settings, choice, definitions, parse
from views.short_link.letters import ShortLinkError
from views.short_link.token import meaning, token
from views.sources import CURATION, EPOCH_AI
from views.wording import month_words, release_words, sentence_case

WORDS = written.settings(__file__)
LATEST = "latest"
SHORT = "/v/"
"""Path prefix of short links."""
EVERY = "every:"
"""Prefix of ``vs`` in a comparison of all options of a setting. The setting's name follows it."""


def _releases() -> dict[str, Option]:
    return {name: (release_words(name), f"the release of {name}, frozen") for name in names()}


@dataclass(frozen=True, kw_only=True)
class ReleaseSettings(Settings):
    """Settings of every view: the data release, a comparison, and a note."""

    release: str = choice(LATEST, computed=_releases, **WORDS["release"])
    vs: str = ""
    """What to compare with: another answer's settings as a short token, or a setting whose options are all compared,
    such as every:precision. Empty without a comparison."""
    note: str = ""
    """The sender's note, in the format of :mod:`views.note`. Empty if there is none."""

    def described(self) -> dict[str, str]:
        """Return every setting as written in a link, and any comparison and note."""
        more = {"vs": self.vs, "note": self.note}
        return super().described() | {name: text for name, text in more.items() if text}

    def reading(self) -> AbstractContextManager[None]:
        """Return a context with the options and applicable settings of the chosen release."""
        return reading(pinned(self).release)


SHARE, BRIEFING, PRESENT = "#share", "/deck", "/deck?present=1"


@dataclass(frozen=True, kw_only=True)
class Door:
    """A follow-up action on a finding: a two-word label, a description, and a destination.

    ``to`` is one of our pages, :data:`SHARE` for the links and citations of the view itself, :data:`BRIEFING` for a
    deck prepared from its choices, or :data:`PRESENT` for that deck in full screen.
    """

    text: str
    gives: str
    to: str


@dataclass(frozen=True, kw_only=True)
class View:
    """A question: its address, its settings, and the pure function that answers it.

    ``expensive`` returns whether the answer for some settings may take more than a second; such answers have their own
    queue (:mod:`views.compute_pool`). :meth:`takes_long` applies it to both answers of a comparison.
    """

    path: str
    title: str
    question: str
    settings: type[ReleaseSettings]
    build: Callable[..., Finding]
    method: Sequence[str] = ()
    related: tuple[str, ...] = ()
    """The addresses of the views that most readers visit next."""
    doors: tuple[Door, ...] = ()
    comparable: bool = True
    """Whether comparing two answers of the view makes sense."""
    expensive: Callable[..., bool] = lambda _settings: False

    def takes_long(self, settings: ReleaseSettings) -> bool:
        """Return whether the answer, or one compared with it, may take more than a second."""
        others = _others(self, settings)
        return len(others) > 1 or any(self.expensive(one) for one in (settings, *others.values()) if one)

    @property
    def name(self) -> str:
        """Return the view's name in file names, such as ``overview`` for the start page."""
        return self.path.strip("/") or "overview"

    @property
    def module(self) -> str:
        """Return the name of the module or package that defines the view."""
        return self.build.__module__.split(".")[1]


def pinned(settings: ReleaseSettings) -> ReleaseSettings:
    """Return the settings with ``latest`` replaced by the name of the current release."""
    return replace(settings, release=latest()) if settings.release == LATEST else settings


def link(view: View, settings: ReleaseSettings) -> str:
    """Return the canonical link, which has every setting and is pinned to a release."""
    return f"{view.path}?{urlencode(pinned(settings).described())}"


def short(view: View, settings: ReleaseSettings) -> str:
    """Return the short permanent link, pinned to a release. It omits settings that have their default value."""
    return _short(view.path, pinned(settings))


@lru_cache(maxsize=64)
def _short(path: str, settings: ReleaseSettings) -> str:
    return f"{SHORT}{token(path, settings.described())}"


def printed(view: View, settings: ReleaseSettings) -> str:
    """Return the link to print: the bare address if it still gives the same answer, otherwise the short link."""
    return view.path if pinned(settings) == pinned(view.settings()) else short(view, settings)


def read(view: View, query: str | Mapping[str, Sequence[str]]) -> tuple[ReleaseSettings, tuple[Ignored, ...]]:
    """Return the settings in a query, and the parts of the query that were ignored.

    The available options, such as models or chips, are those of the release in the query.
    """
    if isinstance(query, str):
        query = parse_qs(query, keep_blank_values=True, max_num_fields=None, errors="replace")
    query = dict(query)
    pins, notes = query.pop("vs", ()), query.pop("note", ())
    named = query.get("release", ("",))[0]
    with reading(named if named in names() else latest()):
        settings, ignored = parse(view.settings, query)
    readers = {
        "vs": lambda: _pin(view, pins, release=settings.release),
        "note": lambda: str(Note.parse(notes)),
    }
    for name, texts in (("vs", pins), ("note", notes)):
        try:
            settings = replace(settings, **{name: readers[name]() if any(texts) else ""})
        except SettingError as error:
            ignored = (*ignored, Ignored.of(error))
    return settings, ignored


def _pin(view: View, texts: Sequence[str], *, release: str) -> str:
    """Return the token of a comparison, from a token or a query. Raises SettingError for other text."""
    text = texts[0]
    allowed = "one short token of this page, or its settings, percent-encoded"
    if not view.comparable:
        raise SettingError("vs", text, allowed="nothing: this page cannot show two answers side by side")
    if len(set(texts)) > 1:
        raise SettingError("vs", " and ".join(texts), allowed=allowed)
    if text.startswith(EVERY):
        if not has_few_options(view, text.removeprefix(EVERY)):
            few = f"{EVERY} and the name of a setting with 2 to {MOST_OPTIONS} options"
            raise SettingError("vs", text, allowed=few)
        return text
    try:
        said = None if "=" in text else meaning(text.removeprefix(SHORT))
    except ShortLinkError:
        raise SettingError("vs", text, allowed=allowed) from None
    if said is not None and said.path != view.path:
        raise SettingError("vs", text, allowed=f"{allowed}; this one is of {said.path}")
    query = parse_qs(text) if said is None else {name: [word] for name, word in said.settings.items()}
    settings, ignored = read(view, {"release": [release]} | query | {"vs": [], "note": []})
    if ignored:
        raise SettingError("vs", text, allowed=f"{allowed}, where {ignored[0].sentence}")
    return token(view.path, pinned(settings).described())


def has_few_options(view: View, name: str) -> bool:
    """Return whether a setting has few enough options to compare all of them on one chart."""
    setting = definitions(view.settings).get(name)
    return view.comparable and isinstance(setting, Choice) and 2 <= len(setting.options) <= MOST_OPTIONS


def _others(view: View, settings: ReleaseSettings) -> dict[str, ReleaseSettings | None]:
    """Return the settings of the answers to compare, keyed by option or by ``PINNED``.

    None marks an option that the other settings exclude.
    """
    if not settings.vs:
        return {}
    if not settings.vs.startswith(EVERY):
        return {PINNED: _read_all(view, meaning(settings.vs).settings)[0]}
    setting = settings.vs.removeprefix(EVERY)
    with settings.reading():
        words = tuple(getattr(definitions(view.settings)[setting], "options", ()))
    alone = replace(settings, vs="").described()
    # An option that another one stands for is compared once, under the name that is chosen now.
    distinct = {settings.stands_for(setting, word): word for word in (*words, alone[setting])}
    by_word = {word: _read_all(view, alone | {setting: word}) for word in distinct.values()}
    return {word: None if ignored else other for word, (other, ignored) in by_word.items()}


def _read_all(view: View, described: Mapping[str, str]) -> tuple[ReleaseSettings, tuple[Ignored, ...]]:
    return read(view, {name: [text] for name, text in described.items()})


def at_release(view: View, settings: ReleaseSettings, *, release: str) -> ReleaseSettings:
    """Return the settings at another release, unchanged if that release lacks a chosen option, such as a model."""
    there, ignored = _read_all(view, settings.described() | {"release": release})
    return settings if ignored else there


def split(text: str) -> tuple[str, str]:
    """Split a link, absolute or not, into its path and its query string."""
    address, _, query = text.partition("#")[0].partition("?")
    path = re.sub(r"^[A-Za-z][A-Za-z0-9+.-]*://[^/]*", "", address)
    return "/" + path.strip("/"), query


def _finding(view: View, settings: ReleaseSettings, *, release: Release) -> Finding:
    """Return the view's finding, computed from the release's tables and cached."""
    key = (view, settings, release if is_frozen(release) else None)
    with reading(release.stands_on):
        return store_of(release).get_or_compute(key, lambda: view.build(settings, release), kind=view)


def _moved_notes(
    moves: Sequence[Move], *, figures: Sequence[Figure], at_defaults: bool
) -> Iterator[tuple[str, str]]:
    """Yield a note and its details for each day and reason of a change in figures. All ``moves`` concern one view.

    ``figures`` are those of the answer: a note states the first one that moved. ``at_defaults`` is whether the answer
    is that of the default settings, whose numbers are recorded.
    """
    order = {figure.name: place for place, figure in enumerate(figures)}
    moves = [move for move in moves if at_defaults or move.figure in order]
    where = "" if at_defaults else " at the default settings"
    for (day, reason), group in groupby(moves, key=lambda move: (move.day, move.reason)):
        first, *others = sorted(group, key=lambda move: order.get(move.figure, len(order)))
        recorded = records.figures().get((first.view, first.release, first.figure))
        label = recorded.label if recorded else sentence_case(first.figure.replace("_", " "))
        more = (
            f", and {len(others)} other figure{'s' if len(others) > 1 else ''} also changed" if others else ""
        )
        yield (
            f"Until {month_words(day)}, “{label}” was {first.was}{where}.",
            f"It became {first.now}{more}. {sentence_case(reason.rstrip('.'))}.",
        )


def answer(
    view: View,
    settings: ReleaseSettings,
    *,
    ignored: tuple[Ignored, ...] = (),
    release: Release | None = None,
) -> Result:
    """Return the result of a view. A reader's own ``release`` replaces the one in the settings.

    Findings are cached by settings; those from a reader's own data are cached with that data.
    """
    settings = pinned(settings)
    if settings.note:
        plain = answer(view, replace(settings, note=""), ignored=ignored, release=release)
        return _with_note(view, settings, plain=plain, release=release)
    if settings.vs:
        return _beside_pinned(view, settings, ignored=ignored, release=release)
    read_from = release or load(settings.release)
    finding = _finding(view, settings, release=read_from)
    with reading(read_from.stands_on):
        method = finding.method or tuple(view.method)
    check_cancelled()
    described = settings.described()
    name = settings.release
    moves: tuple[Move, ...] = ()
    if release is not None:
        name = described["release"] = release.name
    else:
        moves = moved_by_method(view.name, release=name)
    at_defaults = settings == replace(view.settings(), release=settings.release)
    moved = tuple(_moved_notes(moves, figures=finding.figures, at_defaults=at_defaults))
    moved_notes = tuple(map(" ".join, moved))
    return Result(
        view=view.name,
        question=view.question,
        **_links(view, settings, release=release),
        release=name,
        settings=described,
        moved=moves,
        moved_notes=moved_notes,
        moved_briefly=tuple(brief for brief, _ in moved),
        ignored=ignored,
        **vars(finding)
        | {
            "notes": (*moved_notes, *finding.notes) if moved_notes else finding.notes,
            "method": method,
            "sources": finding.sources or (EPOCH_AI, CURATION),
        },
    )


def _links(view: View, settings: ReleaseSettings, *, release: Release | None) -> dict[str, str]:
    """Return the three links of an answer, keyed by field. Empty for a reader's own release."""
    made = {"link": link, "short_link": short, "printed_link": printed}
    return {name: "" if release else of(view, settings) for name, of in made.items()}


def _with_note(view: View, settings: ReleaseSettings, *, plain: Result, release: Release | None) -> Result:
    """Return the answer with the sender's marks on its first chart and the sender's text on every chart."""
    first = plain.exhibits[0]
    chart, note = Note.parse([settings.note]).on(first.chart)
    line = f"{BY}: {note.words}"

    def make() -> Iterator[Exhibit]:
        for one in plain.exhibits:
            shown = replace(chart, alt=f"{chart.alt} {line}") if one is first else one.chart
            yield replace(one, chart=replace(shown, note=line))

    links = _links(view, settings, release=release) | {"printed_link": plain.printed_link}
    named = {**plain.settings, "note": settings.note}
    return replace(plain, exhibits=LazySequence(make), note=note, settings=named, **links)


def _beside_pinned(
    view: View, settings: ReleaseSettings, *, ignored: tuple[Ignored, ...], release: Release | None
) -> Result:
    """Return the answer beside the pinned one or those of all options, or alone if the settings are the same."""
    alone = replace(settings, vs="")
    others = _others(view, settings)
    result = answer(view, alone, ignored=ignored, release=release)
    named = settings.described() | {"release": result.release}
    own: dict[str, Any] = {"settings": named, **_links(view, settings, release=release)}
    other = others.get(PINNED)
    if other is None:
        name = settings.vs.removeprefix(EVERY)
        with alone.reading():
            label = definitions(view.settings)[name].label
            labels = {word: alone.option_label(name, word) for word in others}
        options = [
            OptionAnswer(
                label=labels[word],
                result=None if each is None else answer(view, each, release=release),
                current=getattr(alone, name) == word,
            )
            for word, each in others.items()
        ]
        return replace(result, **own, **every_option(label, options, now=result, applies=alone.applies(name)))
    if other == alone:
        return replace(result, **own)
    now = Side(result=result, choices=_apart(alone, other))
    before = Side(result=answer(view, other, release=release), choices=_apart(other, alone))
    return replace(result, **own, **compared(now, before))


def _apart(settings: ReleaseSettings, other: ReleaseSettings) -> list[str]:
    """Return text on the settings in which two answers differ. Settings that affect neither are omitted."""
    with settings.reading():
        return [
            settings.in_words(name)
            for name in definitions(type(settings))
            if getattr(settings, name) != getattr(other, name)
            and (settings.applies(name) or other.applies(name))
        ]
