"""The answer of a view: headline, figures, exhibits, notes and sources, and its JSON form."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from analysis.intervals import Resamples
from charts.chart import Chart
from charts.slide import Tone
from data.records import Move
from views.note import Note
from views.on_demand import OnDemand
from views.setting_kinds import SettingError
from views.settings import Ignored

Cell = str | float | int | bool | None


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A number with its name, unit, interval and method; readers see ``text`` and ``interval_text``.

    ``low`` and ``high`` bound the quantity itself; ``prediction_low`` and ``prediction_high`` bound a new point, None
    if that has no meaning. ``tone`` is that of a verdict in ``text``; ``resamples`` allow two answers to be compared
    resample by resample.
    """

    name: str
    label: str
    value: float | None
    unit: str
    text: str
    low: float | None = None
    high: float | None = None
    level: float | None = None
    interval_text: str = ""
    method: str = ""
    n: int | None = None
    prediction_low: float | None = None
    prediction_high: float | None = None
    key: bool = True
    tone: Tone | None = None
    resamples: Resamples | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, kw_only=True)
class Column:
    """One column of a table: its name in files, its unit (empty for text), and its heading on the page.

    ``wide`` is the width of a column of wrapped sentences, 0 for any other. [px] ``words`` are the displayed texts for
    codes in files. The column's texts name ``rows`` of that table of /data, where each has a page; a page shows a
    column of ``more`` on request.
    """

    name: str
    label: str
    unit: str = ""
    kind: str = "number"
    wide: int = 0
    words: Mapping[str, str] = field(default_factory=dict, hash=False)
    rows: str = ""
    more: bool = False


@dataclass(frozen=True, kw_only=True)
class Table:
    """Rows under named columns; a ``link`` column has web addresses. Rows may be computed on first access."""

    columns: tuple[Column, ...]
    rows: Sequence[tuple[Cell, ...]]

    def __post_init__(self) -> None:
        if isinstance(self.rows, OnDemand):
            return
        for number, row in enumerate(self.rows, start=1):
            if len(row) != len(self.columns):
                raise ValueError(f"Table row {number} has {len(row)} cells for {len(self.columns)} columns.")


Section = Literal["finding", "sure", "changes"]
"""Place of an exhibit: with the finding, or collapsed under "How sure are we?" or "What changes this?"."""


@dataclass(frozen=True, kw_only=True)
class Exhibit:
    """A chart and the table of its numbers.

    ``section`` is the place on the page of an exhibit after the first; the first is the finding. With ``table_first``
    the page opens on the table, because the rows are the answer.
    """

    chart: Chart
    table: Table
    section: Section = "changes"
    table_first: bool = False


@dataclass(frozen=True, kw_only=True)
class Fact:
    """One line of a card: its label, its value, and its interval or a remark."""

    label: str
    text: str
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class CardLink:
    """A link of a card: an address on the web or one of our pages, and its text."""

    address: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Card:
    """A verdict on one thing: a tested claim, or what to buy.

    ``name`` is its anchor on the page, for a link that ends in ``#name``. ``verdict`` is one or two words, with its
    ``tone`` as colour and symbol. ``facts`` are the numbers, ``text`` is the reason.
    """

    name: str
    title: str
    verdict: str = ""
    tone: Tone = "none"
    facts: tuple[Fact, ...] = ()
    text: str = ""
    links: tuple[CardLink, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Source:
    """A source of data: credit, address and licence."""

    title: str
    publisher: str
    url: str
    licence: str


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What a view's build function returns; the mechanism adds link, release and sources to make a Result.

    ``subtitle`` is the caveat and the interval in one line, by default that of the first chart. ``exhibits`` is never
    empty; the first is the view's own chart and table. ``settings_line`` describes the settings. ``notes`` are
    necessary caveats, at most three, one sentence each. ``sure`` is the uncertainty of the finding, ``changes`` what
    would change it, and ``method`` how the numbers were computed, one paragraph each. ``cards`` are verdicts shown
    before the chart.

    Exhibits and texts that take time are better given as :class:`views.on_demand.OnDemand`: a preview reads the
    headline, a claim one figure, a picture one chart.
    """

    headline: str
    figures: tuple[Figure, ...]
    exhibits: Sequence[Exhibit]
    settings_line: str
    subtitle: str = ""
    cards: Sequence[Card] = ()
    notes: Sequence[str] = ()
    sure: Sequence[str] = ()
    changes: Sequence[str] = ()
    method: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Change:
    """A figure in two answers as displayed, and the ratio of the current to the pinned one, None if meaningless.

    ``times_low`` and ``times_high`` bound the ratio if both come from the same resamples of the same rows.
    """

    figure: str
    label: str
    pinned: str
    now: str
    times: float | None
    times_low: float | None = None
    times_high: float | None = None


@dataclass(frozen=True, kw_only=True)
class Versus:
    """The pinned answer of a comparison: its links, its finding, what distinguishes it, and every change."""

    link: str
    short_link: str
    headline: str
    choices: tuple[str, ...]
    changes: tuple[Change, ...]


@dataclass(frozen=True, kw_only=True)
class Result(Finding):
    """The answer of a view to one set of settings, which is all that every form of the view renders.

    ``moved`` are the default figures changed by new code since they were first computed from this release;
    ``moved_notes`` describe them and precede the other ``notes``.

    ``link`` spells out every setting, pinned; ``short_link`` is its permanent short form; ``printed_link`` is that of a
    picture or slide: the bare address while it is equivalent, otherwise the short one. All three are empty for a
    reader's own data.
    """

    view: str
    question: str
    link: str
    release: str
    settings: Mapping[str, str]
    short_link: str = ""
    printed_link: str = ""
    ignored: tuple[Ignored, ...] = ()
    moved: tuple[Move, ...] = ()
    moved_notes: tuple[str, ...] = ()
    versus: Versus | None = None
    """The pinned answer for comparison, if any."""
    note: Note | None = None
    """The note of the link's sender, if any."""

    @property
    def table(self) -> Table:
        """Return the table of the view's own chart."""
        return self.exhibits[0].table

    def exhibit(self, number: int) -> Exhibit:
        """Return an exhibit, counted from 1, computing none after it; raises SettingError if it does not exist."""
        try:
            return self.exhibits[number - 1 if number > 0 else len(self.exhibits)]
        except IndexError:
            allowed = f"a whole number from 1 to {len(self.exhibits)}"
            raise SettingError("exhibit", str(number), allowed=allowed) from None

    def figure(self, name: str) -> Figure:
        """Return the figure of that name."""
        return next(figure for figure in self.figures if figure.name == name)


def _number(value: Cell) -> Cell:
    """Return the value as allowed in JSON: an infinite or undefined number becomes None."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


FIGURE_KEYS = (
    *("name", "label", "value", "unit", "low", "high", "level", "method", "n"),
    *("prediction_low", "prediction_high"),
)


def as_json(result: Result) -> dict[str, Any]:
    """Return the result as plain data for JSON; the shape is documented on ``/methods``."""
    return {
        "view": result.view,
        "link": result.link,
        "short_link": result.short_link,
        "release": result.release,
        "settings": dict(result.settings),
        "ignored": [asdict(item) for item in result.ignored],
        "headline": result.headline,
        "figures": [
            {name: _number(getattr(figure, name)) for name in FIGURE_KEYS}
            | {"text": " ".join(filter(None, [figure.text, figure.interval_text]))}
            for figure in result.figures
        ],
        "table": {
            "columns": [{"name": column.name, "unit": column.unit} for column in result.table.columns],
            "rows": [[_number(cell) for cell in row] for row in result.table.rows],
        },
        "settings_line": result.settings_line,
        "notes": list(result.notes),
        "method": list(result.method),
        "sources": [asdict(source) for source in result.sources],
        "subtitle": result.subtitle or result.exhibits[0].chart.subtitle,
        "cards": [asdict(card) for card in result.cards],
        "sure": list(result.sure),
        "changes": list(result.changes),
        "moved": [
            {"figure": move.figure, "from": move.was, "to": move.now, "day": move.day, "reason": move.reason}
            for move in result.moved
        ],
        "versus": asdict(result.versus) if result.versus else None,
    } | ({"note": asdict(result.note)} if result.note else {})
