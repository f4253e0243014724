"""Resolution of a link to its view and to the settings that were meant when the link was made."""

from collections.abc import Mapping, Sequence
from urllib.parse import parse_qs, urlencode

from views.registry import VIEWS
from views.short_link.letters import WORDS, ShortLinkError
from views.short_link.token import Meaning, meaning
from views.view import LATEST, SHORT, ReleaseSettings, View, read, split


class LinkError(ValueError):
    """Raised for a link with an unknown view or an invalid setting. The message lists what is allowed."""


def named(link: str) -> tuple[View, str]:
    """Return a link's view and query. The link may also be short or absolute.

    Raises LinkError or ShortLinkError if the link has no known view.
    """
    path, query = split(link)
    if path.startswith(SHORT):
        path, query = split(long_link(path.removeprefix(SHORT), query=query))
    if path not in VIEWS:
        raise LinkError(f"There is no view {path!r}; there are {', '.join(VIEWS)}.")
    return VIEWS[path], query


def view_and_settings(link: str) -> tuple[View, ReleaseSettings]:
    """Return a link's view and settings.

    Raises LinkError or ShortLinkError if the view is unknown or a setting is invalid; it states what is allowed.
    """
    view, query = named(link)
    settings, ignored = read(view, query)
    if ignored:
        faults = (f"{item.setting}: got {item.value!r}; allowed: {item.allowed}." for item in ignored)
        raise LinkError("\n".join(faults))
    return view, settings


def resolve(token: str) -> tuple[View, ReleaseSettings]:
    """Return the view and all settings encoded in a token, including the release to which the token is pinned.

    Raises ShortLinkError if the token is damaged, is a deck's, or refers to something that no longer exists.
    """
    return meant(meaning(token))


def meant(said: Meaning) -> tuple[View, ReleaseSettings]:
    """Return the view and the settings of a decoded token. Raises ShortLinkError as ``resolve`` does."""
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
    """Return a token's long link, with additional parameters. Raises ShortLinkError as ``resolve`` does.

    A parameter in ``query`` replaces the token's own, so that ``?release=latest`` reads the newest data; unrelated
    parameters such as ``embed`` are passed on.
    """
    view, settings = resolve(token)
    return f"{view.path}?{beside(settings.described(), query)}"


def beside(own: Mapping[str, str | Sequence[str]], query: str) -> str:
    """Return a query with the parameters ``own``, overridden and extended by another query."""
    other = parse_qs(query, keep_blank_values=True, errors="replace")
    return urlencode({**own, **other}, doseq=True)
