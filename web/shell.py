"""Streamlit's own document, taken apart once: its scripts join when the page's chart is drawn."""

import json
from collections.abc import Iterable
from html import escape
from pathlib import Path

from charts import plotly, svg
from panel.assets import MODULES, PLOTLY, address, present_style, style
from panel.streamlit_names import ROOT, StreamlitDocument
from views.registry import VIEWS
from web.code_version import program
from web.icon import LINKS

NAMES = tuple(view.name for view in VIEWS.values())
NOT_AT_ONCE = ("boot.js", "component.js", "keeper.js", "present.js")
"""Modules that a page itself names, or that come later."""
PRESENT_MODULES = ("address.js", "answers.js", "chart.js", "program.js", "streamlit.js", "theme.js")
"""What present.js imports."""
FONTS = "".join(Path(__file__).with_name("stand_ins.css").read_text(encoding="utf-8").splitlines())
"""Our font, and fonts of the reader's own machine made as wide as ours until it has come: no line breaks anew.

Measured on the words of a page in Chromium (DejaVu); Arial's from its width against DejaVu's."""


class Shell(StreamlitDocument):
    """Streamlit's document with our tags in it."""

    def document(
        self, *, tags: str, first: str, last: str = "", alone: bool = False, charted: bool = True
    ) -> str:
        """Return a whole document: our ``tags`` in its head, and ``first``, what is read before Streamlit is there.

        ``last`` comes at its end. ``charted`` has what draws a chart fetched at once. ``alone`` leaves Streamlit
        out, as for a view in a frame of another page.
        """
        later = {"main": self.main, "scripts": self.scripts, "styles": self.styles}
        data = "null" if alone else json.dumps(later, separators=(",", ":"))
        modules = [name for name in MODULES if name not in NOT_AT_ONCE]
        preloads = _preloads(modules) if charted else ""
        body = self.body.replace(ROOT, first + ROOT + last)
        return f"{self.head}{tags}{LINKS}{self._style()}{preloads}{_program('boot.js', data)}\n</head>{body}"

    def presentation(self, *, tags: str, slides: str) -> str:
        """Return the whole document of slides that fill the screen, without Streamlit."""
        head = f"{self.head}{tags}{LINKS}{self._style()}<style>{present_style()}</style>{_preloads(PRESENT_MODULES)}"
        return f"{head}{_program('present.js', 'null')}\n</head>{self.body.replace(ROOT, slides + ROOT)}"

    def _style(self) -> str:
        fonts, font = FONTS.replace("OURS", self.font), f'type="font/woff2" href="{self.font}"'
        link = f'<link rel="preload" as="font" {font} crossorigin>'
        return f"{link}<style>{fonts}{style()}{svg.STYLE}{plotly.STYLE}</style>"


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
