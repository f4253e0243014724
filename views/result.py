"""What a view answers: headline, figures, exhibits, notes and sources, and the same as JSON."""

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
    """A number with its name, unit, interval and method; a reader sees ``text`` and ``interval_text``.

    ``low`` and ``high`` bound the quantity itself; ``prediction_low`` and ``prediction_high`` bound where a
    new point should fall and are None where that has no meaning. ``tone`` is how a verdict sounds in ``text``;
    ``resamples`` let two answers be compared resample by resample.
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

    ``wide`` is how wide a column of sentences is drawn, whose cells are broken into lines; 0 for any other. [px]
    ``words`` are what a reader sees for the code words that files hold. Its texts name ``rows`` of that table of /data,
    where each has a page; a page shows a column of ``more`` on request.
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
    """Rows under named columns; a ``link`` column holds web addresses. Rows may be made when they are first read."""

    columns: tuple[Column, ...]
    rows: Sequence[tuple[Cell, ...]]

    def __post_init__(self) -> None:
        if isinstance(self.rows, OnDemand):
            return
        for number, row in enumerate(self.rows, start=1):
            if len(row) != len(self.columns):
                raise ValueError(f"Table row {number} has {len(row)} cells for {len(self.columns)} columns.")


Section = Literal["finding", "sure", "changes"]
"""Where an exhibit stands: open with the finding, or closed under "How sure are we?" or "What changes this?"."""


@dataclass(frozen=True, kw_only=True)
class Exhibit:
    """A chart beside the table of its numbers.

    ``section`` is where an exhibit after the first stands on the page; the first is the finding.
    ``table_first`` opens the page on the table: the rows are the answer, the chart is about them.
    """

    chart: Chart
    table: Table
    section: Section = "changes"
    table_first: bool = False


@dataclass(frozen=True, kw_only=True)
class Fact:
    """One line of a card: what it is, what it comes to, and its interval or what to know of it."""

    label: str
    text: str
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class CardLink:
    """Where a card leads: an address on the web or a page of ours, and what stands for it."""

    address: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Card:
    """A verdict on one thing: a statement checked, or what to buy.

    ``name`` is its part of the page, for a link that ends in ``#name``. ``verdict`` is said in a word or two, its
    ``tone`` in colour and sign beside it. ``facts`` are the numbers, ``text`` the reason.
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
    """Where data came from: what to credit, address and licence."""

    title: str
    publisher: str
    url: str
    licence: str


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What a view's build function returns; the mechanism adds link, release and sources to make a Result.

    ``subtitle`` is the catch and the interval in one line; where it is empty, that of the first chart stands for it.
    ``exhibits`` is never empty; the first is the view's own chart and table. ``settings_line`` says the
    settings in words. ``notes`` are the caveats a reader must see, three at most, one sentence each; ``sure`` says how
    sure the finding is and ``changes`` what would change it, one paragraph each, on request; ``method`` is how the
    numbers were made, one paragraph each. ``cards`` are verdicts that stand before the chart.

    Exhibits and words that cost time are better given as :class:`views.on_demand.OnDemand`: a preview reads
    the headline, a statement one figure, a picture one chart.
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
    """A figure of two answers as a reader sees it, and how many times the pinned one it is now; None without sense.

    ``times_low`` and ``times_high`` bound that where both come from the same resamples of the same rows.
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
    """The pinned answer that another stands beside: its links, its finding, what sets it apart, and every change."""

    link: str
    short_link: str
    headline: str
    choices: tuple[str, ...]
    changes: tuple[Change, ...]


@dataclass(frozen=True, kw_only=True)
class Result(Finding):
    """The answer of a view to one set of settings; every form of the view renders this and nothing else.

    ``moved`` are the default figures that new code moved since they were first computed from this release;
    ``moved_notes`` say so and stand before the other ``notes``.

    ``link`` spells out every setting, pinned; ``short_link`` leads to the same for good; ``printed_link`` is what
    a picture or slide says: the bare address while that asks for the same, else the short one. All three are
    empty for a reader's own data.
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
    """The pinned answer that this one is compared with, if any."""
    note: Note | None = None
    """What the sender of the link wrote, if anything."""

    @property
    def table(self) -> Table:
        """Return the table of the view's own chart."""
        return self.exhibits[0].table

    def exhibit(self, number: int) -> Exhibit:
        """Return an exhibit, counted from 1, and make none behind it; SettingError for an exhibit that there is not."""
        try:
            return self.exhibits[number - 1 if number > 0 else len(self.exhibits)]
        except IndexError:
            allowed = f"a whole number from 1 to {len(self.exhibits)}"
            raise SettingError("exhibit", str(number), allowed=allowed) from None

    def figure(self, name: str) -> Figure:
        """Return the figure of that name."""
        return next(figure for figure in self.figures if figure.name == name)


def _number(value: Cell) -> Cell:
    """Return the value as JSON can hold it: an infinite or undefined number becomes None."""
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
