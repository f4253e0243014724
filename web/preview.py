"""What a link looks like where it is pasted: title, headline and picture of exactly this view."""

import re
from dataclasses import dataclass
from html import escape

SITE = "Scaling Gap"
PICTURE_WIDTH, PICTURE_HEIGHT = 1200, 630
"""Size of the picture of a preview: size=wide. [px]"""

_TITLE = re.compile(r"<title>.*?</title>", flags=re.DOTALL)
_AGENT_LINK = re.compile(r'<link\b[^>]*\brel="service-desc"[^>]*>')
_NOSCRIPT = re.compile(r"<noscript>.*?</noscript>", flags=re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class Preview:
    """What is said of a page before it is opened; addresses are absolute, ``picture`` may be empty."""

    title: str
    description: str
    address: str
    picture: str = ""
    files: tuple[tuple[str, str, str], ...] = ()
    """The same view in other forms: media type, words, address."""


def with_preview(index_html: str, preview: Preview) -> str:
    """Return Streamlit's page with the preview's tags in its head, all text escaped.

    Scripts stay as they are, since the security policy names them by their hash.
    """
    title = f"<title>{escape(f'{preview.title} · {SITE}')}</title>"
    html = _NOSCRIPT.sub("", _AGENT_LINK.sub("", index_html, count=1), count=1)
    html = _TITLE.sub("", html, count=1)
    head, closing, rest = html.partition("</head>")
    body, end, after = rest.partition("</body>")
    return (
        f"{head}{title}\n{_tags(preview)}{closing}{body}{_for_readers_without_scripts(preview)}{end}{after}"
    )


def _tags(preview: Preview) -> str:
    tags = [
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
        tags.append(_meta("name", "twitter:card", content="summary"))
    tags += [
        _meta("name", "twitter:title", content=preview.title),
        _meta("name", "twitter:description", content=preview.description),
    ]
    tags += [
        f'<link rel="alternate" type="{escape(media_type)}" href="{escape(address)}">'
        for media_type, _, address in preview.files
    ]
    return "".join(f"{tag}\n" for tag in tags)


def _meta(kind: str, name: str, *, content: str) -> str:
    return f'<meta {kind}="{name}" content="{escape(_printable(content))}">'


def _printable(text: str) -> str:
    return "".join(sign if sign.isprintable() else " " for sign in text)


def _for_readers_without_scripts(preview: Preview) -> str:
    """Return what stands on the page where no script runs: the finding, its picture, its files."""
    picture = (
        f'<p><img src="{escape(preview.picture)}" alt="{escape(preview.description)}" width="600"></p>'
        if preview.picture
        else ""
    )
    files = "".join(
        f'<li><a href="{escape(address)}">{escape(words)}</a></li>' for _, words, address in preview.files
    )
    return (
        f"<noscript><h1>{escape(preview.description)}</h1><p>{escape(preview.title)}</p>{picture}"
        f"<ul>{files}</ul><p>The page itself needs JavaScript.</p></noscript>\n"
    )
