"""What a link looks like where it is pasted: title, headline and picture of exactly this view."""

from dataclasses import dataclass
from urllib.parse import parse_qs, urljoin

from views.registry import SITE, tab_title
from web.templating import template

ICON = "/apple-touch-icon.png"
"""The mark, as the picture of a page that has none of its own."""
PICTURE_WIDTH, PICTURE_HEIGHT = 1200, 630
"""Size of the picture of a preview: size=wide. [px]"""


@dataclass(frozen=True, kw_only=True)
class Preview:
    """What is said of a page before it is opened; addresses are absolute, ``picture`` may be empty."""

    tab: str  # what the browser's tab says, before the product's name
    title: str
    description: str
    address: str
    picture: str = ""
    files: tuple[tuple[str, str, str], ...] = ()  # the view in other forms: media type, words, address
    frame: str = ""  # where a page that quotes the address asks for a frame of it, if it has one
    feeds: tuple[tuple[str, str], ...] = ()  # what a reader may subscribe to: title and address


def tags(preview: Preview) -> str:
    """Return what stands in the head of a page for those who unfold its link."""
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
    """Return what a page says to a reader whose browser runs no script: what it answers, and its files."""
    return template("noscript.html.j2").render(preview=preview)
