"""Slide decks. A deck is a link to views, with a title and a data release."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import parse_qs, urlencode, urlsplit

from charts.slide import Slide
from data.by_release import Live
from data.release_name import correction_of, order
from data.releases import names
from views import written
from views.registry import VIEWS
from views.resolve import beside, long_link, meant, named
from views.result import Result
from views.setting_kinds import Choice, Setting, SettingError, Text
from views.settings import Ignored, parsed_values
from views.short_link import letters
from views.short_link.letters import LONGEST, ShortLinkError
from views.short_link.token import Meaning, meaning, token
from views.slides import credit, slide_words
from views.view import LATEST, SHORT, ReleaseSettings, View, answer, at_release, link, pinned, read, short

PATH = "/deck"
TITLE = "Deck"
QUESTION = "Which views go on my slides?"
MOST_VIEWS = 30
FEW_VIEWS = 8
"""Maximum number of views in a deck that takes at most about a second."""
AS_LINKED = "as-linked"
LONGEST_TITLE = 120
"""Maximum length of a custom slide title. [character]"""
LONGEST_QUERY = 40_000
"""Maximum length of a deck's query with the maximum number of views, percent-encoded. [character]"""
LONGEST_PRINTED = 120
"""Maximum length of a short deck link. Longer decks have a link on each slide. [character]"""
DEFAULT_TITLE = "Training compute and memory bandwidth"

WORDS = written.toml(__file__, name="deck.toml")
TITLE_SETTING = Text(**WORDS["title"], longest=100)
RELEASE_SETTING = Choice(
    **WORDS["release"],
    options=Live(
        lambda: {
            AS_LINKED: "each view from the release its link names",
            LATEST: "the newest release whenever the deck is opened",
            **{name: f"the release of {name}, frozen" for name in names()},
        }
    ),
    labels=Live(
        lambda: {AS_LINKED: "As each link names", LATEST: "Newest", **{name: name for name in names()}}
    ),
)
SETTINGS: Mapping[str, Setting] = {"title": TITLE_SETTING, "release": RELEASE_SETTING}
"""The deck's own settings. ``view`` is not one of them because it may repeat."""
DEFAULTS = {"title": DEFAULT_TITLE, "release": AS_LINKED}
VIEW_ALLOWED = (
    f"a link to one of {', '.join(VIEWS)}, percent-encoded, at most {MOST_VIEWS} of them, each one once"
)


@dataclass(frozen=True, kw_only=True)
class Item:
    """One view of a deck with its settings, pinned to a release.

    ``title`` is a custom slide title; it is empty if the slide has the view's own headline.
    """

    view: View
    settings: ReleaseSettings
    title: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", pinned(self.settings))

    @property
    def link(self) -> str:
        """Return the pinned link of the view."""
        return link(self.view, self.settings)

    @property
    def choices(self) -> str:
        """Return the choices that differ from the view's defaults, as short text without the release."""
        default = type(self.settings)().described()
        with self.settings.reading():
            chosen = [
                self.settings.in_words(name)
                for name, value in self.settings.described().items()
                if value != default.get(name)
                and name not in ("release", "vs", "note")
                and self.settings.applies(name)
            ]
        return "; ".join(chosen)


@dataclass(frozen=True, kw_only=True)
class Deck:
    """The views of a deck, in order. ``release`` replaces the releases of the views unless it is AS_LINKED."""

    items: tuple[Item, ...] = ()
    title: str = DEFAULT_TITLE
    release: str = AS_LINKED

    def described(self) -> list[tuple[str, str]]:
        """Return every parameter of the deck's link: each pinned view, the title and the release.

        A custom slide title follows a # in a view's link.
        """
        views = [("view", f"{item.link}#{item.title}" if item.title else item.link) for item in self.items]
        return [*views, ("title", self.title), ("release", self.release)]


@dataclass(frozen=True, kw_only=True)
class Moved:
    """A view shown at a release other than that of its link, with its headline figure at both."""

    view: str
    before: str
    after: str


@dataclass(frozen=True, kw_only=True)
class DeckWords:
    """Text of a deck in any format. ``as_of`` is the month or day of the newest release."""

    title: str
    slides: tuple[Slide, ...]
    moved: tuple[Moved, ...]
    sources: tuple[str, ...]
    as_of: str


def deck_link(deck: Deck) -> str:
    """Return the link of a deck's page, with every view pinned."""
    return f"{PATH}?{urlencode(deck.described())}"


def short_deck(deck: Deck) -> str:
    """Return the short permanent link of a deck, with every view pinned.

    It is empty if it would exceed the maximum length, or if slides have custom titles, which cannot be shortened.
    """
    if any(one.title for one in deck.items):
        return ""
    parts = [(one.view.path, one.settings.described()) for one in deck.items]
    text = token(PATH, {"title": deck.title, "release": deck.release}, parts=parts)
    return f"{SHORT}{text}" if len(text) <= LONGEST else ""


def follow(text: str, *, query: str = "") -> str:
    """Return the full link for a token. Parameters in ``query`` replace the token's own.

    A view's link contains every setting, pinned; a deck's link refers to each view by its own short link, because
    many servers reject links as long as the full ones combined.

    Raises ShortLinkError if the token is damaged or refers to something that no longer exists.
    """
    said = meaning(text)
    return _deck_of(said, query=query) if said.path == PATH else long_link(text, query=query)


def _deck_of(said: Meaning, *, query: str) -> str:
    faults: list[str] = []
    views: list[str] = []
    for number, part in enumerate(said.parts, start=1):
        try:
            views.append(short(*meant(part)))
        except ShortLinkError as error:
            faults.append(f"View {number}: {error}")
            views += [error.link] if error.link else []
    own: dict[str, str | list[str]] = {"view": views}
    for name, setting in SETTINGS.items():
        try:
            setting.parse(name, said.settings[name])
            own[name] = said.settings[name]
        except SettingError as error:
            faults.append(str(error))
    link = f"{PATH}?{beside(own, query)}"
    if faults or not views:
        message = letters.WORDS["deck"].format(reasons=" ".join(faults) or "It has no views.")
        raise ShortLinkError(message, link=link if views else "")
    return link


def parse_deck(query: str | Mapping[str, Sequence[str]]) -> tuple[Deck, tuple[Ignored, ...]]:
    """Return the deck in a query string, and the parts that were ignored.

    It never raises: an unreadable view is omitted and reported. An invalid setting of a view reverts to its default and
    is reported with the number of its view.
    """
    if isinstance(query, str):
        query = parse_qs(query, keep_blank_values=True, max_num_fields=None, errors="replace")
    own = {name: texts for name, texts in query.items() if name != "view"}
    values, ignored = parsed_values(SETTINGS, own, allowed="a deck has the parameters view, title, release")
    items = _items(query.get("view", ()), ignored)
    title = values.get("title") or DEFAULT_TITLE
    return Deck(items=items, title=title, release=values.get("release", AS_LINKED)), tuple(ignored)


def _items(links: Sequence[str], ignored: list[Ignored]) -> tuple[Item, ...]:
    items: list[Item] = []
    for number, text in enumerate(links, start=1):
        if number > MOST_VIEWS:
            count = f"{len(links)} views"
            ignored.append(Ignored.of(SettingError("view", count, allowed=f"the first {MOST_VIEWS} of them")))
            break
        match = item(text)
        if match is None or match[0].link in {one.link for one in items}:
            ignored.append(Ignored.of(SettingError("view", text, allowed=VIEW_ALLOWED)))
            continue
        items.append(match[0])
        ignored.extend(replace(fault, setting=f"view {number}: {fault.setting}") for fault in match[1])
    return tuple(items)


def item(text: str) -> tuple[Item, tuple[Ignored, ...]] | None:
    """Return the view in a link, and the ignored parts of the link. None if the link names no view."""
    address, _, title = text.partition("#")
    try:
        view, query = named(address)
    except ValueError:
        return None
    settings, ignored = read(view, query)
    return Item(view=view, settings=settings, title=own_title(title)), ignored


def own_title(text: str) -> str:
    """Return a custom slide title as one printable line of limited length."""
    printable = "".join(sign if sign.isprintable() else " " for sign in text)
    return " ".join(printable.split())[:LONGEST_TITLE].strip()


def titled(deck: Deck, index: int, *, title: str) -> Deck:
    """Return the deck with a custom title on one slide. An empty title restores the view's headline."""
    if not 0 <= index < len(deck.items):
        return deck
    items = list(deck.items)
    items[index] = replace(items[index], title=own_title(title))
    return replace(deck, items=tuple(items))


def without(deck: Deck, index: int) -> Deck:
    """Return the deck without the view at ``index``. An invalid index changes nothing."""
    return replace(deck, items=tuple(kept for k, kept in enumerate(deck.items) if k != index))


def moved_by(deck: Deck, index: int, *, steps: int) -> Deck:
    """Return the deck with one view moved by ``steps``, but not past either end."""
    if not 0 <= index < len(deck.items):
        return deck
    items = list(deck.items)
    place = min(max(index + steps, 0), len(items) - 1)
    items.insert(place, items.pop(index))
    return replace(deck, items=tuple(items))


def shown(deck: Deck) -> tuple[Item, ...]:
    """Return the views at the deck's release. A view that the release does not support stays at its own release."""
    if deck.release == AS_LINKED:
        return deck.items
    return tuple(
        replace(one, settings=at_release(one.view, one.settings, release=deck.release)) for one in deck.items
    )


def results(deck: Deck) -> tuple[Result, ...]:
    """Return the results of the views in a deck, in order."""
    return tuple(answer(one.view, one.settings) for one in shown(deck))


def expensive(deck: Deck) -> bool:
    """Return whether the deck is expensive: it has many views, or one view is expensive."""
    return len(deck.items) > FEW_VIEWS or any(
        one.view.takes_long(one.settings) for one in {*deck.items, *shown(deck)}
    )


def moves(deck: Deck) -> tuple[Moved, ...]:
    """Return the views shown at a release other than that of their link."""
    pairs = zip(deck.items, shown(deck), strict=True)
    return tuple(_moved(own, new) for own, new in pairs if own.settings.release != new.settings.release)


def _moved(own: Item, new: Item) -> Moved:
    before, after = answer(own.view, own.settings), answer(new.view, new.settings)
    label = after.figures[0].label if after.figures else ""
    view = f"{own.view.title}: {label}" if label else after.headline
    view += f" ({own.choices})" if own.choices else ""
    was, is_now = _stated(before), _stated(after)
    return Moved(
        view=view,
        before=f"{was}, in {before.release}",
        after=f"{'unchanged' if is_now == was else is_now}, in {after.release}",
    )


def _stated(result: Result) -> str:
    figure = next((figure for figure in result.figures if figure.key), None)
    if figure is None:
        return result.headline
    return f"{figure.text} ({figure.interval_text})" if figure.interval_text else figure.text


def deck_words(deck: Deck, *, origin: str) -> DeckWords:
    """Return the text of a deck. ``origin`` is the site's scheme and host. Raises ValueError for an empty deck."""
    answers = results(deck)
    if not answers:
        raise ValueError("A deck needs at least one view; got none. Add view=<link> to its address.")
    releases = sorted({result.release for result in answers}, key=order)
    credits = dict.fromkeys(credit(source, origin=origin) for result in answers for source in result.sources)
    own = short_deck(deck)
    read_from = f"Data release{'s' if len(releases) > 1 else ''} {', '.join(releases)}."
    return DeckWords(
        title=deck.title,
        slides=tuple(
            _titled(slide_words(result, origin=origin), one.title)
            for result, one in zip(answers, deck.items, strict=True)
        ),
        moved=moves(deck),
        sources=(
            *credits,
            f"{read_from} The line below each chart names its settings and links to its page, at {origin}",
            *([f"This deck: {origin}{own}"] if 0 < len(own) <= LONGEST_PRINTED else []),
        ),
        as_of=correction_of(releases[-1]),
    )


def _titled(words: Slide, title: str) -> Slide:
    """Return the slide with a custom title. The view's headline moves to the slide's notes."""
    if not title:
        return words
    return replace(words, headline=title, notes=f"{words.headline}\n{words.notes}")


def renewed_words(link_on_slide: str, *, exhibit: int, origin: str, release: str = LATEST) -> Slide | None:
    """Return a slide updated to the newest release, from the absolute link on it. None if that names no pinned view.

    All other settings stay as in the link; with :data:`AS_LINKED`, the release does too.
    """
    slide = _on_slide(link_on_slide)
    if slide is None:
        return None
    own = slide.settings.release if release == AS_LINKED else release
    now = Item(view=slide.view, settings=at_release(slide.view, slide.settings, release=own))
    result = answer(now.view, now.settings)
    return slide_words(result, origin=origin, exhibit=min(exhibit, len(result.exhibits)))


def release_on_slide(link_on_slide: str) -> str:
    """Return the release in a slide's link. Empty if the link is not ours."""
    slide = _on_slide(link_on_slide)
    return slide.settings.release if slide else ""


def _on_slide(link: str) -> Item | None:
    """Return the view in an absolute link. None if the link is invalid or names no view."""
    try:
        parts = urlsplit(link)
    except ValueError:
        return None
    if "release" not in parse_qs(parts.query):
        return None  # a slide made here is pinned; the home page of another site is not a view
    match = item(f"{parts.path}?{parts.query}")
    return match[0] if match else None
