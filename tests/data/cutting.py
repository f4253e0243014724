"""Cuts small changes of our releases for tests."""

from datetime import date
from pathlib import Path
from typing import Any

from data import releases, seal, standing
from data.release_name import correction_of, next_correction

DAY = date(2030, 1, 15)
NAMES, NEWEST = releases.names(), releases.latest()
NEXT = next_correction(NEWEST, NAMES)
"""The correction of the newest release that would come next."""
BESIDE = tuple({correction_of(name): name for name in NAMES}.values())
"""The releases that a new one is compared with, besides itself."""


def later(folder: Path, name: str, *, tables: Any = None, working: Any = None) -> Path:
    """Cut a release like the newest of a folder but for ``tables`` or ``working`` standing tables; return its path."""
    newest = folder / seal.names(folder)[-1]
    files = {table: (newest / table).read_bytes().decode() for table in seal.TABLES}
    texts, working = files | dict(tables or {}), standing.working() | dict(working or {})
    record = {"source": "a test", "exported_by": ""}
    seal.cut(folder / name, record=record, tables=texts, standing=working, sealed=DAY)
    return folder / name
