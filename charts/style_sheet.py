"""The style sheets of drawn charts, which stand in the documents themselves."""

from pathlib import Path


def style_sheet(path: Path) -> str:
    """Return a style sheet as it stands in a document: without its indentation and line breaks."""
    return "".join(line.strip() for line in path.read_text(encoding="utf-8").splitlines())
