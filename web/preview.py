"""What a link looks like where it is pasted: title, headline and picture of exactly this view."""

from dataclasses import dataclass
from html import escape
from urllib.parse import urljoin

from views.registry import SITE, tab_title

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
    feeds: tuple[tuple[str, str], ...] = ()
    """What a reader may subscribe to: title and address."""


def tags(preview: Preview) -> str:
    """Return what stands in the head of a page for those who unfold its link; all text escaped."""
    tags = [
        f"<title>{_text(tab_title(preview.tab))}</title>",
        _meta("name", "description", content=preview.description),
        f'<link rel="canonical" href="{escape(preview.address)}">',
        '<link rel="service-desc" type="application/json" href="/api/openapi.json">',
        _meta("property", "og:site_name", content=SITE),
        _meta("property", "og:type", content="website"),
        _meta("property", "og:title", content=preview.title),
        _meta("property", "og:description", content=preview.description),
        _meta("property", "og:url", content=preview.address),
    ]
    if preview.picture:
        tags += [
            _meta("property", "og:image", content=preview.picture),
            _meta("property", "og:image:type", content="image/png"),
            _meta("property", "og:image:width", content=str(PICTURE_WIDTH)),
            _meta("property", "og:image:height", content=str(PICTURE_HEIGHT)),
            _meta("property", "og:image:alt", content=preview.description),
            _meta("name", "twitter:card", content="summary_large_image"),
            _meta("name", "twitter:image", content=preview.picture),
        ]
    else:
        tags += [
            _meta("property", "og:image", content=urljoin(preview.address, ICON)),
            _meta("name", "twitter:card", content="summary"),
        ]
    tags += [
        _meta("name", "twitter:title", content=preview.title),
        _meta("name", "twitter:description", content=preview.description),
    ]
    tags += [
        f'<link rel="alternate" type="{escape(media_type)}" href="{escape(address)}">'
        for media_type, _, address in preview.files
    ]
    tags += [
        f'<link rel="alternate" type="application/atom+xml" title="{_text(title)}" href="{escape(address)}">'
        for title, address in preview.feeds
    ]
    return "".join(f"{tag}\n" for tag in tags)


def without_scripts(preview: Preview) -> str:
    """Return what a page says to a reader whose browser runs no script: what it answers, and its files."""
    files = "".join(
        f'<li><a href="{escape(address)}">{escape(words)}</a></li>' for _, words, address in preview.files
    )
    if files:
        return f"<noscript><h2>Files of this view</h2><ul>{files}</ul></noscript>"
    return (
        f"<noscript><h1>{_text(preview.title)}</h1><p>{_text(preview.description)}</p>"
        "<p>This page needs JavaScript.</p></noscript>"
    )


def _meta(kind: str, name: str, *, content: str) -> str:
    return f'<meta {kind}="{name}" content="{_text(content)}">'


def _text(text: str) -> str:
    """Return text as it may stand anywhere in a document: escaped, without characters that none can hold."""
    return escape("".join(sign if sign.isprintable() else " " for sign in text))
