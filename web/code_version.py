"""Which program made a file or a page: a new one must not answer that what an old one made is still right."""

import hashlib
from functools import cache
from importlib.metadata import version
from pathlib import Path

from data.package import fingerprint

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("analysis", "charts", "data", "panel", "views", "web")
SOURCES = (".py", ".j2", ".js", ".css")
LIBRARIES = ("matplotlib", "numpy", "pandas", "python-pptx", "scipy")


@cache
def code_version() -> str:
    """Return a short text that changes with our sources and with the libraries that draw and compute."""
    digest = hashlib.sha256()
    for library in LIBRARIES:
        digest.update(f"{library} {version(library)}\n".encode())
    for package in PACKAGES:
        for source in sorted((ROOT / package).rglob("*")):
            if source.suffix not in SOURCES:
                continue
            digest.update(source.relative_to(ROOT).as_posix().encode())
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def program() -> str:
    """Return a short text that changes with our sources, our libraries or our data: with anything an answer says."""
    return hashlib.sha256(f"{code_version()} {fingerprint()}".encode()).hexdigest()[:12]
