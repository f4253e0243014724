"""Which program made a file or a page: a new one must not answer that what an old one made is still right."""

import hashlib
import re
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from data.package import fingerprint
from data.records import FIGURES, MOVED

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("analysis", "charts", "data", "panel", "views", "web")
SOURCES = (".py", ".j2", ".js", ".css")
RECORDS = (".csv", ".json", ".md", ".txt", ".ttf", ".toml", ".xml", ".pptx")
"""What answers are made with beside code; in data/ such files are a release, which its fingerprint covers."""
LOCK = ROOT / "requirements.txt"
_PACKAGE = re.compile(r"^([\w.-]+)==", re.MULTILINE)


def libraries() -> dict[str, str]:
    """Return the installed version of every package that the app's lock names for this system."""
    versions = {}
    for name in _PACKAGE.findall(LOCK.read_text(encoding="utf-8")):
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            continue
    return versions


@cache
def code_version() -> str:
    """Return a short text that changes with our sources, what they read beside the data, and the app's libraries."""
    digest = hashlib.sha256()
    for name, number in libraries().items():
        digest.update(f"{name} {number}\n".encode())
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
