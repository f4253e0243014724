"""The files a browser needs for the panel, each at an address that changes with what it holds."""

import hashlib
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).with_name("browser")
PREFIX = "/assets/"
TAPPED = "tapped.js"
"""What runs before any module has come."""
MODULES = tuple(sorted(path.name for path in FOLDER.glob("*.js") if path.name != TAPPED))
PLOTLY = "vendor/plotly-cartesian-4.1.1.min.js"
LICENCE = "vendor/plotly-LICENSE.txt"
STYLES = ("panel.css", "bar.css", "print.css", "streamlit.css")
"""What every page has."""
PRESENT_STYLE = "present.css"
"""What only a presentation has, in its own document."""


@cache
def version() -> str:
    """Return a short text that changes with any of our own modules, which name one another without it."""
    digest = hashlib.sha256()
    for name in MODULES:
        digest.update((FOLDER / name).read_bytes())
    return digest.hexdigest()[:12]


def address(name: str) -> str:
    """Return the address of a file, from the root of the site."""
    if name == PLOTLY:
        return f"{PREFIX}{PLOTLY}"  # its name carries its release
    return f"{PREFIX}{version()}/{name}"


@cache
def assets() -> dict[str, Path]:
    """Return every file by its address."""
    files = {address(name): FOLDER / name for name in (*MODULES, PLOTLY)}
    return files | {f"{PREFIX}{LICENCE}": FOLDER / LICENCE}


@cache
def tapped() -> str:
    """Return the script of a page that must not wait for a file, which stands in the document itself."""
    return (FOLDER / TAPPED).read_text("utf-8")


@cache
def style() -> str:
    """Return the style sheet of every page, which stands in the document itself."""
    return "".join((FOLDER / name).read_text("utf-8") for name in STYLES)


@cache
def present_style() -> str:
    """Return the style sheet that a presentation has beside that of every page."""
    return (FOLDER / PRESENT_STYLE).read_text("utf-8")
