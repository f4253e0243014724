"""The page of a view as HTML without scripts, and its parts that change in place."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup, escape

from charts import svg
from charts.plotly import plain_figure
from panel.cells import cell_text, heading
from panel.controls import Control, Controls, controls, own_query
from panel.menu import siblings
from panel.templating import set_text, template
from panel.terms import Reader
from views.briefing import briefing_link
from views.moved import status
from views.note import BY
from views.registry import VIEWS
from views.result import Result, Table
from views.settings import Ignored
from views.view import BRIEFING, EVERY, PRESENT, SHARE, ReleaseSettings, View

MOST_WARNINGS = 5
"""Maximum number of listed invalid parts of a link."""
MOST_ALLOWED, FIRST_ALLOWED = 12, 8
"""Number of allowed options from which on only some are listed, and how many are listed then."""
MOST_FIGURES = 3
MOST_NOTES = 3
FIRST_ROWS = 60
"""Number of a table's rows in the document itself. Others are loaded on request."""
_LEADS = re.compile(r"https?://|/(\Z|[\w?#])", re.ASCII)
"""Pattern of the start of a safe link address, on the web or on our site.

Browsers treat a backslash, or a tab and a slash, after the first slash as another host."""
NUMBERS = ("number", "scientific", "year")


@dataclass(frozen=True, kw_only=True)
class Shown:
    """Content of a page: a view, the settings of its controls, and the answer."""

    view: View
    settings: ReleaseSettings
    result: Result

    @cached_property
    def controls(self) -> Controls:
        """Return the view's controls with these settings."""
        return controls(self.settings)


@dataclass(frozen=True, kw_only=True)
class Onward:
    """A suggested next view: its address, its question, and its finding. The finding is empty if unknown."""

    path: str
    question: str
    finding: str = ""


def page_html(shown: Shown, *, embedded: bool = False, drawn: bool = True) -> str:
    """Return the page of a view. If ``drawn``, it includes the chart as SVG."""
    result, exhibit = shown.result, shown.result.exhibits[0]
    return template("panel.html.j2").render(
        **_context(shown, embedded=embedded),
        view=shown.view,
        siblings=siblings(shown.view.path),
        embedded=embedded,
        table_first=exhibit.table_first and not embedded,
        controls=shown.controls,
        height=round(plain_figure(exhibit.chart)["layout"]["height"]),
        svg=svg.svg(exhibit.chart) if drawn else "",
        rows=table_rows(exhibit.table, csv=form_address(result, "csv"), most=FIRST_ROWS),
        at=shown.settings.release,
        link=result.link or shown.view.path,
    )


def page_parts(shown: Shown) -> dict[str, str]:
    """Return the parts of the page that depend on settings, as HTML keyed by name."""
    held, context = shown.controls, _context(shown)
    macro: Any = template("macros.html.j2").module
    return {
        **({"doors": str(macro.doors(context["doors"]))} if shown.view.doors else {}),
        **({"pin": context["pin"]} if shown.view.comparable else {}),
        "warnings": str(macro.warnings(context["warnings"], context["more_warnings"])),
        "headline": str(escape(set_text(context["headline"]))),
        "subtitle": f"{escape(set_text(context['subtitle']))}{context['sender']}",
        "figures": str(macro.figures(context["figures"])),
        "chips": str(macro.chips(held)),
        **({"pills": str(macro.pills(context["pills"]))} if held.pills or held.sentence else {}),
        **(
            {"ways": str(macro.ways(context["steps"])), "steps": str(macro.steps(context["steps"]))}
            if held.steps
            else {}
        ),
        **_around(held),
        "adjusted": f" ({held.adjusted})" if held.adjusted else "",
        "changed": f" ({context['changed']})" if context["changed"] else "",
        "source": str(escape(set_text(context["settings_line"]))),
        "status": str(macro.status(*context["status"])),
        "cards": str(macro.cards(context["cards"])),
        "notes": str(macro.notes(context["notes"])),
        "sure": str(macro.paragraphs(context["sure"])),
        "changes": str(macro.changes(context["changes"], context["options"])),
        "method": str(macro.method(context["method"], context["sources"])),
    }


def sender(shown: Shown) -> Markup:
    """Return the sender's note as HTML, with a link to the page without the note. Empty without a note."""
    note, query = shown.result.note, own_query(replace(shown.settings, note=""))
    macro: Any = template("macros.html.j2").module
    return macro.sender(BY, note.words, _address(shown.view, query)) if note else Markup()


def leads_html(leads: Sequence[Onward]) -> str:
    """Return the suggested next views as HTML."""
    macro: Any = template("macros.html.j2").module
    return str(macro.leads(leads))


def _context(shown: Shown, *, embedded: bool = False) -> dict[str, Any]:
    result, held = shown.result, shown.controls
    named = result.ignored[:MOST_WARNINGS]
    now = status(shown.view, shown.settings, result=result)
    vs = shown.settings.vs
    return {
        "status": (now.text, _address(shown.view, own_query(now.newest)) if now.newest else ""),
        "warnings": [replace(item, allowed=brief(item.allowed)).sentence for item in named],
        "more_warnings": len(result.ignored) - len(named),
        "headline": result.headline,
        **(_read if embedded else _explained)(result),
        "pills": [_pills(control, shown) for control in held.pills if control.applies],
        "steps": [_pills(control, shown) for control in held.steps],
        "figures": [item for item in result.figures if item.key][:MOST_FIGURES],
        "doors": doors(shown),
        "options": _compared(shown),
        "vs": vs,
        "note": shown.settings.note,
        "sender": sender(shown),
        # the label of the button that pins an answer, or ends the comparison
        "pin": "Show one" if vs.startswith(EVERY) else "Unpin" if vs else "Pin",
        "settings_line": result.settings_line,
        "sources": result.sources,
        "leads": [Onward(path=path, question=VIEWS[path].question) for path in shown.view.related],
        "changed": held.adjusted + sum(control.changed for control in held.first),
    }


def _read(result: Result) -> dict[str, Any]:
    """Return the body text of a page in reading order. Notes on a moved figure only state that it moved."""
    moved = len(result.moved_notes)
    return {
        "subtitle": result.subtitle or result.exhibits[0].chart.subtitle,
        "cards": list(result.cards),
        "notes": [*result.moved_briefly, *list(result.notes)[moved : moved + MOST_NOTES]],
        "sure": list(result.sure),
        "changes": [*result.moved_notes, *result.changes],
        "method": list(result.method),
    }


def _explained(result: Result) -> dict[str, Any]:
    """Return the body text as HTML. Each term is explained where it first occurs."""
    reader = Reader()
    read = _read(result)
    return {
        "subtitle": reader.text(read.pop("subtitle")),
        "cards": [reader.card(card) for card in read.pop("cards")],
        **{name: reader.texts(texts) for name, texts in read.items()},
    }


def doors(shown: Shown) -> list[dict[str, Any]]:
    """Return the actions on a finding, each with its label, its address, and whether a script opens Share.

    Without scripts the citation is offered as a file. A deck is a link, which cannot contain a reader's own data.
    """
    result = shown.result
    if not shown.view.doors:
        return []
    deck = briefing_link(shown.settings) if result.link else ""
    addresses = {
        SHARE: form_address(result, "bib") or SHARE,
        BRIEFING: deck,
        PRESENT: f"{deck}&present=1" if deck else "",
    }
    return [
        {"text": door.text, "gives": door.gives, "address": address, "share": door.to == SHARE}
        for door in shown.view.doors
        if (address := addresses.get(door.to, door.to))
    ]


def _around(held: Controls) -> dict[str, str]:
    """Return the words around the controls of the sentence, split into parts."""
    words: dict[str, str] = {}
    for control in held.sentence:
        before, after = control.around or ("", "")
        words |= {f"before-{control.name}": str(escape(before)), f"after-{control.name}": str(escape(after))}
    return words


def _address(view: View, query: Mapping[str, str]) -> str:
    return f"{view.path}?{urlencode(query)}" if query else view.path


def _pills(control: Control, shown: Shown) -> dict[str, Any]:
    """Return the options of a control as links, each with its figure."""
    chosen = own_query(shown.settings)

    def address(word: str) -> str:
        query = {name: text for name, text in chosen.items() if name != control.name}
        query |= {} if word == control.default else {control.name: word}
        return _address(shown.view, query)

    figures = {word: shown.result.figure(name) for word, name in control.pills.items()}
    pills = [
        {
            "word": option.word,
            "label": option.label,
            "address": address(option.word),
            "count": figures[option.word].text,
            "tone": figures[option.word].tone or "none",
            "current": option.word == control.value,
        }
        for option in control.options
        if option.word in figures
    ]
    at = next((place for place, pill in enumerate(pills) if pill["current"]), -1)
    return {
        "name": control.name,
        "label": control.setting.label,
        "pills": pills,
        "at": at + 1,
        "before": pills[at - 1] if at > 0 else None,
        "now": pills[at],
        "after": pills[at + 1] if at + 1 < len(pills) else None,
    }


def _compared(shown: Shown) -> list[dict[str, str]]:
    """Return the settings whose options can all be compared, each with a link that compares them."""
    if not shown.view.comparable:
        return []
    query = own_query(replace(shown.settings, vs=""))
    return [
        {
            "label": control.setting.label,
            "word": f"{EVERY}{control.name}",
            "address": _address(shown.view, {**query, "vs": f"{EVERY}{control.name}"}),
        }
        for control in shown.controls.every
        if control.few and control.applies
    ]


def brief(allowed: str) -> str:
    """Return a text that lists what is allowed. A long list ends with the number of other options."""
    words = allowed.split(", ")
    if len(words) <= MOST_ALLOWED:
        return allowed
    return f"{', '.join(words[:FIRST_ALLOWED])} and {len(words) - FIRST_ALLOWED} more"


def problem(item: Ignored) -> str:
    """Return the message beside a control with an invalid value."""
    came = f"“{item.value}” cannot be used" if item.value.strip() else "Nothing was entered"
    return f"{came}; allowed: {brief(item.allowed)}."


def form_address(result: Result, extension: str) -> str:
    """Return the address of another form of this view, from the site's root. Empty for a reader's own data."""
    return f"/{result.view}.{extension}?{result.link.partition('?')[2]}" if result.link else ""


def table_rows(table: Table, *, csv: str = "", most: int | None = None) -> dict[str, Any]:
    """Return a table for a page: columns with heading and alignment, cells, and links."""
    rows: Sequence[Any] = table.rows if most is None else table.rows[:most]
    return {
        "columns": [
            {
                "label": heading(column),
                "kind": column.kind,
                "right": column.kind in NUMBERS,
                "wide": column.wide,
                "rows": column.rows,
                "more": column.more,
            }
            for column in table.columns
        ],
        "rows": [
            [
                {
                    "text": cell_text(cell, column),
                    "address": cell if column.kind == "link" and _LEADS.match(str(cell)) else "",
                }
                for cell, column in zip(row, table.columns, strict=True)
            ]
            for row in rows
        ],
        "more": len(table.rows) - len(rows),
        "csv": csv,
    }
