"""Streamlit's own document, taken apart once: its scripts join when the page's chart is drawn."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from pathlib import Path

from charts import plotly, svg
from panel.assets import MODULES, PLOTLY, address, present_style, style
from views.registry import VIEWS
from web.code_version import program
from web.icon import LINKS

NAMES = tuple(view.name for view in VIEWS.values())
ROOT = '<div id="root"></div>'
NOT_AT_ONCE = ("boot.js", "component.js", "keeper.js", "present.js")
"""Modules that a page itself names, or that come later."""
PRESENT_MODULES = ("address.js", "answers.js", "chart.js", "program.js", "theme.js")
"""What present.js imports."""
_COMMENT = re.compile(r"<!--.*?-->", flags=re.DOTALL)
_FILES = {
    "main": re.compile(r'<script type="module"[^>]*\bsrc="([^"]+)"[^>]*></script>'),
    "script": re.compile(r'<link rel="modulepreload"[^>]*\bhref="([^"]+)"[^>]*>'),
    "style": re.compile(r'<link rel="stylesheet"[^>]*\bhref="([^"]+)"[^>]*>'),
    "font": re.compile(r'<link\s[^>]*?\bhref="([^"]+\.woff2)"[^>]*>', flags=re.DOTALL),
}
"""What Streamlit's document would load, each found by its address."""
_OURS = re.compile(
    r"<title>.*?</title>|<noscript>.*?</noscript>|<link\b[^>]*\brel=\"(?:service-desc|shortcut icon)\"[^>]*>",
    flags=re.DOTALL,
)
"""What our documents say themselves."""


STAND_INS = "".join(Path(__file__).with_name("stand_ins.css").read_text(encoding="utf-8").splitlines())
"""Fonts of the reader's own machine, made as wide as ours until it has come, so that no line breaks anew.

Measured on the words of a page in Chromium (DejaVu); Arial's from its width against DejaVu's."""


@dataclass(frozen=True, kw_only=True)
class Shell:
    """Streamlit's document: what stands before and after our tags, and the files it would load."""

    head: str
    body: str
    main: str
    scripts: tuple[str, ...]
    styles: tuple[str, ...]
    font: str

    @classmethod
    def of(cls, index_html: str) -> "Shell":
        """Return the document taken apart; raise ValueError where it is not as Streamlit 1.67 has it."""
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
            raise ValueError(
                f"Streamlit's index.html is not as 1.67 has it: it should have {', '.join(missing)}. "
                "Read the new one and teach web/shell.py to take it apart."
            )
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

    def document(self, *, tags: str, first: str = "", last: str = "", alone: bool = False) -> str:
        """Return a whole document: our ``tags`` in its head, and ``first``, what is read before Streamlit is there.

        ``last`` comes at its end. ``alone`` leaves Streamlit out, as for a view in a frame of another page.
        """
        later = {"main": self.main, "scripts": self.scripts, "styles": self.styles}
        data = "null" if alone else json.dumps(later, separators=(",", ":"))
        modules = [name for name in MODULES if name not in NOT_AT_ONCE]
        preloads = _preloads(modules) if first else ""
        body = self.body.replace(ROOT, first + ROOT + last)
        return f"{self.head}{tags}{LINKS}{self._style()}{preloads}{_program('boot.js', data)}\n</head>{body}"

    def presentation(self, *, tags: str, slides: str) -> str:
        """Return the whole document of slides that fill the screen, without Streamlit."""
        head = f"{self.head}{tags}{LINKS}{self._style()}<style>{present_style()}</style>{_preloads(PRESENT_MODULES)}"
        return f"{head}{_program('present.js', 'null')}\n</head>{self.body.replace(ROOT, slides + ROOT)}"

    def _style(self) -> str:
        face = (
            '@font-face{font-family:"Source Sans";font-weight:200 900;font-style:normal;font-display:swap;'
            f'src:url("{self.font}") format("woff2")}}{STAND_INS}'
        )
        return (
            f'<link rel="preload" as="font" type="font/woff2" href="{self.font}" crossorigin>'
            f"<style>{face}{style()}{svg.STYLE}{plotly.STYLE}</style>"
        )


def _program(name: str, streamlit: str) -> str:
    """Return the script that makes a document live; ``streamlit`` tells it what to load later, as JSON."""
    return (
        f'<script type="module" data-boot data-program="{program()}" data-views="{escape(" ".join(NAMES))}" '
        f'data-streamlit="{escape(streamlit)}" src="{address(name)}"></script>'
    )


def _preloads(modules: Iterable[str]) -> str:
    """Return what has the browser fetch these modules and plotly at once, not one after the other."""
    return f'<link rel="preload" as="script" href="{address(PLOTLY)}">' + "".join(
        f'<link rel="modulepreload" href="{address(name)}">' for name in modules
    )
