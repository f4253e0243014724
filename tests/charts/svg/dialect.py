"""What of plotly's figures charts/svg draws: whatever else a figure says has to be taught there first."""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

DIALECT = tomllib.loads(Path(__file__).with_name("dialect.toml").read_text(encoding="utf-8"))
_UNSEEN = ("hoverinfo", "hoverlabel", "hovertemplate", "hovertext", "meta", "modebar")


def unknown(figure: Mapping[str, Any]) -> list[str]:
    """Return what a figure says that charts/svg does not know how to draw."""
    layout = figure["layout"]
    parts = [("layout", layout), *((trace["type"], trace) for trace in figure["data"])]
    parts += [(name, item) for name in ("shapes", "annotations") for item in layout.get(name, ())]
    return [
        f"{kind}.{path} = {value!r}"
        for kind, part in parts
        for path, value in _flat(part)
        if path not in DIALECT["known"].get(kind, "").split()
        or value not in DIALECT["only"].get(f"{kind}.{path}", (value,))
    ]


def _flat(part: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in part.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{above}{name}.") if name not in _UNSEEN else ()
        elif name not in _UNSEEN:
            yield f"{above}{name}", value if isinstance(value, str | int | float | bool) else "…"
