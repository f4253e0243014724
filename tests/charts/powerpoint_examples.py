"""Small charts and slides that the tests of the PowerPoint renderer draw."""

import io
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import lxml.etree as etree
import pytest
from pptx import Presentation
from pptx.chart.data import ChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.util import Inches

from charts.chart import Axis, Band, Bar, BarChart, Chart, Line, Points, Span, Tick, XYChart
from charts.powerpoint import Slide, presentation

YEARS = (2012.0, 2016.5, 2021.0, 2025.5)
COMPUTE = (1.0, 1.1e3, 1.3e6, 1.7e9)
CHIPS = (1.0, 3.2, 10.1, 0.1 + 0.2)  # the last has 17 digits


def growth_chart(**changes: Any) -> XYChart:
    words = {1.0: "1×", 1e4: "10 thousand ×", 1e8: "100 million ×"}
    times = tuple(Tick(value=value, label=label) for value, label in words.items())
    years = tuple(Tick(value=float(year), label=str(year)) for year in range(2012, 2031, 6))
    sure: dict[str, Any] = {"role": "compute", "x": (2012.0, 2020.0, 2030.0)}
    new_run, trend = {**sure, "high": (20.0, 4e6, 4e11)}, {**sure, "high": (2.0, 4e5, 4e10), "faded": True}
    names = ("AlexNet", "=1+1", "@GPT", "Grok")
    runs: dict[str, Any] = {"names": names, "details": ((), ("2016", "confident"), (), ())}
    runs["marked"] = ((0, "AlexNet"), (3, "Grok"))
    chips: dict[str, Any] = {"names": ("K40", "P100", "A100", "B200"), "details": ((),) * 4, "hollow": True}
    ahead: dict[str, Any] = {"role": "compute", "dash": "dotted", "faded": True}
    ahead["end_label"] = ("Compute per run", "4.7× a year")
    bandwidth: dict[str, Any] = {"role": "memory", "end_label": ("Bandwidth per chip", "1.3× a year")}
    given: dict[str, Any] = {
        "title": "Compute grows 4.7× a year",
        "subtitle": "Growth since 2012, log scale.",
        "alt": "Two lines diverge: compute 4.7 times a year, bandwidth 1.3 times.",
        "source": "Epoch AI",
        "x": Axis(title="Publication date", low=2011.5, high=2030.5, ticks=years),
        "y": Axis(title="Growth since 2012 [×]", scale="log", low=0.2, high=1e11, ticks=times),
        "marks": (
            Band(series="New run, 90%", strength="prediction", low=(0.05, 1e4, 1e9), **new_run),
            Band(series="Trend, 90%", strength="confidence", low=(0.5, 1e5, 1e10), **trend),
            Points(series="Runs", role="compute", x=YEARS, y=COMPUTE, **runs),
            Points(series="Announced chips", role="memory", x=YEARS, y=CHIPS, **chips),
            Line(series="Compute, fit", role="compute", x=(2012.0, 2026.0), y=(1.0, 2e9)),
            Line(series="Compute, projection", x=(2026.0, 2030.0), y=(2e9, 1e10), **ahead),
            Line(series="Bandwidth, projection", x=(2012.0, 2030.0), y=(1.0, 100.0), **bandwidth),
            Span(x=2026.0, low=40.0, high=1e9, label=("gap since 2012", "30 million ×")),
        ),
    }
    return XYChart(**(given | changes))


def ranking() -> BarChart:
    ticks = tuple(Tick(value=value, label=f"{value:g}×") for value in (1.0, 1.2, 1.4, 1.6, 1.8))
    memory: dict[str, Any] = {"role": "memory", "emphasised": True, "detail": ("n = 8",)}
    return BarChart(
        title="Bandwidth lags",
        subtitle="Yearly growth; whiskers are 90% intervals.",
        alt="FP16 grows fastest; memory bandwidth 1.30 times a year.",
        source="Epoch AI",
        x=Axis(title="Growth per year [×]", low=1.0, high=1.8, ticks=ticks),
        base=1.0,
        bars=(
            Bar(label="FP16", value=1.59, low=1.5, high=1.66, text="1.59×", role="compute"),
            Bar(label="Memory bandwidth", value=1.3, low=1.27, high=1.33, text="1.30×", **memory),
            Bar(label="Price", value=1.1, text="1.1×", role="context"),
        ),
    )


def slide(chart: Chart | None = None, **changes: Any) -> Slide:
    given: dict[str, Any] = {
        "headline": "A frontier run needs 4.7× more compute each year",
        "chart": chart or growth_chart(),
        "figures": (
            ("Compute per run", "4.7× a year", "4.5 to 5.0, 90% interval"),
            ("Bandwidth per chip", "1.30× a year", "1.27 to 1.33"),
            ("Gap", "3.6× a year", ""),
            ("A fourth", "is not shown", ""),
        ),
        "source": "Top-10 runs, n = 116. Data: Epoch AI (CC BY 4.0), release 2026-07.",
        "link": "https://example.org/growth-gap?release=2026-07&since=2012",
        "shown_link": "example.org/v/1r52924mc1jcc",
        "notes": "Method: least squares.\nCaveat: run against chip.",
    }
    return Slide(**(given | changes))


def deck(slides: list[Slide] | None = None, **changes: Any) -> bytes:
    given: Any = {"title": "Is memory falling behind compute?", "contents": True, "as_of": "2026-07-31"}
    given |= {"template": None, "sources": ["Epoch AI, https://epoch.ai/data, release 2026-07."]}
    return presentation([slide(), slide(ranking())] if slides is None else slides, **(given | changes))


def single(chart: Chart | None = None, *, template: bytes | None = None) -> bytes:
    return deck([slide(chart)], title=None, contents=False, sources=[], template=template)


def parts(file: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(file)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def sheets(file: bytes) -> dict[str, dict[str, str | float]]:
    """Return each worksheet of a workbook by name, its cells by their place."""
    content = parts(file)
    strings = ["".join(one.itertext()) for one in etree.fromstring(content["xl/sharedStrings.xml"])]
    names = [result.get("name") for result in etree.fromstring(content["xl/workbook.xml"]).iter("{*}sheet")]
    read: dict[str, dict[str, str | float]] = {}
    for n, name in enumerate(names, start=1):
        cells: dict[str, str | float] = {}
        for cell in etree.fromstring(content[f"xl/worksheets/sheet{n}.xml"]).iter("{*}c"):
            text = "".join(cell.itertext())
            cells[cell.get("r")] = strings[int(text)] if cell.get("t") == "s" else float(text)
        read[name] = cells
    return read


def chart_of(file: bytes) -> etree._Element:
    """Return the chart of the first slide."""
    return etree.fromstring(parts(file)["ppt/charts/chart1.xml"])


def series_of(file: bytes) -> dict[str, etree._Element]:
    """Return the series of that chart by name, the lowest first, without the unseen one that leads the file."""
    named: dict[str, etree._Element] = {}
    for one in sorted(chart_of(file).iter("{*}ser"), key=lambda one: int(one.find("{*}order").get("val"))):
        named.setdefault(one.findtext("{*}tx/{*}strRef/{*}strCache/{*}pt/{*}v"), one)
    return named


def cached(series: etree._Element, tag: str) -> list[float]:
    """Return the numbers of a series: its xVal, yVal or val."""
    return [float(v.text) for v in series.iterfind(f"{{*}}{tag}/{{*}}numRef/{{*}}numCache/{{*}}pt/{{*}}v")]


def labels_of(series: etree._Element) -> list[str]:
    """Return the words at the points of a series."""
    return ["".join(label.find("{*}tx").itertext()) for label in series.iterfind("{*}dLbls/{*}dLbl")]


def workbook_of(file: bytes) -> dict[str, dict[str, str | float]]:
    """Return the sheets behind that chart."""
    return sheets(parts(file)["ppt/embeddings/Microsoft_Excel_Sheet1.xlsx"])


def shapes_of(file: bytes) -> dict[str, etree._Element]:
    """Return the shapes inside that chart by name."""
    drawing = parts(file).get("ppt/drawings/drawing1.xml", b"<none/>")
    return {one.find(".//{*}cNvPr").get("name"): one for one in etree.fromstring(drawing).iter("{*}sp")}


def place_of(shape: etree._Element) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of a shape inside a chart, in shares of it."""
    found = (shape.getparent().findtext(f"{{*}}{end}/{{*}}{axis}") for end in ("from", "to") for axis in "xy")
    ends = [float(one) for one in found]
    return ends[0], ends[1], ends[2], ends[3]


def company_template(
    *accents: str, dark: bool = False, font: str = "Georgia", slides: int = 2, title: str = "SECRET PLAN"
) -> bytes:
    """Return a company's presentation, 4:3, with its own theme and with slides not to be taken over."""
    made = Presentation()
    theme = made.slide_master.part.part_related_by(RT.THEME)
    text = theme.blob.decode()
    for n, accent in enumerate(accents, start=1):
        colour = f'<a:accent{n}><a:srgbClr val="{accent}"/></a:accent{n}>'
        text = re.sub(rf"<a:accent{n}>.*?</a:accent{n}>", colour, text)
    theme.blob = text.replace('typeface="Calibri"', f'typeface="{font}"').encode()
    if dark:
        mapping = made.slide_master._element.find("{*}clrMap")
        for use, slot in (("bg1", "dk1"), ("tx1", "lt1"), ("bg2", "dk2"), ("tx2", "lt2")):
            mapping.set(use, slot)
    for _ in range(slides):
        page = made.slides.add_slide(made.slide_layouts[5])
        if page.shapes.title is not None:
            page.shapes.title.text = title
        data = ChartData()
        data.categories = ["a"]
        data.add_series("s", (1,))
        one, two = Inches(1), Inches(2)
        page.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, one, one, two, two, data)
        notes = page.notes_slide.notes_text_frame
        if notes is not None:
            notes.text = title
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def rezipped(file: bytes, **changes: bytes) -> bytes:
    """Return a zip file with some parts replaced or added; names as keywords, so pass them with ``**{}``."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in (parts(file) | changes).items():
            archive.writestr(name, content)
    return made.getvalue()


def by_libreoffice(file: bytes, folder: Path, *, to: str = "pptx:Impress MS PowerPoint 2007 XML") -> bytes:
    """Return a presentation as LibreOffice saves it."""
    (folder / "in.pptx").write_bytes(file)
    command = ["soffice", f"-env:UserInstallation=file://{folder}/profile", "--headless", "--convert-to", to]
    command = [*command, "--outdir", str(folder / "out"), str(folder / "in.pptx")]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    return next((folder / "out").iterdir()).read_bytes()


WITH_LIBREOFFICE = pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")
