"""Where does a short link lead, be it to a view or to a deck?"""

from views.deck import PATH, SETTINGS
from views.resolve import beside, long_link, meant
from views.setting_kinds import SettingError
from views.short_link.letters import ShortLinkError
from views.short_link.token import Meaning, meaning
from views.view import short


def follow(text: str, *, query: str = "") -> str:
    """Return the link that a token stands for, with what was given beside it in place of its own.

    A view's link spells out every setting, pinned; a deck's names each view by a short link of its own, since the
    long ones together are longer than many a server passes on.

    Raises
    ------
    ShortLinkError
        Where the token is damaged or asks for something that no longer exists.
    """
    said = meaning(text)
    return _deck(said, query=query) if said.path == PATH else long_link(text, query=query)


def _deck(said: Meaning, *, query: str) -> str:
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
        raise ShortLinkError(
            "This short link of a deck asks for something that no longer exists. "
            f"{' '.join(faults) or 'It has no views.'}",
            link=link if views else "",
        )
    return link
