"""Where the time of a token goes: its parts, their names and their chart."""

from dataclasses import dataclass

from analysis.latency_floor.floor import Floor
from charts.chart import Bar, Role
from views import wording, written
from views.exhibits import ValueAxis, bar_exhibit
from views.latency_floor.answer import FloorAnswer, milliseconds
from views.result import Exhibit
from views.table import Getter, stated_columns

_WORDS = written.toml(__file__, name="parts.toml")
PARTS: dict[str, str] = {name: part["label"] for name, part in _WORDS.items()}
BRIEF: dict[str, str] = {name: part.get("brief", part["label"]) for name, part in _WORDS.items()}
"""Parts in words that fit below a key figure."""
ROLES: dict[str, Role] = {name: part["role"] for name, part in _WORDS.items()}


@dataclass(frozen=True, kw_only=True)
class _Part:
    name: str
    seconds: float
    total: float

    @property
    def share(self) -> float:
        return self.seconds / self.total


COLUMNS: tuple[Getter[_Part], ...] = stated_columns(
    written.toml(__file__, name="columns.toml")["parts"],
    part=lambda part: wording.sentence_case(PARTS[part.name]),
)


def largest_part(floor: Floor) -> str:
    """Return the part that takes longest."""
    return max(PARTS, key=lambda name: float(getattr(floor, name)))


def parts_exhibit(answer: FloorAnswer, *, source: str) -> Exhibit:
    """Return where the time of a token goes, by part."""
    floor, total = answer.floor, answer.total_s
    parts = [_Part(name=name, seconds=float(getattr(floor, name)), total=total) for name in PARTS]
    largest = max(parts, key=lambda part: part.seconds)
    return bar_exhibit(
        [part for part in parts if part.seconds > 0],
        lambda part: Bar(
            label=wording.sentence_case(PARTS[part.name]),
            value=part.seconds * 1e3,
            text=milliseconds(part.seconds),
            role=ROLES[part.name],
            emphasised=part is largest,
        ),
        title=f"{wording.sentence_case(PARTS[largest.name])} takes {wording.percent(min(largest.share, 1.0))} of the "
        "time of a token",
        subtitle=f"Milliseconds per token of one request on the {answer.placed.name}, each part as far as it is not "
        "hidden behind another.",
        source=source,
        axis=ValueAxis(title="Time per token [ms]", span=(0.0,)),
        columns=COLUMNS,
        listed=parts,
    )
