"""The parts of a presentation follow the schema of the format (ECMA-376 part 1: dml-chart, dml-main, pml).

The child order of every complex type that we emit is written out here, from the sequences of the standard;
no schema file is packaged with any library we use.
"""

import io
import posixpath
import re
import zipfile

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
_LOOK = (
    f"a:ln {_FILLS} a:effectLst a:highlight a:latin a:ea a:cs a:sym a:hlinkClick a:hlinkMouseOver a:extLst"
)
_SHAPE = f"a:xfrm a:custGeom a:prstGeom {_FILLS} a:ln a:effectLst a:extLst"
_BODY = "a:bodyPr a:lstStyle a:p*"
_LINE = f"{_FILLS} a:prstDash a:custDash a:round a:bevel a:miter a:headEnd a:tailEnd a:extLst"
_PARAGRAPH = (
    "a:lnSpc a:spcBef a:spcAft a:buClrTx a:buClr a:buFont a:buNone a:buChar a:tabLst a:defRPr a:extLst"
)
_SHOWN = "c:showLegendKey c:showVal c:showCatName c:showSerName c:showPercent c:showBubbleSize"
_AXIS = (
    "c:axId c:scaling c:delete c:axPos c:majorGridlines c:minorGridlines c:title c:numFmt c:majorTickMark "
    "c:minorTickMark c:tickLblPos c:spPr c:txPr c:crossAx c:crosses c:crossesAt "
)
_CACHE = "c:ptCount c:pt* c:extLst"

# Each type: its children in order; * may repeat. A choice is written as a sequence, of which one is used.
_ORDER = {
    "c:chartSpace": "c:date1904 c:lang c:roundedCorners c:style c:clrMapOvr c:protection c:chart c:spPr "
    "c:txPr c:externalData c:printSettings c:userShapes c:extLst",
    "c:chart": "c:title c:autoTitleDeleted c:plotArea c:legend c:plotVisOnly c:dispBlanksAs c:extLst",
    "c:plotArea": "c:layout c:barChart c:scatterChart c:catAx c:valAx* c:dTable c:spPr c:extLst",
    "c:layout": "c:manualLayout",
    "c:manualLayout": "c:layoutTarget c:xMode c:yMode c:wMode c:hMode c:x c:y c:w c:h",
    "c:scatterChart": "c:scatterStyle c:varyColors c:ser* c:dLbls c:axId* c:extLst",
    "c:barChart": "c:barDir c:grouping c:varyColors c:ser* c:dLbls c:gapWidth c:overlap c:serLines c:axId*",
    "c:scatterChart/c:ser": "c:idx c:order c:tx c:spPr c:marker c:dPt* c:dLbls c:trendline* c:errBars* "
    "c:xVal c:yVal c:smooth c:extLst",
    "c:barChart/c:ser": "c:idx c:order c:tx c:spPr c:invertIfNegative c:pictureOptions c:dPt* c:dLbls "
    "c:trendline* c:errBars c:cat c:val c:shape c:extLst",
    "c:ser/c:tx": "c:strRef c:v",
    "c:dLbl/c:tx": "c:strRef c:rich",
    "c:title/c:tx": "c:strRef c:rich",
    "c:strRef": "c:f c:strCache",
    "c:numRef": "c:f c:numCache",
    "c:strCache": _CACHE,
    "c:numCache": f"c:formatCode {_CACHE}",
    "c:pt": "c:v",
    "c:marker": "c:symbol c:size c:spPr",
    "c:dPt": "c:idx c:invertIfNegative c:marker c:bubble3D c:explosion c:spPr",
    "c:dLbls": f"c:dLbl* c:delete c:numFmt c:spPr c:txPr c:dLblPos {_SHOWN} c:separator c:extLst",
    "c:dLbl": f"c:idx c:delete c:layout c:tx c:numFmt c:spPr c:txPr c:dLblPos {_SHOWN} c:separator c:extLst",
    "c:errBars": "c:errDir c:errBarType c:errValType c:noEndCap c:plus c:minus c:val c:spPr",
    "c:plus": "c:numRef c:numLit",
    "c:minus": "c:numRef c:numLit",
    "c:xVal": "c:numRef c:strRef",
    "c:yVal": "c:numRef",
    "c:ser/c:val": "c:numRef",
    "c:cat": "c:strRef c:numRef",
    "c:scaling": "c:logBase c:orientation c:max c:min",
    "c:majorGridlines": "c:spPr",
    "c:title": "c:tx c:layout c:overlay c:spPr c:txPr",
    "c:valAx": f"{_AXIS} c:crossBetween c:majorUnit c:minorUnit c:dispUnits",
    "c:catAx": f"{_AXIS} c:auto c:lblAlgn c:lblOffset c:tickLblSkip c:tickMarkSkip c:noMultiLvlLbl",
    "c:spPr": _SHAPE,
    "c:txPr": _BODY,
    "c:rich": _BODY,
    "c:externalData": "c:autoUpdate",
    "c:userShapes": "cdr:relSizeAnchor*",
    "cdr:relSizeAnchor": "cdr:from cdr:to cdr:sp|cdr:grpSp|cdr:graphicFrame|cdr:cxnSp|cdr:pic",
    "cdr:from": "cdr:x cdr:y",
    "cdr:to": "cdr:x cdr:y",
    "cdr:sp": "cdr:nvSpPr cdr:spPr cdr:style cdr:txBody",
    "cdr:nvSpPr": "cdr:cNvPr cdr:cNvSpPr",
    "cdr:spPr": _SHAPE,
    "cdr:txBody": _BODY,
    "p:sld": "p:cSld p:clrMapOvr p:transition p:timing p:extLst",
    "p:cSld": "p:bg p:spTree p:custDataLst p:controls p:extLst",
    "p:custDataLst": "p:custData* p:tags",
    "p:spTree": "p:nvGrpSpPr p:grpSpPr p:sp|p:grpSp|p:graphicFrame|p:cxnSp|p:pic*",
    "p:nvGrpSpPr": "p:cNvPr p:cNvGrpSpPr p:nvPr",
    "p:grpSpPr": f"a:xfrm {_FILLS}",
    "p:sp": "p:nvSpPr p:spPr p:style p:txBody p:extLst",
    "p:nvSpPr": "p:cNvPr p:cNvSpPr p:nvPr",
    "p:cNvPr": "a:hlinkClick a:hlinkHover a:extLst",
    "p:cNvSpPr": "a:spLocks a:extLst",
    "p:nvPr": "p:ph p:extLst",
    "p:spPr": _SHAPE,
    "p:txBody": _BODY,
    "p:graphicFrame": "p:nvGraphicFramePr p:xfrm a:graphic p:extLst",
    "p:nvGraphicFramePr": "p:cNvPr p:cNvGraphicFramePr p:nvPr",
    "p:cNvGraphicFramePr": "a:graphicFrameLocks a:extLst",
    "p:xfrm": "a:off a:ext",
    "p:clrMapOvr": "a:masterClrMapping a:overrideClrMapping",
    "p:style": "a:lnRef a:fillRef a:effectRef a:fontRef",
    "a:xfrm": "a:off a:ext a:chOff a:chExt",
    "a:graphic": "a:graphicData",
    "a:graphicData": "c:chart a:tbl",
    "a:tbl": "a:tblPr a:tblGrid a:tr*",
    "a:tblGrid": "a:gridCol*",
    "a:gridCol": "a:extLst",
    "a:tblPr": f"{_FILLS} a:tableStyleId",
    "a:tr": "a:tc* a:extLst",
    "a:tc": "a:txBody a:tcPr",
    "a:txBody": _BODY,
    "a:tcPr": f"a:lnL a:lnR a:lnT a:lnB a:lnTlToBr a:lnBlToTr {_FILLS} a:extLst",
    "a:prstGeom": "a:avLst",
    "a:custGeom": "a:avLst a:gdLst a:ahLst a:cxnLst a:rect a:pathLst",
    "a:pathLst": "a:path*",
    "a:path": "a:moveTo|a:lnTo|a:close*",
    "a:moveTo": "a:pt",
    "a:lnTo": "a:pt",
    "a:pattFill": "a:fgClr a:bgClr",
    "a:fgClr": _COLOURS,
    "a:bgClr": _COLOURS,
    "a:bodyPr": "a:noAutofit a:normAutofit a:spAutoFit",
    "a:lstStyle": "a:defPPr a:lvl1pPr a:lvl2pPr",
    "a:p": "a:pPr a:r|a:br|a:fld* a:endParaRPr",
    "a:pPr": _PARAGRAPH,
    "a:spcBef": "a:spcPct a:spcPts",
    "a:r": "a:rPr a:t",
    "a:fld": "a:rPr a:pPr a:t",
    "a:rPr": _LOOK,
    "a:defRPr": _LOOK,
    "a:endParaRPr": _LOOK,
    "a:hlinkClick": "a:snd a:extLst",
    "a:ln": _LINE,
    "a:lnL": _LINE,
    "a:lnR": _LINE,
    "a:lnT": _LINE,
    "a:lnB": _LINE,
    "a:solidFill": _COLOURS,
    "a:srgbClr": "a:lumMod a:lumOff a:satMod a:alpha",
    "a:schemeClr": "a:lumMod a:lumOff a:satMod a:alpha",
}
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
    return {
        "ours": deck(shown, changes=moved),
        "a company's": deck(shown, changes=moved, template=themed),
    }


@pytest.fixture(scope="module", params=["ours", "a company's"])
def content(request: pytest.FixtureRequest) -> dict[str, bytes]:
    return parts(_decks()[request.param])


def test_every_chart_and_slide_part_has_its_children_in_schema_order(content: dict[str, bytes]) -> None:
    parts_drawn = r"ppt/(charts/chart|slides/slide|drawings/drawing)\d+\.xml"
    checked = [name for name in content if re.fullmatch(parts_drawn, name)]
    assert len(checked) == 9 + 5 + 4
    for name in checked:
        assert _faults(etree.fromstring(content[name])) == [], name


def test_the_order_check_finds_an_element_out_of_place() -> None:
    wrong = '<c:scaling xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:min/><c:max/></c:scaling>'
    assert _faults(etree.fromstring(wrong)) == ["/c:scaling: ['c:min', 'c:max'] out of order"]


def test_every_relationship_leads_to_a_part_that_is_there(content: dict[str, bytes]) -> None:
    for name, part in content.items():
        if not name.endswith(".rels"):
            continue
        folder = posixpath.dirname(posixpath.dirname(name))
        for relation in etree.fromstring(part):
            if relation.get("TargetMode") == "External":
                continue
            target = relation.get("Target")
            path = target.lstrip("/") if target.startswith("/") else posixpath.join(folder, target)
            assert posixpath.normpath(path) in content, f"{name}: {target}"


def test_every_reference_in_a_part_is_among_its_relationships(content: dict[str, bytes]) -> None:
    for name, part in content.items():
        if not re.fullmatch(r"ppt/(.*/)?(chart|slide|presentation)\d*\.xml", name):
            continue
        relations = f"{posixpath.dirname(name)}/_rels/{posixpath.basename(name)}.rels"
        known = {found.get("Id") for found in etree.fromstring(content[relations])}
        space = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
        used = {v for e in etree.fromstring(part).iter() for k, v in e.attrib.items() if k.startswith(space)}
        assert used <= known, name


def test_every_part_has_a_content_type(content: dict[str, bytes]) -> None:
    types = etree.fromstring(content["[Content_Types].xml"])
    endings = {found.get("Extension") for found in types.iter("{*}Default")}
    named = {found.get("PartName").lstrip("/") for found in types.iter("{*}Override")}
    assert [n for n in content if n not in named and n.rsplit(".")[-1] not in endings] == [
        "[Content_Types].xml"
    ] * ("xml" not in endings)
    assert named <= set(content)


def test_identifiers_on_a_slide_and_series_in_a_chart_are_unique(content: dict[str, bytes]) -> None:
    for name, part in content.items():
        if name.startswith(("ppt/slides/slide", "ppt/drawings/drawing")):
            found = [shape.get("id") for shape in etree.fromstring(part).iter("{*}cNvPr")]
        elif name.startswith("ppt/charts/chart"):
            root = etree.fromstring(part)
            found = [value.get("val") for value in root.iter("{*}order")]
            assert found == [value.get("val") for value in root.iterfind(".//{*}ser/{*}idx")]
        else:
            continue
        assert len(found) == len(set(found)), name


def test_no_name_is_twice_in_the_file() -> None:
    with zipfile.ZipFile(io.BytesIO(deck([slide(), slide(), slide(ranking())]))) as archive:
        names = archive.namelist()
    assert len(names) == len(set(names))
