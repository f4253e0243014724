"""The kinds of chips side by side: how many hold the model, and how fast each can be at best."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.latency_floor.enough_chips import MOST_CHIPS, Placed
from charts.chart import Bar
from views import wording, written
from views.exhibits import ValueAxis, bar_exhibit
from views.result import Exhibit
from views.table import Getter, stated_columns


@dataclass(frozen=True, kw_only=True)
class _Kind:
    """A kind of chip with as many of them a layer as are enough: stages, and tokens a second of one request.

    ``today`` is the speed of the same chips with today's latencies, NaN where none are known.
    """

    word: str
    placed: Placed
    best: int
    stages: int
    speed: float
    today: float

    @property
    def chips(self) -> str:
        """Return how many chips that makes, with a plus where more than were tried would still help."""
        if self.best == MOST_CHIPS:
            return f"{self.best * self.stages:,}+ chips"
        return wording.counted(self.best * self.stages, "chip")


COLUMNS: tuple[Getter[_Kind], ...] = stated_columns(written.toml(__file__, name="columns.toml")["chips"])


def _kinds(placed: Mapping[str, Placed]) -> list[_Kind]:
    """Return the kinds that hold the model, the fastest first."""
    kinds = []
    for word, each in placed.items():
        best = each.best
        if best is None:
            continue
        kinds.append(
            _Kind(
                word=word,
                placed=each,
                best=best,
                stages=int(each.stages(tensor=best)),
                speed=1 / float(each.times(np.array([best]))[0]),
                today=1 / float(each.today_times(np.array([best]))[0]),
            )
        )
    return sorted(kinds, key=lambda kind: -kind.speed)


def chips_exhibit(placed: Mapping[str, Placed], *, chosen: str, source: str) -> Exhibit:
    """Return the chips side by side: how many hold the model, and how fast each kind can be at best."""
    kinds = _kinds(placed)
    title = (
        f"{kinds[0].placed.name} allows most: {wording.significant(kinds[0].speed)} tokens a second"
        f"{_holding(kinds)}"
        if kinds
        else f"No kind of chip holds the model with {MOST_CHIPS:,} chips per layer"
    )
    return bar_exhibit(
        kinds,
        lambda kind: _bar(kind, chosen=kind.word == chosen),
        title=title,
        subtitle="Tokens a second for one request with as many chips per layer as are enough; stages are added "
        f"where memory needs them. A plus: {MOST_CHIPS:,} per layer are the most tried, and more would still help.",
        source=source,
        axis=ValueAxis(
            title="Tokens a second, one request, at best",
            word="{:,g}".format,
            span=(0.0,) if kinds else (0.0, 1.0),
        ),
        columns=COLUMNS,
    )


def _bar(kind: _Kind, *, chosen: bool) -> Bar:
    held_by = f"; {kind.placed.fewest:,} hold it" if kind.placed.fewest > 1 else ""
    return Bar(
        label=kind.placed.name,
        value=kind.speed,
        text=f"{wording.significant(kind.speed)} with {kind.chips}{held_by}",
        detail=(
            f"{wording.counted(kind.placed.fewest, 'chip')} hold{'s' if kind.placed.fewest == 1 else ''} the model",
            *((f"{wording.significant(kind.today)} with today's latencies",) if kind.today > 0 else ()),
        ),
        role="memory" if chosen else "context",
        emphasised=chosen,
    )


def _holding(kinds: Sequence[_Kind]) -> str:
    fewest = {kind.word: kind.placed.fewest for kind in kinds}
    parts = []
    if "wse-3" in fewest:
        parts.append(wording.counted(fewest["wse-3"], "wafer"))
    if "groq-lpu" in fewest:
        parts.append(f"{fewest['groq-lpu']:,} Groq {'chip' if fewest['groq-lpu'] == 1 else 'chips'}")
    return f"; {' or '.join(parts)} hold the model" if parts else ""
