"""Preview of a pasted link: title, headline and picture of exactly the linked view."""

from dataclasses import dataclass
from urllib.parse import parse_qs, urljoin

from views.registry import SITE, tab_title
from web.templating import template

ICON = "/apple-touch-icon.png"
"""The logo, also the picture of a page that has none of its own."""
PICTURE_WIDTH, PICTURE_HEIGHT = 1200, 630
"""Size of the picture in a preview, as with size=wide. [px]"""


@dataclass(frozen=True, kw_only=True)
class Preview:
    """Preview of a page. Its addresses are absolute, and its picture may be empty."""

    tab: str  # title of the browser tab, before the product's name
    title: str
    description: str
    address: str
    picture: str = ""
    files: tuple[tuple[str, str, str], ...] = ()  # the view in other forms: media type, label, address
    frame: str = ""  # address at which a quoting page requests a frame, if any
    feeds: tuple[tuple[str, str], ...] = ()  # available feeds: title and address


def tags(preview: Preview) -> str:
    """Return the head tags from which other programs make a preview of a page's link."""
    return template("head.html.j2").render(
        preview=preview,
        release=parse_qs(preview.address.partition("?")[2]).get("release", [""])[0],
        home=urljoin(preview.address, "/"),
        tab=tab_title(preview.tab),
        site=SITE,
        icon=urljoin(preview.address, ICON),
        width=PICTURE_WIDTH,
        height=PICTURE_HEIGHT,
    )


def without_scripts(preview: Preview) -> str:
    """Return a page's content for browsers without scripts: its question and its files."""
    return template("noscript.html.j2").render(preview=preview)
