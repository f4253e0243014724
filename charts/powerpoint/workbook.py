"""The workbook of a native chart: exactly the numbers of the description, under readable headers.

It is written directly, because common writers round to 16 digits and add the time of day. Text is stored as text, never
as a formula, and stays text when a reader edits the cell.
"""

import io
import math
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from charts.powerpoint.drawingml import number, plain

Cell = str | float | None

FIRST_DAY = (1980, 1, 1, 0, 0, 0)
"""The earliest date in a zip, for reproducible entries."""

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_STYLES = Path(__file__).with_name("styles.xml")
_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_STYLE_PLAIN, _STYLE_HEADER, _STYLE_GUARDED = 0, 1, 2
_FORMULA_STARTS = ("=", "+", "-", "@")
_LONGEST_TEXT = 32_767  # maximum length of a cell


@dataclass(frozen=True, kw_only=True)
class Reference:
    """A range of one column: its reference in the chart, and its values."""

    formula: str
    values: Sequence[Cell]


class Sheet:
    """A worksheet of column blocks side by side: a block title, headers with unit, values."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._columns: list[tuple[str, str, Sequence[Cell]]] = []

    def __bool__(self) -> bool:
        return bool(self._columns)

    def add(self, title: str, columns: Sequence[tuple[str, Sequence[Cell]]]) -> tuple[Reference, ...]:
        """Write a block of columns and return references to its title and to each column."""
        first = len(self._columns)
        for k, (header, values) in enumerate(columns):
            self._columns.append((title if k == 0 else "", header, values))
        self._columns.append(("", "", ()))
        references = [Reference(formula=f"'{self.name}'!${_letters(first)}$1", values=(title,))]
        for k, (_, values) in enumerate(columns):
            letters = _letters(first + k)
            formula = f"'{self.name}'!${letters}$3:${letters}${max(len(values), 1) + 2}"
            references.append(Reference(formula=formula, values=values))
        return tuple(references)

    def xml(self) -> str:
        """Return the worksheet part."""
        depth = max((len(values) for _, _, values in self._columns), default=0)
        rows: list[list[str]] = [[] for _ in range(depth + 2)]
        for k, (title, header, values) in enumerate(self._columns):
            letters = _letters(k)
            for r, text in ((1, title), (2, header)):
                rows[r - 1].append(_cell(f"{letters}{r}", text, header=True))
            for r, value in enumerate(values, start=3):
                rows[r - 1].append(_cell(f"{letters}{r}", value, header=False))
        lines = [f'<row r="{r}">{"".join(cells)}</row>' for r, cells in enumerate(rows, start=1)]
        widths = "".join(
            f'<col min="{k}" max="{k}" width="{_width(header, values)}" customWidth="1"/>'
            for k, (_, header, values) in enumerate(self._columns, start=1)
        )
        pane = '<pane ySplit="2" topLeftCell="A3" activePane="bottomLeft" state="frozen"/>'
        return (
            f'{_DECLARATION}<worksheet xmlns="{_MAIN}">'
            f'<sheetViews><sheetView workbookViewId="0">{pane}</sheetView></sheetViews>'
            f"{f'<cols>{widths}</cols>' if widths else ''}<sheetData>{''.join(lines)}</sheetData></worksheet>"
        )


def workbook(sheets: Sequence[Sheet]) -> bytes:
    """Return the .xlsx file with these sheets; equal sheets give equal bytes."""
    numbers = range(1, len(sheets) + 1)
    override = '<Override PartName="{}" ContentType="application/vnd.openxmlformats-officedocument.{}+xml"/>'
    main = "spreadsheetml.sheet.main"
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        + override.format("/xl/workbook.xml", main)
        + override.format("/xl/styles.xml", "spreadsheetml.styles")
        + "".join(override.format(f"/xl/worksheets/sheet{n}.xml", "spreadsheetml.worksheet") for n in numbers)
        + "</Types>",
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{_REL}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_REL}"><sheets>'
        + "".join(
            f'<sheet name={quoteattr(sheet.name)} sheetId="{n}" r:id="rId{n}"/>'
            for n, sheet in zip(numbers, sheets, strict=True)
        )
        + "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
        + "".join(
            f'<Relationship Id="rId{n}" Type="{_REL}/worksheet" Target="worksheets/sheet{n}.xml"/>'
            for n in numbers
        )
        + f'<Relationship Id="rId{len(sheets) + 1}" Type="{_REL}/styles" Target="styles.xml"/>'
        + "</Relationships>",
        "xl/styles.xml": _STYLES.read_text(encoding="utf-8"),
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, text in parts.items():
            _write(archive, name, text=_DECLARATION + text)
        for n, sheet in zip(numbers, sheets, strict=True):
            _write(archive, f"xl/worksheets/sheet{n}.xml", text=sheet.xml())
    return file.getvalue()


def _write(archive: zipfile.ZipFile, name: str, *, text: str) -> None:
    entry = zipfile.ZipInfo(name, date_time=FIRST_DAY)
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, text.encode(), compresslevel=6)


def _cell(place: str, cell: Cell, *, header: bool) -> str:
    if cell is None or cell == "":
        return ""
    if isinstance(cell, str):
        text = plain(cell)[:_LONGEST_TEXT]
        style = _STYLE_GUARDED if text.lstrip().startswith(_FORMULA_STARTS) else _STYLE_PLAIN
        style = _STYLE_HEADER if header else style
        body = f'<is><t xml:space="preserve">{escape(text)}</t></is>'
        return f'<c r="{place}" s="{style}" t="inlineStr">{body}</c>'
    return f'<c r="{place}"><v>{number(cell)}</v></c>' if math.isfinite(cell) else ""


def _width(header: str, values: Sequence[Cell]) -> int:
    texts = [value for value in values[:200] if isinstance(value, str)]
    return min(48, max(10, *(len(text) for text in (header, *texts))) + 2) if header or texts else 3


def _letters(index: int) -> str:
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
