"""Puts a finished folder in the place of an older one in one step, so that no half state is ever read."""

import ctypes
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """Give an empty folder beside ``target`` that becomes ``target`` if the block ends well, else is gone.

    Files are flushed to disk before the exchange. On Linux the exchange is one system call; elsewhere
    the old folder is moved aside first and moved back if the new one cannot take its place. What a
    killed run left beside ``target`` is cleared, and an old folder it had moved aside is put back.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    _clear_up(target)
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
    """Replace a file's text in one step: the old file stays until the new one is whole on disk."""
    fresh = path.with_name(f".{path.name}.new")
    try:
        fresh.write_text(text, encoding="utf-8", newline="\n")
        _flush(fresh)
        os.replace(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)


def _clear_up(target: Path) -> None:
    for aside in target.parent.glob(f".{target.name}-*-old"):
        if not target.exists():
            aside.rename(target)
    for left in target.parent.glob(f".{target.name}-*"):
        shutil.rmtree(left, ignore_errors=True)


def _exchange(work: Path, *, target: Path) -> None:
    if not target.exists():
        work.rename(target)
        return
    if _exchanged_by_kernel(work, target=target):
        return
    aside = work.with_name(f"{work.name}-old")
    target.rename(aside)
    try:
        work.rename(target)
    except BaseException:
        aside.rename(target)
        raise
    shutil.rmtree(aside)


def _exchanged_by_kernel(work: Path, *, target: Path) -> bool:
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError, TypeError):
        return False
    return rename(_AT_FDCWD, os.fsencode(work), _AT_FDCWD, os.fsencode(target), _RENAME_EXCHANGE) == 0


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
