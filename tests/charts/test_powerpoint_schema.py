"""The parts of a presentation have their children in the order of the schema (ECMA-376 part 1), child_order.toml."""

import posixpath
import re
import tomllib
from pathlib import Path

import lxml.etree as etree
import pytest

from tests.charts.map_examples import places, tornado
from tests.charts.powerpoint_examples import company_template, deck, parts, ranking, slide

_NAMES = {
    "http://schemas.openxmlformats.org/drawingml/2006/chart": "c",
    "http://schemas.openxmlformats.org/drawingml/2006/main": "a",
    "http://schemas.openxmlformats.org/presentationml/2006/main": "p",
    "http://schemas.openxmlformats.org/drawingml/2006/chartDrawing": "cdr",
}
_FILLS = "a:noFill a:solidFill a:gradFill a:blipFill a:pattFill a:grpFill"
_COLOURS = "a:scrgbClr a:srgbClr a:hslClr a:sysClr a:schemeClr a:prstClr"
_ORDER = tomllib.loads(Path(__file__).with_name("child_order.toml").read_text(encoding="utf-8"))
_SINGLE_CHOICES = (_FILLS.split(), _COLOURS.split(), ["c:crosses", "c:crossesAt"], ["c:strRef", "c:rich"])


def _short(tag: str) -> str:
    namespace, name = tag[1:].split("}")
    return f"{_NAMES.get(namespace, namespace)}:{name}"


def _faults(element: etree._Element, path: str = "") -> list[str]:
    name = _short(element.tag)
    path = f"{path}/{name}"
    if name in ("a:extLst", "p:extLst"):
        return []
    parent = element.getparent()
    keys = ([f"{_short(parent.tag)}/{name}"] if parent is not None else []) + [name]
    children = [_short(child.tag) for child in element]
    key = next((key for key in keys if key in _ORDER), None)
    if key is None:
        return [f"{path} has children no order is known for"] if children else []
    places: dict[str, int] = {}
    repeats: set[str] = set()
    for place, entry in enumerate(_ORDER[key].split()):
        for tag in entry.rstrip("*").split("|"):
            places[tag] = place
            if entry.endswith("*"):
                repeats.add(tag)
    faults = [f"{path} may not hold {child}" for child in children if child not in places]
    order = [places[child] for child in children if child in places]
    if order != sorted(order):
        faults.append(f"{path}: {children} out of order")
    faults += [f"{path} holds {tag} twice" for tag in set(children) - repeats if children.count(tag) > 1]
    for choice in _SINGLE_CHOICES:
        if sum(child in choice for child in children) > 1:
            faults.append(f"{path} holds more than one of {choice}")
    return faults + [fault for child in element for fault in _faults(child, path)]


def _decks() -> dict[str, bytes]:
    moved = [("Growth gap", "3.5× a year", "3.6× a year")]
    themed = company_template("7A0019", "FFCC33", "555555", dark=True)
    shown = [slide(), slide(ranking()), slide(places()), slide(tornado()), slide(tornado(scale="log"))]
    return {"ours": deck(shown, changes=moved), "a company's": deck(shown, changes=moved, template=themed)}


@pytest.fixture(scope="module", params=["ours", "a company's"])
def content(request: pytest.FixtureRequest) -> dict[str, bytes]:
    return parts(_decks()[request.param])


def test_every_chart_and_slide_part_has_its_children_in_schema_order(content: dict[str, bytes]) -> None:
    parts_drawn = r"ppt/(charts/chart|slides/slide|drawings/drawing)\d+\.xml"
    checked = [name for name in content if re.fullmatch(parts_drawn, name)]
    assert len(checked) == 9 + 5 + 4
    for name in checked:
        assert _faults(etree.fromstring(content[name])) == [], name


def test_every_reference_in_a_part_is_among_its_relationships(content: dict[str, bytes]) -> None:
    for name, part in content.items():
        if not re.fullmatch(r"ppt/(.*/)?(chart|slide|presentation)\d*\.xml", name):
            continue
        relations = f"{posixpath.dirname(name)}/_rels/{posixpath.basename(name)}.rels"
        known = {result.get("Id") for result in etree.fromstring(content[relations])}
        space = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
        used = {v for e in etree.fromstring(part).iter() for k, v in e.attrib.items() if k.startswith(space)}
        assert used <= known, name


def test_identifiers_on_a_slide_and_series_in_a_chart_are_unique(content: dict[str, bytes]) -> None:
    for name, part in content.items():
        if name.startswith(("ppt/slides/slide", "ppt/drawings/drawing")):
            result = [shape.get("id") for shape in etree.fromstring(part).iter("{*}cNvPr")]
        elif name.startswith("ppt/charts/chart"):
            root = etree.fromstring(part)
            result = [value.get("val") for value in root.iter("{*}order")]
            assert result == [value.get("val") for value in root.iterfind(".//{*}ser/{*}idx")]
        else:
            continue
        assert len(result) == len(set(result)), name
