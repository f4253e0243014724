"""The chart as a finished picture, with headline and source, drawn without a browser: PNG, SVG or PDF."""

import io
from threading import Lock
from typing import Any, Literal

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from charts.chart import BarChart, Chart, MapChart
from charts.colours import PALETTES, Theme
from charts.matplotlib.bars import draw_bars
from charts.matplotlib.maps import draw_map
from charts.matplotlib.sheet import DPI, SHEETS, Size, compose
from charts.matplotlib.xy import draw_xy

__all__ = ["Format", "Size", "draw", "render"]

Format = Literal["png", "svg", "pdf"]

_PRINT_SCALE = 3
_SETTINGS: dict[Any, Any] = {
    "svg.hashsalt": "scaling-gap",  # the same picture has the same bytes
    "svg.fonttype": "path",
    "pdf.fonttype": 3,
    "text.parse_math": False,
    "text.usetex": False,
    "text.hinting": "none",
    "axes.unicode_minus": False,
    "path.simplify": True,
}
# matplotlib keeps its settings and font faces for the whole process: one picture at a time.
_one_at_a_time = Lock()


def render(
    chart: Chart,
    *,
    format: Format,
    size: Size = "slide",
    theme: Theme = "light",
    footer: str | None = None,
    link: str | None = None,
) -> bytes:
    """Return the picture as a file. The same arguments give the same bytes, from any thread.

    ``size`` is slide (1920 x 1080), wide (1200 x 630), square (1080 x 1080) or print (720 x 480 points, and
    three times as many pixels in a PNG). ``footer`` is one more line below the source, as for a link; in SVG and
    PDF it leads to ``link``.
    """
    with _one_at_a_time, matplotlib.rc_context(_SETTINGS):
        figure = draw(chart, size=size, theme=theme, footer=footer, link=link)
        file = io.BytesIO()
        if format == "svg":
            about = {"Title": _plain(chart.title), "Description": _plain(chart.alt)}
            FigureCanvasSVG(figure).print_svg(file, metadata=about | {"Creator": "Scaling Gap", "Date": None})
        elif format == "pdf":
            from matplotlib.backends.backend_pdf import FigureCanvasPdf  # 16 MB that no other picture needs

            about = {"Title": _plain(chart.title), "Subject": _plain(chart.alt), "Creator": "Scaling Gap"}
            FigureCanvasPdf(figure).print_pdf(file, metadata=about | {"CreationDate": None})
        else:
            if size == "print":
                figure.set_dpi(DPI * _PRINT_SCALE)
            FigureCanvasAgg(figure).print_png(
                file,
                metadata={"Software": "Scaling Gap", "Title": chart.title, "Description": chart.alt},
                pil_kwargs={"compress_level": 3},
            )
        return file.getvalue()


def draw(
    chart: Chart,
    *,
    size: Size = "slide",
    theme: Theme = "light",
    footer: str | None = None,
    link: str | None = None,
) -> Figure:
    """Return the picture as a matplotlib figure whose artists carry the numbers of the description."""
    sheet, palette = SHEETS[size], PALETTES[theme]
    figure = Figure(figsize=(sheet.width / DPI, sheet.height / DPI), dpi=DPI, facecolor=palette.background)
    page = compose(figure, chart, sheet=sheet, palette=palette, footer=footer, link=link)
    if isinstance(chart, BarChart):
        draw_bars(page, chart)
    elif isinstance(chart, MapChart):
        draw_map(page, chart)
    else:
        draw_xy(page, chart)
    return figure


def _plain(text: str) -> str:
    """Return text without the control characters that XML and PDF cannot hold."""
    return "".join(character for character in text if character.isprintable())
