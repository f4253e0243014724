"""Views in a notebook. ``views.ask("/growth-gap?since=2018")`` displays an answer with a table and a chart."""

import base64
import textwrap
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pandas as pd

from views.citation import sentence
from views.resolve import view_and_settings
from views.result import Result
from views.slides import without_scheme
from views.view import answer

if TYPE_CHECKING:
    import plotly.graph_objects as go

SOURCE_LETTERS = 150
LINE_PX, TITLE_PX, PLOT_PX = 16, 48, 460
_STYLE = "max-width:60rem;font-family:system-ui,sans-serif;line-height:1.4"
_CELL = "padding:0 1.5rem 0.5rem 0;vertical-align:top;text-align:left;border:0"


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The answer of a view. A notebook shows its headline, key figures and chart.

    ``result`` is the complete answer, as rendered in every other form. ``origin`` is scheme and host of the site in the
    link, or empty.
    """

    result: Result
    origin: str = ""

    @property
    def headline(self) -> str:
        """Return the finding as one sentence."""
        return self.result.headline

    @property
    def link(self) -> str:
        """Return the permanent link to the answer, with every setting and pinned to a release."""
        return f"{self.origin}{self.result.link}"

    @property
    def citation(self) -> str:
        """Return the citation of the answer, with today as the access date."""
        return self.cited(on=datetime.now(UTC).date())

    def cited(self, *, on: date) -> str:
        """Return the citation of the answer, with ``on`` as the access date."""
        return sentence(self.result, accessed=on, origin=self.origin)

    @property
    def figures(self) -> pd.DataFrame:
        """Return the figures as rows with label, value, unit and interval, indexed by name."""
        rows = [
            {"label": one.label, "value": one.value, "unit": one.unit}
            | {"low": one.low, "high": one.high, "level": one.level}
            for one in self.result.figures
        ]
        names = pd.Index([one.name for one in self.result.figures], name="name")
        return pd.DataFrame(rows, index=names, columns=["label", "value", "unit", "low", "high", "level"])

    def table(self, exhibit: int = 1) -> pd.DataFrame:
        """Return the table of an exhibit, by default of the first. Dates are datetime64, and ``attrs`` has the units.

        Raises SettingError if the view has no such exhibit.
        """
        table = self.result.exhibit(exhibit).table
        frame = pd.DataFrame(list(table.rows), columns=[column.name for column in table.columns])
        for column in table.columns:
            if column.kind == "date":
                frame[column.name] = pd.to_datetime(frame[column.name], errors="coerce")
        frame.attrs["units"] = {column.name: column.unit for column in table.columns}
        frame.attrs["source"] = self.result.exhibit(exhibit).chart.source
        return frame

    def figure(self, exhibit: int = 1) -> "go.Figure":
        """Return an exhibit's chart as an interactive plotly figure, with its title and source.

        Raises SettingError if the view has no such exhibit.
        """
        from charts.plotly import figure

        chart = self.result.exhibit(exhibit).chart
        drawn: Any = figure(chart)
        source = textwrap.wrap(chart.source, SOURCE_LETTERS)
        above, below = drawn.layout.margin.t or 0, drawn.layout.margin.b or 0
        room = LINE_PX * len(source) + LINE_PX
        drawn.update_layout(
            title={"text": f"<b>{escape(chart.title)}</b>", "x": 0, "xref": "container", "xanchor": "left"},
            margin={"t": above + TITLE_PX, "b": below + room},
            height=(drawn.layout.height or PLOT_PX) + TITLE_PX + room,
        )
        drawn.update_yaxes(automargin=True)
        drawn.add_annotation(
            text="<br>".join(map(escape, source)),
            font={"size": 11},
            align="left",
            showarrow=False,
            **{"x": 0, "xref": "paper", "xanchor": "left"},
            **{"y": 0, "yref": "paper", "yanchor": "top", "yshift": -below},
        )
        return drawn

    @cached_property
    def png(self) -> bytes:
        """Return the PNG image of the view, 1200 by 630 pixels, as the server returns it at the view's .png address."""
        from charts.picture import render

        footer = without_scheme(f"{self.origin}{self.result.printed_link}")
        return render(self.result.exhibits[0].chart, format="png", size="wide", footer=footer)

    def _repr_html_(self) -> str:
        shown = [one for one in self.result.figures if one.key]
        cells = "".join(
            f'<td style="{_CELL}"><strong>{escape(one.text)}</strong><br><small>{escape(one.label)}'
            f"{'<br>' + escape(one.interval_text) if one.interval_text else ''}</small></td>"
            for one in shown
        )
        chart = self.result.exhibits[0].chart
        picture = base64.b64encode(self.png).decode()
        words = f"{escape(self.result.settings_line)} <code>{escape(self.result.link)}</code>"
        return (
            f'<div style="{_STYLE}"><small>{escape(self.result.question)}</small>'
            f'<img style="max-width:100%;display:block" alt="{escape(chart.alt)}" '
            f'src="data:image/png;base64,{picture}">'
            f"<table><tr>{cells}</tr></table>"
            f"<p><small>{words}</small></p></div>"
        )

    def _repr_png_(self) -> bytes:
        return self.png

    def __repr__(self) -> str:
        lines = [
            f"{one.label}: {one.text} {one.interval_text}".rstrip() for one in self.result.figures if one.key
        ]
        return "\n".join([self.headline, *lines, self.link])


def ask(link: str) -> Answer:
    """Return a view's answer to a link, which may be relative (``/growth-gap?since=2018``), absolute or short.

    Raises ValueError if the link has no view or an invalid setting; the message lists what is allowed.
    """
    view, settings = view_and_settings(link)
    parts = urlsplit(link)
    origin = f"{parts.scheme}://{parts.netloc}" if parts.scheme in ("http", "https") else ""
    return Answer(result=answer(view, settings), origin=origin)
