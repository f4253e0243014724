"""Show a view: read the address, draw the controls, ask the view, render its result."""

import os
from functools import lru_cache
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from charts.chart import Chart
from charts.plotly import CONFIG, Theme, figure
from data.releases import Release
from pages.controls import keep_apart, remember, settings_from_controls
from pages.share import share
from pages.text import plain
from views.result import Column, Exhibit, Result, Table
from views.settings import Ignored
from views.view import ReleaseSettings, View, answer, read

FIGURE_WIDTH = 168
"""Width of a key figure: four in a row on a laptop, one or two on a phone. [px]"""

MOST_IGNORED = 5
"""So many ignored parts of a link are named one by one."""

SENTENCE_HEIGHT = 118
"""Height of a table's rows where they hold sentences: five lines. [px]"""

BROUGHT = "brought"
"""Where a session keeps the release a reader made from an export of their own."""


def show(view: View) -> Result:
    """Draw the page of a view and return the result it shows."""
    query = {name: st.query_params.get_all(name) for name in st.query_params}
    asked, ignored = read(view, query)
    keep_apart(view, arrived_with_choices=asked != view.settings())
    for item in ignored:
        typed = item.setting in st.session_state  # such a parameter belongs to its widget
        if item.setting in st.query_params and not typed:
            del st.query_params[item.setting]
    return _body(view, asked, ignored=ignored)


def brought_release() -> Release | None:
    """Return the release this session made from the reader's own export, unless they switched it off."""
    return st.session_state.get(BROUGHT) if st.session_state.get("use_brought", True) else None


def _body(view: View, asked: ReleaseSettings, *, ignored: tuple[Ignored, ...]) -> Result:
    embedded = bool(st.context.is_embedded)
    actions = None if embedded else _question(view.question)
    top = st.container()
    if embedded:
        settings, clashes = asked, ()
    else:
        settings, clashes = settings_from_controls(view.settings, asked=asked)
        remember(view)
    unused = tuple(dict.fromkeys((*ignored, *clashes)))
    result = answer(view, settings, ignored=unused, release=brought_release())
    with top:
        _headline(result, embedded=embedded)
    if embedded:
        _chart(result.exhibits[0], name=f"{view.name}-0")
        st.caption(f"{plain(result.settings_line)} [Open the full view]({result.link or view.path})")
        return result
    if actions:
        with actions:
            share(result, origin=origin())
    _main_exhibit(result, name=view.name)
    for index, exhibit in enumerate(result.exhibits[1:], start=1):
        _further_exhibit(exhibit, name=f"{view.name}-{index}")
    return result


def _question(question: str) -> DeltaGenerator:
    """Draw the question, and return the place beside it for what is done with the view."""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.caption(plain(question), width="content")
        return st.container(horizontal=True, vertical_alignment="center", width="content")


def _headline(result: Result, *, embedded: bool) -> None:
    for item in result.ignored[:MOST_IGNORED]:
        st.warning(plain(item.sentence), icon=":material/link_off:")
    if len(result.ignored) > MOST_IGNORED:
        st.warning(f"{len(result.ignored) - MOST_IGNORED} more parts of the link were ignored.")
    st.title(plain(result.headline), anchor=False)
    if embedded:
        return
    with st.container(horizontal=True, key="figures"):
        for item in [item for item in result.figures if item.key][:4]:
            st.metric(
                item.label,
                item.text,
                item.interval_text or None,
                delta_color="off",
                delta_arrow="off",
                help=f"{item.method}; n = {item.n}" if item.method else None,
                width=FIGURE_WIDTH,
            )


def _tabs(exhibit: Exhibit, *further: str, name: str) -> dict[str, Any]:
    """Draw the tabs of an exhibit, the one that answers first and open."""
    titles = [*(("Table", "Chart") if exhibit.table_first else ("Chart", "Table")), *further]
    return dict(zip(titles, st.tabs(titles, on_change="rerun", key=f"tabs-{name}"), strict=True))


def _main_exhibit(result: Result, *, name: str) -> None:
    tabs = _tabs(result.exhibits[0], "Method", name=f"{name}-0")
    if tabs["Chart"].open:
        with tabs["Chart"]:
            st.caption(plain(result.exhibits[0].chart.subtitle))
            _chart(result.exhibits[0], name=f"{name}-0")
            st.caption(plain(result.settings_line))
            for note in result.notes:
                st.markdown(f"- {plain(note)}")
    if tabs["Table"].open:
        with tabs["Table"]:
            show_table(result.exhibits[0].table, name=f"{name}-0")
    if tabs["Method"].open:
        with tabs["Method"]:
            for paragraph in result.method:
                st.markdown(paragraph)
            for source in result.sources:
                publisher = f"[{plain(source.publisher)}]({source.url})"
                st.markdown(f"Source: {plain(source.title)}, {publisher}, {source.licence}.")


def _further_exhibit(exhibit: Exhibit, *, name: str) -> None:
    st.header(plain(exhibit.chart.title), anchor=False)
    tabs = _tabs(exhibit, name=name)
    if tabs["Chart"].open:
        with tabs["Chart"]:
            st.caption(plain(exhibit.chart.subtitle))
            _chart(exhibit, name=name)
            st.caption(plain(exhibit.chart.source))
    if tabs["Table"].open:
        with tabs["Table"]:
            show_table(exhibit.table, name=name)


def _chart(exhibit: Exhibit, *, name: str) -> None:
    theme: Theme = "dark" if st.context.theme.type == "dark" else "light"
    st.plotly_chart(
        _figure(exhibit.chart, theme),
        theme=None,
        config={**CONFIG, "toImageButtonOptions": {**CONFIG["toImageButtonOptions"], "filename": name}},
        key=f"chart-{name}",
        alt=exhibit.chart.alt,
    )


@lru_cache(maxsize=256)
def _figure(chart: Chart, theme: Theme):
    return figure(chart, theme=theme)


def show_table(table: Table, *, name: str) -> None:
    """Draw a table whose columns carry their units; web addresses can be opened."""
    frame = pd.DataFrame(list(table.rows), columns=[column.name for column in table.columns])
    st.dataframe(
        frame,
        column_config={column.name: _column(column) for column in table.columns},
        hide_index=True,
        row_height=SENTENCE_HEIGHT if any(column.wide for column in table.columns) else None,
        key=f"table-{name}",
        alt=", ".join(column.label for column in table.columns),
    )


def _column(column: Column) -> Any:
    label = f"{column.label} [{column.unit}]" if column.unit not in ("", "1") else column.label
    kinds = {
        "text": lambda: st.column_config.TextColumn(label, width=column.wide or None),
        "date": lambda: st.column_config.TextColumn(label),
        "link": lambda: st.column_config.LinkColumn(label, display_text=r"https?://(?:www\.)?([^/]+)"),
        "scientific": lambda: st.column_config.NumberColumn(label, format="scientific"),
        "year": lambda: st.column_config.NumberColumn(label, format="%d"),
        "number": lambda: st.column_config.NumberColumn(label, format="%.3g"),
    }
    return kinds[column.kind]()


def origin() -> str:
    """Return scheme and host of this site as readers reach it: PUBLIC_URL, or what the browser says."""
    public = os.environ.get("PUBLIC_URL", "").rstrip("/")
    if public:
        return public
    scheme, _, rest = (st.context.url or "").partition("://")
    return f"{scheme}://{rest.partition('/')[0]}" if rest else ""
