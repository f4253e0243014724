"""What an SVG drawing of a chart holds, read back from its markup."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from charts.plotly.axes import SIZE
from charts.svg.scale import WIDE
from charts.text_width import text_width

Places = NDArray[np.float64]
_ANCHORS = {"xticks": "middle", "yticks": "end"}


def parsed(drawing: str) -> ET.Element:
    return ET.fromstring(drawing)


def light(root: ET.Element) -> dict[str, str]:
    """Return the light colour of each variable of a drawing."""
    pairs = re.findall(r"(--c\d+):light-dark\((#\w{6}|rgba\([^)]*\)),", root.attrib["style"])
    return {f"var({name})": colour for name, colour in pairs}


def texts(root: ET.Element) -> list[str]:
    """Return every text, its lines parted by line breaks."""
    return ["\n".join(_lines(text)) for text in root.iter("text")]


def _lines(text: ET.Element) -> list[str]:
    lines = [text.text or ""]
    for part in text:
        run = "".join(part.itertext()) + (part.tail or "")
        if "dy" in part.attrib:
            lines.append(run)
        else:
            lines[-1] += run
    return lines


def polylines(data: str, *, wide: float = WIDE) -> list[Places]:
    """Return the runs of path data with M, L and Z in a box so wide: shares of the width, and pixels."""
    runs = []
    for run in filter(None, data.split("M")):
        numbers = [float(value) for value in re.findall(r"-?[\d.]+", run)]
        places = np.array(numbers).reshape(-1, 2) / (wide, 1)
        runs.append(np.concatenate([places, places[:1]]) if run.endswith("Z") else places)
    return runs


def marks(root: ET.Element, *, width: float | None = None) -> Iterator[tuple[str, list[Places]]]:
    """Yield every cloud of markers, line and area in the order of drawing, with the places it goes through.

    ``width`` is that of the plot in a picture. [px]
    """
    wide = width or WIDE
    for element in root.iter():
        style = element.get("style", "")
        if element.get("class") == "marks":
            yield "markers", [np.array([_place(stamp, width) for stamp in element]).reshape(-1, 2)]
        elif element.tag == "g" and style.startswith("fill:none"):
            yield "line", [run for path in element for run in polylines(path.attrib["d"], wide=wide)]
        elif element.tag == "path" and style.startswith("fill:") and "crisp" not in str(element.attrib):
            yield "area", polylines(element.attrib["d"], wide=wide)


def _place(stamp: ET.Element, width: float | None) -> tuple[float, float]:
    moved = re.findall(r"-?[\d.]+", stamp.get("transform", ""))
    x, y = moved or (stamp.get(f"c{side}", stamp.get(side, "")) for side in "xy")
    assert x.endswith("%") == (width is None)
    return float(x.removesuffix("%")) / (width or 100), float(y)


def farthest(places: Places, line: Places) -> float:
    """Return how far the farthest of places, shape (n, 2), lies from a line through places. [px]"""
    start, way = line[:-1], np.diff(line, axis=0)
    off = places[:, None] - start
    length = np.maximum((way**2).sum(axis=1), 1e-12)
    share = np.clip((off * way).sum(axis=2) / length, 0, 1)
    gaps = np.linalg.norm(off - share[..., None] * way, axis=2)
    return float(gaps.min(axis=1).max(initial=0.0))


@dataclass(frozen=True)
class Words:
    """A line of text in a drawing: its size, and its box from ascenders to descenders. [px]"""

    text: str
    size: float
    left: float
    top: float
    right: float
    bottom: float


def words(root: ET.Element, *, hidden: Collection[str] = ()) -> Iterator[Words]:
    """Yield the lines of text of a drawing of known width, without those of the ``hidden`` classes."""
    yield from _words(root, x=0, y=0, scale=1, look={"size": SIZE, "text-anchor": "", "hidden": hidden})


def _words(element: ET.Element, *, x: float, y: float, scale: float, look: dict[str, Any]) -> Iterator[Words]:
    """Yield the lines of text below an element, with what they inherit: where its origin lies, and its look."""
    kind = element.get("class", "").partition(" ")[0]
    if kind in look["hidden"]:
        return
    for change, numbers in re.findall(r"(\w+)\(([^)]*)\)", element.get("transform", "")):
        first, *others = map(float, numbers.split())
        if change == "scale":
            scale *= first
        else:
            x, y = x + scale * first, y + scale * others[0]
    size = re.search(r"font-size:([\d.]+)px", element.get("style", ""))
    own = {"size": float(size[1])} if size else {}
    own |= {name: element.attrib[name] for name in ("text-anchor", "font-weight") if name in element.attrib}
    look = {**look, **({"text-anchor": _ANCHORS[kind]} if kind in _ANCHORS else {}), **own}
    if not element.tag.endswith("text"):
        for child in element:
            yield from _words(child, x=x, y=y, scale=scale, look=look)
        return
    bold = "font-weight" in look or 'font-weight="700"' in ET.tostring(element, encoding="unicode")
    size = look["size"] * scale
    for row, line in enumerate(_lines(element)):
        wide = text_width(line, size=size, bold=bold)
        share = {"middle": 0.5, "end": 1}.get(look["text-anchor"], 0)
        left = x + scale * float(element.get("x", 0)) - share * wide
        base = y + scale * float(element.get("y", 0)) + 1.3 * row * size
        yield Words(line, size, left, base - 0.75 * size, left + wide, base + 0.2 * size)


def overlapping(every: Sequence[Words]) -> list[tuple[str, str]]:
    """Return the words that lie on others; ascenders and descenders of neighbouring lines may share a little height."""
    return [
        (one.text, other.text)
        for one, other in combinations(every, 2)
        if min(one.right, other.right) - max(one.left, other.left) > 1
        and min(one.bottom, other.bottom) - max(one.top, other.top) >= 0.12 * one.size
    ]
