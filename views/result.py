"""The answer of a view: headline, figures, exhibits, notes and sources. It can also be returned as JSON."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from analysis.intervals import Resamples
from charts.chart import Chart
from charts.slide import Tone
from data.records import Move
from views.lazy_sequence import LazySequence
from views.note import Note
from views.setting_kinds import SettingError
from views.settings import Ignored

Cell = str | float | int | bool | None


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A number with its name, unit, interval and method. Readers see ``text`` and ``interval_text``.

    ``low`` and ``high`` bound the quantity itself; ``prediction_low`` and ``prediction_high`` bound a new point, or are
    None if that has no meaning. ``tone`` is that of a verdict in ``text``. With ``resamples``, two answers can be
    compared resample by resample.
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
    """A column of a table: its name in files, its unit (empty for text), and its displayed heading.

    ``wide`` is the width of a column of wrapped sentences, 0 for any other. [px] ``words`` are the displayed texts for
    codes in files. If the column's texts name rows of a table of /data, ``rows`` is that table, and each text links to
    the row's page. A page shows a column with ``more`` on request.
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
    """Rows under named columns. The rows may be computed on first access."""

    columns: tuple[Column, ...]
    rows: Sequence[tuple[Cell, ...]]

    def __post_init__(self) -> None:
        if isinstance(self.rows, LazySequence):
            return
        for number, row in enumerate(self.rows, start=1):
            if len(row) != len(self.columns):
                raise ValueError(f"Table row {number} has {len(row)} cells for {len(self.columns)} columns.")


Section = Literal["finding", "sure", "changes"]
"""Position of an exhibit: with the finding, or under "How sure are we?" or "What changes this?"."""


@dataclass(frozen=True, kw_only=True)
class Exhibit:
    """A chart and the table of its numbers.

    ``section`` states where the page shows the exhibit, unless it is the first, which is the finding. With
    ``table_first``, the page opens on the table, because the rows are the answer.
    """

    chart: Chart
    table: Table
    section: Section = "changes"
    table_first: bool = False


@dataclass(frozen=True, kw_only=True)
class Fact:
    """A line of a card: a label, a value, and its interval or a remark."""

    label: str
    text: str
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class CardLink:
    """A link on a card: its text, and a web address or one of our pages."""

    address: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Card:
    """A card with a verdict, for example on a claim or on what to buy.

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
    """A source of data: its title, publisher, address and licence."""

    title: str
    publisher: str
    url: str
    licence: str


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What a view's build function returns. A Result adds the link and the release.

    ``subtitle`` is the caveat and the interval in one line, by default that of the first chart. ``exhibits`` is never
    empty; the first is the view's own chart and table. ``settings_line`` describes the settings. ``notes`` are
    necessary caveats, at most three, one sentence each. ``sure`` is the uncertainty of the finding, ``changes`` what
    would change it, and ``method`` how the numbers were computed, one paragraph each. ``cards`` are verdicts shown
    before the chart.

    Exhibits and texts that take time are better given as :class:`views.lazy_sequence.LazySequence`: a preview reads the
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
    """A figure as displayed in two answers, and the ratio of its values (None if meaningless).

    ``times_low`` and ``times_high`` bound the ratio if both answers come from the same resamples of the same rows.
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
    """The pinned answer in a comparison: its links, headline, distinguishing choices and changes."""

    link: str
    short_link: str
    headline: str
    choices: tuple[str, ...]
    changes: tuple[Change, ...]


@dataclass(frozen=True, kw_only=True)
class Result(Finding):
    """The complete answer of a view. Every format of the view shows it.

    ``moved`` are the default figures that new code has changed since they were first computed from this release;
    ``moved_notes`` describe them and precede the other ``notes``; ``moved_briefly`` are their first sentences.

    ``link`` contains every setting, pinned, and ``short_link`` is its permanent short form. ``printed_link`` is the
    link on a picture or slide: the bare address while that is equivalent, otherwise the short link. All three are
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
    moved_briefly: tuple[str, ...] = ()
    versus: Versus | None = None
    """The pinned answer to compare with, if any."""
    note: Note | None = None
    """The sender's note, if any."""

    @property
    def table(self) -> Table:
        """Return the table of the first exhibit."""
        return self.exhibits[0].table

    def exhibit(self, number: int) -> Exhibit:
        """Return exhibit ``number``, from 1, without computing later ones. Raises SettingError if it does not exist."""
        try:
            return self.exhibits[number - 1 if number > 0 else len(self.exhibits)]
        except IndexError:
            allowed = f"a whole number from 1 to {len(self.exhibits)}"
            raise SettingError("exhibit", str(number), allowed=allowed) from None

    def figure(self, name: str) -> Figure:
        """Return the figure with the given name."""
        return next(figure for figure in self.figures if figure.name == name)


def _number(value: Cell) -> Cell:
    """Return a value that JSON allows. An infinite or undefined number becomes None."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


FIGURE_KEYS = (
    *("name", "label", "value", "unit", "low", "high", "level", "method", "n"),
    *("prediction_low", "prediction_high"),
)


def as_json(result: Result) -> dict[str, Any]:
    """Return the result as plain data for JSON. Its shape is documented on ``/methods``."""
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
