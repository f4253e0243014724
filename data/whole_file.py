"""Writes a file whole or not at all: whoever reads it meanwhile sees the file of before."""

import os
import tempfile
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Write text to a file, UTF-8, line ends as they are, readable by all; the file of before stays on failure.

    Raises
    ------
    OSError
        The folder or the file cannot be written.
    """
    descriptor, name = tempfile.mkstemp(dir=path.resolve().parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
