"""Forms of a view, keyed by extension. A new form is one line here and one in forms.toml."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from data.release_name import correction_of
from panel.cells import table_csv
from views import written
from views.citation import bibtex
from views.result import Exhibit, Result, as_json
from views.settings import Settings, choice, whole_number
from views.slides import slide_words, without_scheme

if TYPE_CHECKING:
    from charts.picture import Format

MOST_EXHIBITS = 9
STATED = written.toml(__file__, name="forms.toml")
WORDS: dict[str, dict[str, Any]] = STATED["settings"]
NOTEBOOK = Path(__file__).with_name("notebook.json")
"""A notebook (nbformat 4.5) with a placeholder in each cell."""


@dataclass(frozen=True, kw_only=True)
class ExhibitSettings(Settings):
    """Settings of a form: the number that selects the view's chart or table."""

    exhibit: int = whole_number(1, low=1, high=MOST_EXHIBITS, **WORDS["exhibit"])


@dataclass(frozen=True, kw_only=True)
class PictureSettings(ExhibitSettings):
    """Settings of a picture: its size and theme."""

    size: str = choice("slide", **WORDS["size"])
    theme: str = choice("light", **WORDS["theme"])


@dataclass(frozen=True, kw_only=True)
class Order:
    """Input for a form: a result, the form's own settings, the site's address, and today's date."""

    result: Result
    options: Any
    origin: str
    today: date

    @property
    def exhibit(self) -> Exhibit:
        """Return the requested exhibit. Raises SettingError if the view has none with that number."""
        return self.result.exhibit(self.options.exhibit)


@dataclass(frozen=True, kw_only=True)
class Form:
    """A form in which every view can be requested.

    ``dated`` means that the file depends on the day it is fetched; ``policy`` is its own content security policy; with
    ``download`` a browser saves it instead of showing it.
    """

    extension: str
    media_type: str
    what: str
    write: Callable[[Order], bytes]
    options: type[Settings] = Settings
    download: bool = False
    dated: bool = False
    policy: str = ""


def write_picture(order: Order, *, format: "Format") -> bytes:
    """Return the picture of the requested exhibit, with headline, settings, source and link."""
    from charts.picture import render  # lazy import, as drawing is slow to load

    return render(
        order.exhibit.chart,
        format=format,
        size=order.options.size,
        theme=order.options.theme,
        footer=without_scheme(f"{order.origin}{order.result.printed_link}"),
        link=f"{order.origin}{order.result.link}",
    )


def json_line(content: Any) -> bytes:
    """Return content as JSON, as the command line prints it."""
    return (json.dumps(content, ensure_ascii=False, allow_nan=False) + "\n").encode()


def write_slide(order: Order) -> bytes:
    """Return a presentation of one slide, with the requested exhibit as a native chart."""
    from charts.powerpoint import presentation  # lazy import, as drawing is slow to load

    words = slide_words(order.result, origin=order.origin, exhibit=order.options.exhibit)
    as_of = correction_of(order.result.release)
    return presentation([words], title=None, contents=False, sources=(), template=None, as_of=as_of)


def write_notebook(order: Order) -> bytes:
    """Return a notebook (nbformat 4.5) that reads the exhibit's table and draws its chart.

    It needs pandas and plotly, and a server only for the address of the table.
    """
    from charts.plotly import spec

    result, chart = order.result, order.exhibit.chart
    query = result.link.partition("?")[2]
    numbers = f"{order.origin}/{result.view}.csv?{query}&exhibit={order.options.exhibit}"
    drawn = {part: value for part, value in spec(chart, theme="light").items() if part != "narrow"}
    figure = json.dumps(drawn, ensure_ascii=False, default=lambda values: values.tolist())
    words = (f"# {chart.title}", chart.subtitle, chart.source, f"{order.origin}{result.link}")
    # A line indented by four spaces is shown verbatim.
    words += (f"    {chart.note}",) if chart.note else ()
    book = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    own = {"finding": "\n\n".join(words), "numbers": repr(numbers), "chart": repr(figure)}
    for cell in book["cells"]:
        cell["source"] = cell["source"].replace("OURS", own[cell["id"]])
    return (json.dumps(book, ensure_ascii=False, indent=1) + "\n").encode()


def write_page(order: Order) -> bytes:
    """Return the view's page as one file that needs no server."""
    from web.edition import one_file  # circular: it uses these forms

    return one_file(order.result, site=order.origin)


PICTURES: Any = ("png", "svg", "pdf")
WRITERS: dict[str, dict[str, Any]] = {
    **{one: {"write": partial(write_picture, format=one), "options": PictureSettings} for one in PICTURES},
    "csv": {
        "write": lambda order: table_csv(order.exhibit.table).encode(),
        "options": ExhibitSettings,
    },
    "json": {"write": lambda order: json_line(as_json(order.result))},
    "pptx": {"write": write_slide, "options": ExhibitSettings},
    "ipynb": {"write": write_notebook, "options": ExhibitSettings},
    "html": {"write": write_page},
    "bib": {"write": lambda order: bibtex(order.result, accessed=order.today, origin=order.origin).encode()},
}
FORMS: dict[str, Form] = {
    extension: Form(extension=extension, **WRITERS[extension], **stated)
    for extension, stated in STATED["forms"].items()
}
