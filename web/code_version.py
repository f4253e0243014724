"""Which program made a file or a page: a new one must not answer that what an old one made is still right."""

import hashlib
from functools import cache
from pathlib import Path

from data.package import fingerprint
from data.records import FIGURES, MOVED

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("analysis", "charts", "data", "panel", "views", "web")
SOURCES = (".py", ".j2", ".js", ".css")
RECORDS = (".csv", ".json", ".md", ".txt", ".ttf", ".toml", ".xml", ".pptx")
"""What answers are made with beside code; in data/ such files are a release, which its fingerprint covers."""
LOCK = ROOT / "requirements.txt"
"""The versions of the libraries of the app."""


@cache
def code_version() -> str:
    """Return a short text that changes with our sources, what they read beside the data, and the app's lock."""
    digest = hashlib.sha256(LOCK.read_bytes())
    for package in PACKAGES:
        suffixes = SOURCES if package == "data" else SOURCES + RECORDS
        for source in sorted((ROOT / package).rglob("*")):
            if source.suffix not in suffixes:
                continue
            digest.update(source.relative_to(ROOT).as_posix().encode())
            digest.update(source.read_bytes())
    digest.update(FIGURES.read_bytes() + MOVED.read_bytes())
    return digest.hexdigest()[:16]


def program() -> str:
    """Return a short text that changes with our sources, our libraries or our data: with anything an answer says."""
    return hashlib.sha256(f"{code_version()} {fingerprint()}".encode()).hexdigest()[:12]
