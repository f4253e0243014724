"""A view in a notebook: the same answer, as pandas, plotly, picture, link and citation."""

from datetime import date

import pandas as pd
import pytest

import views
from views.notebook import Answer, ask
from views.registry import VIEWS
from views.view import answer, read

GAP = "/growth-gap?since=2018"


def test_ask_is_at_hand_where_the_views_are():
    assert views.ask is ask
    with pytest.raises(AttributeError, match="module 'views' has no attribute 'answers'"):
        _ = views.answers  # type: ignore[attr-defined]


@pytest.mark.parametrize("path", list(VIEWS))
def test_an_answer_has_the_numbers_of_every_other_form(path: str):
    requested, view = ask(path), VIEWS[path]
    result = answer(view, read(view, "")[0])
    assert requested.headline == result.headline
    known = [one.value for one in result.figures if one.value is not None]
    assert list(requested.figures["value"].dropna()) == known
    frame = requested.table()
    assert list(frame.columns) == [column.name for column in result.table.columns]
    assert len(frame) == len(result.table.rows)
    assert frame.attrs["units"] == {column.name: column.unit for column in result.table.columns}
    assert ask(requested.link).link == requested.link


def test_dates_of_a_table_are_dates():
    frame = ask("/training-compute").table()
    dates = [name for name in frame.columns if pd.api.types.is_datetime64_any_dtype(frame[name])]
    assert dates
    assert not frame[dates[0]].isna().to_numpy().any()


def test_it_shows_headline_figures_picture_and_link_with_all_text_escaped():
    requested = ask(GAP)
    shown = requested._repr_html_()
    key = next(one for one in requested.result.figures if one.key)
    assert key.text in shown
    assert "data:image/png;base64," in shown
    assert "&amp;since=2018" in shown
    assert "&since=2018" not in shown
    assert requested._repr_png_().startswith(b"\x89PNG")
    first, second = (requested.figure(number) for number in (1, 2))
    assert first.layout.title.text != second.layout.title.text
    assert any("Epoch AI" in (note.text or "") for note in first.layout.annotations)
    assert repr(requested).splitlines()[0] == requested.headline
    assert repr(requested).splitlines()[-1] == requested.link


def test_link_and_citation_carry_the_site_whose_link_was_asked():
    requested = ask(f"https://gap.example.org{GAP}")
    assert requested.link.startswith("https://gap.example.org/growth-gap?release=")
    said = requested.cited(on=date(2026, 8, 3))
    assert "https://gap.example.org/v/" in said
    assert said.endswith("(accessed 3 August 2026).")
    assert requested.citation.startswith("Scaling Gap (")
    assert ask(f"https://gap.example.org{requested.result.short_link}").link == requested.link


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ("/nowhere", "There is no view '/nowhere'; there are /, "),
        ("/growth-gap?since=soon", "since: got 'soon'; allowed: "),
        ("/growth-gap?since=soon&tilt=1", "tilt: got '1'; allowed: the settings "),
        ("/v/000", "This short link is damaged"),
    ],
)
def test_a_link_that_cannot_be_used_says_what_is_allowed(link: str, words: str):
    with pytest.raises(ValueError, match=r"\w") as refused:
        ask(link)
    assert words in str(refused.value)


def test_in_a_notebook_it_shows_itself():
    nbclient, nbformat = (pytest.importorskip(name) for name in ("nbclient", "nbformat"))
    cells = [
        "import views\ngap = views.ask('/growth-gap?since=2018')\ngap",
        "gap.table().head(3)",
        "gap.figure().to_plotly_json()['layout']['title']['text']",
        "print(gap.citation)",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    shown, table, title, citation = (cell["outputs"][0] for cell in notebook.cells)
    assert isinstance(ask(GAP), Answer)
    assert {"text/html", "image/png", "text/plain"} <= set(shown["data"])
    assert ask(GAP).headline in shown["data"]["text/plain"]
    assert ask(GAP).headline in shown["data"]["text/html"].replace("&#x27;", "'")
    assert "<table" in table["data"]["text/html"]
    assert title["data"]["text/plain"].startswith("'<b>")
    assert "Data release" in citation["text"]
