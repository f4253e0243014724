"""Files of the panel for browsers. Each address changes with the file's content."""

import hashlib
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).with_name("browser")
PREFIX = "/assets/"
TAPPED = "tapped.js"
"""Script that runs before any module is loaded."""
MODULES = tuple(sorted(path.name for path in FOLDER.glob("*.js") if path.name != TAPPED))
PLOTLY = "vendor/plotly-cartesian-4.1.1.min.js"
LICENCE = "vendor/plotly-LICENSE.txt"
STYLES = ("panel.css", "bar.css", "print.css", "streamlit.css")
"""Style sheets that every page includes."""
PRESENT_STYLE = "present.css"
"""Style sheet that a presentation includes as well."""


@cache
def version() -> str:
    """Return one digest of all our modules, because they import each other without versions."""
    digest = hashlib.sha256()
    for name in MODULES:
        digest.update((FOLDER / name).read_bytes())
    return digest.hexdigest()[:12]


def address(name: str) -> str:
    """Return the address of a file, from the root of the site."""
    if name == PLOTLY:
        return f"{PREFIX}{PLOTLY}"  # its name includes its version
    return f"{PREFIX}{version()}/{name}"


@cache
def assets() -> dict[str, Path]:
    """Return every file, keyed by its address."""
    files = {address(name): FOLDER / name for name in (*MODULES, PLOTLY)}
    return files | {f"{PREFIX}{LICENCE}": FOLDER / LICENCE}


@cache
def text_of(*names: str) -> str:
    """Return the concatenated text of scripts or style sheets, for inlining in documents."""
    return "".join((FOLDER / name).read_text("utf-8") for name in names)
