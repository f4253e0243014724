"""Names of Streamlit's server that our server depends on: paths, and parts of Streamlit's index.html.

Those of its page are in ``browser/streamlit.js`` and ``browser/streamlit.css``, those of its runtime in
:mod:`pages.streamlit_internals`; tests/pages/test_streamlit_internals.py reports which of them a new version has lost.
"""

import re
from dataclasses import dataclass
from typing import Self

from views.written import toml

REFUSED = toml(__file__, name="names.toml")["refused"]
SESSIONS = "/_stcore/"
HEALTH = f"{SESSIONS}health"
HOST_CONFIG = f"{SESSIONS}host-config"
STREAM = f"{SESSIONS}stream"
UPLOADS = f"{SESSIONS}upload_file/"
COMPONENTS = f"{SESSIONS}bidi-components/"
FILES = "/static/"
ROUTES = (HEALTH, HOST_CONFIG, STREAM, UPLOADS, COMPONENTS, "/media/", "/component/")
"""Paths that Streamlit handles itself. Those ending in `/` are prefixes."""

ROOT = '<div id="root"></div>'
MAIN = "stMain"
"""Id of the scrolling element in Streamlit's page."""
_COMMENT = re.compile(r"<!--.*?-->", flags=re.DOTALL)
_FILES = {
    "main": re.compile(r'<script type="module"[^>]*\bsrc="([^"]+)"[^>]*></script>'),
    "script": re.compile(r'<link rel="modulepreload"[^>]*\bhref="([^"]+)"[^>]*>'),
    "style": re.compile(r'<link rel="stylesheet"[^>]*\bhref="([^"]+)"[^>]*>'),
    "font": re.compile(r'<link\s[^>]*?\bhref="([^"]+\.woff2)"[^>]*>', flags=re.DOTALL),
}
"""Patterns that find the address of each file in Streamlit's document."""
_OURS = re.compile(
    r"<title>.*?</title>|<noscript>.*?</noscript>|<link\b[^>]*\brel=\"(?:service-desc|shortcut icon)\"[^>]*>",
    flags=re.DOTALL,
)
"""Pattern of elements that our documents replace."""


@dataclass(frozen=True, kw_only=True)
class StreamlitDocument:
    """Streamlit's HTML document: the parts before and after our tags, and the files it loads."""

    head: str
    body: str
    main: str
    scripts: tuple[str, ...]
    styles: tuple[str, ...]
    font: str

    @classmethod
    def of(cls, index_html: str) -> Self:
        """Return the parsed document. Raises ValueError if it differs from Streamlit 1.67."""
        html = _COMMENT.sub("", index_html)
        files = {
            kind: [address.removeprefix(".") for address in pattern.findall(html)]
            for kind, pattern in _FILES.items()
        }
        parts = {
            "one module script": len(files["main"]) == 1,
            "one font": len(files["font"]) == 1,
            "a style sheet": bool(files["style"]),
            "one head": html.count("</head>") == 1,
            f"one {ROOT}": html.count(ROOT) == 1,
        }
        if missing := [name for name, there in parts.items() if not there]:
            raise ValueError(REFUSED["document"].format(missing=", ".join(missing)))
        for pattern in (_OURS, *_FILES.values()):
            html = pattern.sub("", html)
        html = "\n".join(line for line in html.splitlines() if line.strip())
        head, _, body = html.partition("</head>")
        (main,), (font,) = files["main"], files["font"]
        return cls(
            head=head,
            body=body,
            main=main,
            scripts=tuple(files["script"]),
            styles=tuple(files["style"]),
            font=font,
        )
