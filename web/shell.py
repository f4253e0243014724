"""Streamlit's document, parsed once. Its scripts load after the page's chart is drawn."""

import json
from collections.abc import Iterable
from html import escape
from pathlib import Path

from charts import plotly, svg
from panel.assets import MODULES, PLOTLY, PRESENT_STYLE, STYLES, address, text_of
from panel.streamlit_names import ROOT, StreamlitDocument
from views.registry import VIEWS
from web.code_version import program
from web.icon import LINKS

NAMES = tuple(view.name for view in VIEWS.values())
NOT_AT_ONCE = ("boot.js", "component.js", "keeper.js", "present.js")
"""Modules that are not preloaded. A page loads them itself or later."""
PRESENT_MODULES = ("address.js", "answers.js", "chart.js", "program.js", "streamlit.js", "theme.js")
"""Modules that present.js imports."""
FONTS = "".join(Path(__file__).with_name("stand_ins.css").read_text(encoding="utf-8").splitlines())
"""Our font, and local fonts scaled to its width until it loads. Lines always break at the same words.

Measured on the text of a page in Chromium (DejaVu); Arial's from its width relative to DejaVu's.
"""


class Shell(StreamlitDocument):
    """Streamlit's document with our tags."""

    def document(
        self, *, tags: str, first: str, last: str = "", alone: bool = False, charted: bool = True
    ) -> str:
        """Return a complete document with ``tags`` in its head, and with ``first`` shown before Streamlit loads.

        ``last`` is added at its end. ``charted`` preloads what draws a chart. ``alone`` omits Streamlit, as for a view
        in a frame of another page.
        """
        later = {"main": self.main, "scripts": self.scripts, "styles": self.styles}
        data = "null" if alone else json.dumps(later, separators=(",", ":"))
        modules = [name for name in MODULES if name not in NOT_AT_ONCE]
        preloads = _preloads(modules) if charted else ""
        body = self.body.replace(ROOT, first + ROOT + last)
        return f"{self.head}{tags}{LINKS}{self._style()}{preloads}{_program('boot.js', data)}\n</head>{body}"

    def presentation(self, *, tags: str, slides: str) -> str:
        """Return the document of full-screen slides, without Streamlit."""
        head = f"{self.head}{tags}{LINKS}{self._style()}<style>{text_of(PRESENT_STYLE)}</style>"
        scripts, body = _preloads(PRESENT_MODULES), self.body.replace(ROOT, slides + ROOT)
        return f"{head}{scripts}{_program('present.js', 'null')}\n</head>{body}"

    def _style(self) -> str:
        fonts, font = FONTS.replace("OURS", self.font), f'type="font/woff2" href="{self.font}"'
        link = f'<link rel="preload" as="font" {font} crossorigin>'
        return f"{link}<style>{fonts}{text_of(*STYLES)}{svg.STYLE}{plotly.STYLE}</style>"


def _program(name: str, streamlit: str) -> str:
    """Return the script that activates a document. ``streamlit`` lists, as JSON, what this script loads later."""
    return (
        f'<script type="module" data-boot data-program="{program()}" data-views="{escape(" ".join(NAMES))}" '
        f'data-streamlit="{escape(streamlit)}" src="{address(name)}"></script>'
    )


def _preloads(modules: Iterable[str]) -> str:
    """Return tags for loading these modules and Plotly in parallel."""
    return f'<link rel="preload" as="script" href="{address(PLOTLY)}">' + "".join(
        f'<link rel="modulepreload" href="{address(name)}">' for name in modules
    )
