"""Metadata of our slides (link, exhibit and texts), stored in tags that PowerPoint preserves.

A tag is a name and a text that PowerPoint stores with a slide without showing it (ECMA-376 part 1, 19.3.1.18
custDataLst and 19.2.1.38 tagLst).
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import lxml.etree as etree
from pptx.opc.constants import CONTENT_TYPE as CT
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.opc.package import Part
from pptx.slide import Slide as Page

from charts.powerpoint.drawingml import P, R, parsed, plain, serialised

_LINK, _EXHIBIT, _WRITTEN = "SCALING_GAP_LINK", "SCALING_GAP_EXHIBIT", "SCALING_GAP_WRITTEN"
NOTES = "notes"
"""Key of the notes among the recorded texts."""


@dataclass(frozen=True, kw_only=True)
class Tags:
    """The view on a slide, and a digest of each text written there, keyed by shape."""

    link: str
    exhibit: int = 1
    written: Mapping[str, str] = field(default_factory=dict)


def digest(text: str) -> str:
    """Return a digest of a text, ignoring whitespace."""
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()[:12]


def with_text(page: Page) -> list[Any]:
    """Return the shapes on a page that can contain text."""
    return [shape for shape in page.shapes if shape.has_text_frame]


def put_tags(page: Page, *, link: str, exhibit: int, by_hand: Mapping[str, str] | None = None) -> None:
    """Store a page's view and its current texts in its tags, in place of our earlier tags.

    ``by_hand`` has our last text for shapes that a person has changed since: they stay the person's next time.
    """
    written = {shape.name: digest(shape.text_frame.text) for shape in with_text(page)}
    notes = page.notes_slide.notes_text_frame if page.has_notes_slide else None
    written |= ({NOTES: digest(notes.text)} if notes is not None else {}) | dict(by_hand or {})
    values = {_LINK: link, _EXHIBIT: str(exhibit), _WRITTEN: json.dumps(written, sort_keys=True)}
    part = _part(page)
    root = etree.Element(f"{{{P}}}tagLst", nsmap={"p": P})
    for name, value in (_read(part) | values).items():
        etree.SubElement(root, f"{{{P}}}tag", {"name": name, "val": plain(value)})
    if part is not None:
        part._blob = serialised(root)
        return
    package = page.part.package
    made = Part(package.next_partname("/ppt/tags/tag%d.xml"), CT.PML_TAGS, package, serialised(root))
    held = page._element.find(f"{{{P}}}cSld/{{{P}}}custDataLst")
    if held is None:
        held = etree.Element(f"{{{P}}}custDataLst")
        page.shapes._spTree.addnext(held)
    tags = etree.SubElement(held, f"{{{P}}}tags")
    tags.set(f"{{{R}}}id", page.part.relate_to(made, RT.TAGS))


def tags_of(page: Page) -> Tags | None:
    """Return the metadata of a page.

    None if it is not ours. A page that lost its tags, as in LibreOffice, is recognized by its source line.
    """
    values = _read(_part(page))
    if _LINK in values:
        try:
            written = json.loads(values.get(_WRITTEN, "{}"))
            exhibit = int(values.get(_EXHIBIT, "1"))
        except ValueError:
            written, exhibit = {}, 1
        written = (
            {str(name): str(text) for name, text in written.items()} if isinstance(written, dict) else {}
        )
        return Tags(link=values[_LINK], exhibit=max(exhibit, 1), written=written)
    for shape in with_text(page):
        if shape.name == "Source":
            links = [run.hyperlink.address for line in shape.text_frame.paragraphs for run in line.runs]
            link = next(filter(None, links), None)
            return Tags(link=link) if link else None
    return None


def _part(page: Page) -> Part | None:
    """Return the tags of a page, including other programs' tags. A page has only one list of tags."""
    held = page._element.find(f"{{{P}}}cSld/{{{P}}}custDataLst/{{{P}}}tags")
    relationship = None if held is None else page.part.rels.get(held.get(f"{{{R}}}id", ""))
    return None if relationship is None or relationship.is_external else relationship.target_part


def _read(part: Part | None) -> dict[str, str]:
    try:
        root = parsed(b"<none/>" if part is None else part.blob)
    except etree.LxmlError:
        return {}
    return {tag.get("name", ""): tag.get("val", "") for tag in root.iter(f"{{{P}}}tag")}
