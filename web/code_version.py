"""Version of the program. A new version does not reuse files or pages of an old one."""

import hashlib
from functools import cache
from pathlib import Path

from data.package import fingerprint
from data.records import FIGURES, MOVED

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("analysis", "charts", "data", "panel", "views", "web")
SOURCES = (".py", ".j2", ".js", ".css")
RECORDS = (".csv", ".json", ".md", ".txt", ".ttf", ".toml", ".xml", ".pptx")
"""Types of data files that answers depend on. Those in data/ belong to releases instead."""
LOCK = ROOT / "requirements.txt"
"""File with the versions of the app's libraries."""


@cache
def code_version() -> str:
    """Return a digest of our sources, the files that they read, and the app's lock file."""
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
    """Return a digest of our sources, libraries and data, on which every answer depends."""
    return hashlib.sha256(f"{code_version()} {fingerprint()}".encode()).hexdigest()[:12]
