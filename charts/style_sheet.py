"""Style sheets of charts, for inlining in documents."""

from pathlib import Path


def style_sheet(path: Path) -> str:
    """Return a style sheet for inlining, without indentation or line breaks."""
    return "".join(line.strip() for line in path.read_text(encoding="utf-8").splitlines())
