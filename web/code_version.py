"""Version of the program, by which a new program does not revalidate files and pages of an old one."""

import hashlib
from functools import cache
from pathlib import Path

from data.package import fingerprint
from data.records import FIGURES, MOVED

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("analysis", "charts", "data", "panel", "views", "web")
SOURCES = (".py", ".j2", ".js", ".css")
RECORDS = (".csv", ".json", ".md", ".txt", ".ttf", ".toml", ".xml", ".pptx")
"""Types of data files that answers depend on; in data/ such files belong to releases, which have fingerprints."""
LOCK = ROOT / "requirements.txt"
"""The versions of the libraries of the app."""


@cache
def code_version() -> str:
    """Return a digest of our sources, the files they read other than data, and the app's lock file."""
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
    """Return a digest of our sources, libraries and data: everything that an answer depends on."""
    return hashlib.sha256(f"{code_version()} {fingerprint()}".encode()).hexdigest()[:12]
