"""What a link looks like where it is pasted: title, headline and picture of exactly this view."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urljoin

from markupsafe import Markup

from panel.document import script_safe
from views.registry import SITE, tab_title
from web.templating import template

CREDIT = "Data from Epoch AI (CC BY 4.0), with corrections and products of our own."
LICENCE = "https://creativecommons.org/licenses/by/4.0/"
ICON = "/apple-touch-icon.png"
"""The mark, as the picture of a page that has none of its own."""
PICTURE_WIDTH, PICTURE_HEIGHT = 1200, 630
"""Size of the picture of a preview: size=wide. [px]"""


@dataclass(frozen=True, kw_only=True)
class Preview:
    """What is said of a page before it is opened; addresses are absolute, ``picture`` may be empty."""

    tab: str
    """What the browser's tab says, before the product's name."""
    title: str
    description: str
    address: str
    picture: str = ""
    files: tuple[tuple[str, str, str], ...] = ()
    """The same view in other forms: media type, words, address."""
    frame: str = ""
    """Where a page that quotes the address asks for a frame of it, if it has one."""
    feeds: tuple[tuple[str, str], ...] = ()
    """What a reader may subscribe to: title and address."""


def dataset(preview: Preview) -> dict[str, Any]:
    """Return what a page's numbers are to a program (schema.org Dataset): name, licence, release and files."""
    release = parse_qs(preview.address.partition("?")[2]).get("release", [""])[0]
    return {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": preview.title,
        "description": f"{preview.description}. {CREDIT}",
        "url": preview.address,
        "version": release,
        "license": LICENCE,
        "isAccessibleForFree": True,
        "creator": {"@type": "Organization", "name": SITE, "url": urljoin(preview.address, "/")},
        "isBasedOn": "https://epoch.ai/data",
        "image": preview.picture,
        "distribution": [
            {"@type": "DataDownload", "encodingFormat": media_type, "name": words, "contentUrl": address}
            for media_type, words, address in preview.files
        ],
    }


def tags(preview: Preview) -> str:
    """Return what stands in the head of a page for those who unfold its link."""
    return template("head.html.j2").render(
        preview=preview,
        dataset=Markup(script_safe(dataset(preview))) if preview.files else "",
        tab=tab_title(preview.tab),
        site=SITE,
        icon=urljoin(preview.address, ICON),
        width=PICTURE_WIDTH,
        height=PICTURE_HEIGHT,
    )


def without_scripts(preview: Preview) -> str:
    """Return what a page says to a reader whose browser runs no script: what it answers, and its files."""
    return template("noscript.html.j2").render(preview=preview)
