"""Responses to an open page: the new finding, further exhibits, a table, or Share."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from html import escape
from typing import Any
from urllib.parse import urlencode

from charts.plotly import plain_figure
from data.releases import Release, names
from panel import page
from panel.cells import table_csv
from panel.controls import own_query
from views import written
from views.citation import bibtex, sentence
from views.moved import TELL
from views.registry import VIEWS
from views.result import Cell, Exhibit, Section
from views.settings import Ignored, Settings, choice, text, whole_number
from views.view import LATEST, SHORT, ReleaseSettings, View, answer, read, short

FILES: dict[str, str] = written.toml(__file__, name="names.toml")["files"]
"""Names of the forms in Share, keyed by extension."""

WORDS = written.settings(__file__)
FRAME_HEIGHT = 680
"""Initial height of a frame, until the framed page reports its own. [px]"""
FOLLOW = (
    'addEventListener("message",e=>{for(const f of document.querySelectorAll("iframe"))'
    "if(f.contentWindow===e.source&&e.data.scalingGapHeight>0)f.height=e.data.scalingGapHeight})"
)
"""Script for a page that embeds our frame. It gives the frame the height that it reports."""
MOST_EXHIBITS = 9


@dataclass(frozen=True, kw_only=True)
class PanelSettings(Settings):
    """Settings of a request for a part of a page."""

    part: str = choice("finding", **WORDS["part"])
    exhibit: int = whole_number(1, low=1, high=MOST_EXHIBITS, **WORDS["exhibit"])
    figure: str = text(**WORDS["figure"])


def answer_of(
    view: View,
    settings: ReleaseSettings,
    *,
    wanted: PanelSettings,
    ignored: tuple[Ignored, ...] = (),
    release: Release | None = None,
    origin: str = "",
    today: date | None = None,
) -> dict[str, Any]:
    """Return the requested part of a view's page as plain values for JSON.

    ``release`` is a reader's own, by default that of the settings. Only Share needs ``origin`` and ``today``.

    Raises views.setting_kinds.SettingError if the view has no exhibit with that number.
    """
    shown = page.Shown(
        view=view, settings=settings, result=answer(view, settings, ignored=ignored, release=release)
    )
    match wanted.part:
        case "evidence":
            return evidence(shown, name=wanted.figure)
        case "further":
            return further(shown)
        case "table":
            return table(shown, exhibit=wanted.exhibit)
        case "share":
            return share(shown, origin=origin, today=today or date.today())
        case part:
            return finding(shown, whole=part == "page")


def onward(view: View, *, release: str) -> tuple[page.Onward, ...]:
    """Return the suggested next views, each with its finding from a frozen release (empty for a reader's own data)."""
    return tuple(
        page.Onward(
            path=path,
            question=(to := VIEWS[path]).question,
            finding=answer(to, read(to, {"release": [release]})[0]).headline if release in names() else "",
        )
        for path in view.related
    )


def finding(shown: page.Shown, *, whole: bool = False) -> dict[str, Any]:
    """Return the parts that depend on settings. ``whole`` adds the page, for readers who come from the menu."""
    exhibit = shown.result.exhibits[0]
    answer: dict[str, Any] = {
        "view": shown.view.name,
        "path": shown.view.path,
        "query": urlencode(own_query(shown.settings)),
        "link": shown.result.link,
        "parts": page.page_parts(shown),
        "controls": {
            control.name: [control.value, control.applies, control.empty, control.relabelled]
            for control in shown.controls.every
        }
        | ({"vs": [shown.settings.vs, False, "", {}]} if shown.view.comparable else {})
        | ({"note": [shown.settings.note, False, "", {}]} if shown.settings.note else {}),
        "pin": short(shown.view, replace(shown.settings, vs="", note="")).removeprefix(SHORT),
        "ignored": {item.setting: page.problem(item) for item in shown.result.ignored},
        "chart": _chart(exhibit),
    }
    if whole:
        answer["page"] = page.page_html(shown, drawn=False)
    return answer


def further(shown: page.Shown) -> dict[str, Any]:
    """Return the exhibits after the first, each with title, subtitle, section, chart and source."""
    result = shown.result
    return {
        "exhibits": [
            {
                "title": exhibit.chart.title,
                "subtitle": exhibit.chart.subtitle,
                "source": exhibit.chart.source if exhibit.chart.source != result.settings_line else "",
                "section": section,
                "chart": _chart(exhibit),
            }
            for exhibit, section in zip(result.exhibits[1:], _sections(result.exhibits[1:]), strict=True)
        ],
        "leads": page.leads_html(onward(shown.view, release=shown.result.release)),
    }


def table(shown: page.Shown, *, exhibit: int) -> dict[str, Any]:
    """Return the table of an exhibit, with the text and sort key of each cell. ``exhibit`` counts from 1."""
    of = shown.result.exhibit(exhibit).table
    rows = page.table_rows(of, csv=page.form_address(shown.result, "csv"))
    return {
        "columns": rows["columns"],
        "rows": [[cell["text"] for cell in row] for row in rows["rows"]],
        "keys": [
            [_key(cell, text=written["text"]) for cell, written in zip(row, texts, strict=True)]
            for row, texts in zip(of.rows, rows["rows"], strict=True)
        ],
    }


def share(shown: page.Shown, *, origin: str, today: date) -> dict[str, Any]:
    """Return Share as HTML: links, files, a frame and a citation. For a reader's own data, it has only the file."""
    result = shown.result
    address = f"{origin}{result.link}" if result.link else ""
    query = urlencode(own_query(replace(shown.settings, release=LATEST)))
    newest, files = f"{shown.view.path}?{query}", f"{origin}/{shown.view.name}"
    return {
        "html": page.template("share.html.j2").render(
            view=shown.view,
            own=own_query(replace(shown.settings, note="")),
            note=[*shown.settings.note.split("|"), "", "", "", ""],
            link=address,
            short=f"{origin}{result.short_link}" if result.short_link else "",
            image=page.form_address(result, "png"),
            numbers=page.form_address(result, "csv"),
            files=[
                {"address": page.form_address(result, word), "name": name} for word, name in FILES.items()
            ],
            present=f"{result.link}&present=1" if result.link else "",
            **_followed(shown, origin=origin),
            embed=embed_code(result.link, headline=result.headline, origin=origin),
            newest_files={form: f"{files}.{form}?{query}".rstrip("?") for form in ("csv", "png")},
            live=embed_code(newest, headline=result.question, origin=origin),
            sentence=sentence(result, accessed=today, origin=origin),
            bibtex=bibtex(result, accessed=today, origin=origin),
            csv="" if result.link else table_csv(result.table),
        )
    }


def _followed(shown: page.Shown, *, origin: str) -> dict[str, str]:
    """Return the first key figure's label, and the address of its feed of changes. Empty without a key figure."""
    key = next((figure for figure in shown.result.figures if figure.key and figure.low is not None), None)
    if key is None or shown.settings.vs:
        return {"feed": "", "watched": ""}
    query = own_query(replace(shown.settings, release=LATEST, note=""))
    address = f"{origin}/{shown.view.name}.atom?{urlencode({**query, TELL: key.name})}"
    return {"feed": address, "watched": key.label}


def evidence(shown: page.Shown, *, name: str) -> dict[str, Any]:
    """Return the evidence for a figure or row as HTML: cards, and a link to their page."""
    result = shown.result
    figure = next((figure for figure in result.figures if figure.name == name), None)
    return {"html": page.template("evidence.html.j2").render(figure=figure, result=result)}


def embed_code(
    link: str, *, headline: str, origin: str, width: str = "100%", height: int = FRAME_HEIGHT
) -> str:
    """Return the HTML of a frame that shows a view's chart on other pages. The frame is as tall as the chart needs.

    The frame reports its height; the script beside it, if the page runs it, resizes the frame.
    """
    path, _, query = link.partition("?")
    source = escape(f"{origin}{path}?{'&'.join(filter(None, ('embed=true', query)))}")
    return (
        f'<iframe src="{source}" title="{escape(headline)}" width="{width}" height="{height}" style="border:0" '
        f'loading="lazy"></iframe><script>{FOLLOW}</script>'
    )


def _sections(exhibits: Sequence[Exhibit]) -> list[Section]:
    """Return the section of each exhibit after the first. The page opens at most one."""
    open_at = next((place for place, one in enumerate(exhibits) if one.section == "finding"), None)
    return [
        "changes" if one.section == "finding" and place != open_at else one.section
        for place, one in enumerate(exhibits)
    ]


def _chart(exhibit: Exhibit) -> dict[str, Any]:
    return {"figure": plain_figure(exhibit.chart), "alt": exhibit.chart.alt}


def _key(cell: Cell, *, text: str) -> str | float | None:
    """Return the sort key of a cell. Numbers sort as numbers, links by address, empty cells last."""
    if cell is None or cell == "" or (isinstance(cell, float) and not math.isfinite(cell)):
        return None
    return cell if isinstance(cell, str | int | float) else text
