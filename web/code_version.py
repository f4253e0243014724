"""Which program made a file: a new program must not answer that an old program's file is still right."""

import hashlib
from functools import cache
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("analysis", "charts", "data", "views", "web")
LIBRARIES = ("matplotlib", "numpy", "pandas", "python-pptx", "scipy")


@cache
def code_version() -> str:
    """Return a short text that changes with our sources and with the libraries that draw and compute."""
    digest = hashlib.sha256()
    for library in LIBRARIES:
        digest.update(f"{library} {version(library)}\n".encode())
    for package in PACKAGES:
        for source in sorted((ROOT / package).rglob("*.py")):
            digest.update(source.relative_to(ROOT).as_posix().encode())
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]
