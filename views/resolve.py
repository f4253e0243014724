"""Where does a short link lead? To a view and its settings, as they were meant when it was made."""

from collections.abc import Mapping, Sequence
from urllib.parse import parse_qs, urlencode

from views.registry import VIEWS
from views.short_link.letters import WORDS, ShortLinkError
from views.short_link.token import Meaning, meaning
from views.view import LATEST, SHORT, ReleaseSettings, View, read, split


class LinkError(ValueError):
    """A link that names no view, or gives a setting what it cannot take; the message says what is allowed."""


def named(link: str) -> tuple[View, str]:
    """Return the view that a link names and the query to ask it with; short and absolute links are read too.

    LinkError or ShortLinkError for a link that names no view.
    """
    path, query = split(link)
    if path.startswith(SHORT):
        path, query = split(long_link(path.removeprefix(SHORT), query=query))
    if path not in VIEWS:
        raise LinkError(f"There is no view {path!r}; there are {', '.join(VIEWS)}.")
    return VIEWS[path], query


def view_and_settings(link: str) -> tuple[View, ReleaseSettings]:
    """Return the view that a link names and the settings it asks with.

    LinkError or ShortLinkError for a link that names no view, or a setting that cannot be used, with what is allowed.
    """
    view, query = named(link)
    settings, ignored = read(view, query)
    if ignored:
        faults = (f"{item.setting}: got {item.value!r}; allowed: {item.allowed}." for item in ignored)
        raise LinkError("\n".join(faults))
    return view, settings


def resolve(token: str) -> tuple[View, ReleaseSettings]:
    """Return the view and the settings that a token stands for, every one of them, pinned.

    ShortLinkError where the token is damaged, stands for a deck, or asks for something that no longer exists.
    """
    return meant(meaning(token))


def meant(said: Meaning) -> tuple[View, ReleaseSettings]:
    """Return the view and the settings that a token's texts stand for; raise ShortLinkError as ``resolve`` does."""
    view = VIEWS.get(said.path)
    if view is None:
        raise ShortLinkError(WORDS["view"].format(path=said.path, views=", ".join(VIEWS)))
    known = view.settings().described()
    readable = {name: text for name, text in said.settings.items() if name in known or name in said.choices}
    settings, ignored = read(view, {name: [text] for name, text in readable.items()})
    if settings.release == LATEST or ignored:
        left = {name: text for name, text in settings.described().items() if name != "release"}
        reasons = " ".join(
            fault.sentence.replace("was ignored", "is no longer available") for fault in ignored
        )
        message = WORDS["gone"].format(title=view.title, reasons=reasons or "It names no data release.")
        raise ShortLinkError(message, link=f"{view.path}?{urlencode(left)}")
    return view, settings


def long_link(token: str, *, query: str = "") -> str:
    """Return the long link that a token stands for, with what was given beside it; raise ShortLinkError as ``resolve``.

    A parameter given beside a token stands in place of the token's own, so that ``?release=latest`` asks the same of
    the newest data, and parameters of others, such as ``embed``, are passed on.
    """
    view, settings = resolve(token)
    return f"{view.path}?{beside(settings.described(), query)}"


def beside(own: Mapping[str, str | Sequence[str]], query: str) -> str:
    """Return a query of these parameters with those of another in front of them, each name from one of the two."""
    other = parse_qs(query, keep_blank_values=True, errors="replace")
    return urlencode({**own, **other}, doseq=True)
