"""Folders and files that are written atomically. Nobody ever reads a partial state."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """Yield an empty folder. It replaces ``target`` if the block succeeds, and is deleted otherwise.

    Files are flushed to disk first. An unsealed ``target`` is deleted just before the exchange; leftovers of a killed
    run are removed.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    for left in target.parent.glob(f".{target.name}-*"):
        shutil.rmtree(left, ignore_errors=True)
    work = Path(mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    try:
        yield work
        work.chmod(0o755)
        for path in (*sorted(work.iterdir()), work):
            _flush(path)
        _exchange(work, target=target)
        _flush(target.parent)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def write_file(path: Path, *, text: str) -> None:
    """Replace the text of a file atomically, in UTF-8 with unchanged line endings.

    Raises OSError if the folder or the file cannot be written.
    """
    fresh = path.with_name(f".{path.name}.new")
    try:
        fresh.write_text(text, encoding="utf-8", newline="")
        _flush(fresh)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


def _exchange(work: Path, *, target: Path) -> None:
    if target.exists():
        shutil.rmtree(target)
    work.rename(target)


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
