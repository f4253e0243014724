"""Elements of DrawingML as trees. Text from data cannot become markup."""

import re
from typing import TypeAlias

import lxml.etree as etree

C = "http://schemas.openxmlformats.org/drawingml/2006/chart"
A = "http://schemas.openxmlformats.org/drawingml/2006/main"
CDR = "http://schemas.openxmlformats.org/drawingml/2006/chartDrawing"
P = "http://schemas.openxmlformats.org/presentationml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

EMU_PER_POINT = 12_700
_NAMES = {"c": C, "a": A, "r": R}
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

Element: TypeAlias = etree._Element
Child: TypeAlias = Element | str | None


def plain(text: str) -> str:
    """Return ``text`` without characters that XML does not allow (controls, lone surrogates)."""
    return _NOT_XML.sub("", text)


def c(tag: str, *children: Child, **attributes: object) -> Element:
    """Return a chart element. A string child becomes text; a child or attribute that is None is omitted."""
    return _element(C, tag, children=children, attributes=attributes)


def a(tag: str, *children: Child, **attributes: object) -> Element:
    """Return a drawing element. Arguments are those of :func:`c`."""
    return _element(A, tag, children=children, attributes=attributes)


def cdr(tag: str, *children: Child, **attributes: object) -> Element:
    """Return an element of the drawing inside a chart. Arguments are those of :func:`c`."""
    return _element(CDR, tag, children=children, attributes=attributes)


def vals(**values: object) -> list[Element]:
    """Return chart elements with a single value each, in the given order. ``delete=0`` gives <c:delete val="0"/>."""
    return [c(tag, val=value) for tag, value in values.items()]


def no_edge() -> Element:
    """Return the outline of a shape without an edge."""
    return a("ln", a("noFill"))


def unseen() -> Element:
    """Return the style of a shape without fill or edge."""
    return c("spPr", a("noFill"), no_edge())


def _element(
    namespace: str, tag: str, *, children: tuple[Child, ...], attributes: dict[str, object]
) -> Element:
    made = etree.Element(f"{{{namespace}}}{tag}", nsmap={"cdr": CDR} if namespace == CDR else _NAMES)
    for name, value in attributes.items():
        if value is not None:
            made.set(name, plain(str(value)))
    for child in children:
        if isinstance(child, str):
            made.text = plain(child)
        elif child is not None:
            made.append(child)
    return made


def number(value: float) -> str:
    """Return the shortest decimal text that is read back as this number."""
    value = float(value)
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def serialised(root: Element) -> bytes:
    """Return the bytes of a part: its tree, serialized with an XML declaration."""
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)


def parsed(part: bytes) -> Element:
    """Return the root of an uploaded file's part, parsed without entities or external addresses."""
    return etree.fromstring(part, etree.XMLParser(resolve_entities=False, no_network=True))
