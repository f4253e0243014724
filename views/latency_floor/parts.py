"""Where the time of a token goes: its parts, their names and their chart."""

from dataclasses import dataclass

from analysis.latency_floor.floor import Floor
from charts.chart import Bar, BarChart, Role
from views import wording
from views.axes import linear_axis
from views.latency_floor.words import milliseconds
from views.result import Exhibit
from views.table import Getter, column, table

PARTS = {
    "weights_s": "reading weights",
    "cache_s": "reading the KV cache",
    "compute_s": "computing that takes longer than reading",
    "steps_s": "steps of a layer, one after another",
    "latency_s": "latency of collectives",
    "transfer_s": "transfer in collectives",
    "stages_s": "handing from stage to stage",
    "draft_s": "proposing tokens",
}
BRIEF = {
    "cache_s": "reading KV cache",
    "compute_s": "computing",
    "steps_s": "steps of layers",
    "latency_s": "link latency",
    "transfer_s": "transfer",
    "stages_s": "handing on",
}
"""Parts in words that fit below a key figure; others as in ``PARTS``."""
ROLES: dict[str, Role] = {
    "weights_s": "memory",
    "cache_s": "memory",
    "compute_s": "compute",
    "steps_s": "compute",
    "latency_s": "links",
    "transfer_s": "links",
    "stages_s": "links",
    "draft_s": "context",
}


@dataclass(frozen=True, kw_only=True)
class _Part:
    """A part of the time of a token, by its field of the floor."""

    name: str
    seconds: float
    share: float


COLUMNS: tuple[Getter[_Part], ...] = (
    column("part", lambda part: wording.sentence_case(PARTS[part.name]), label="Part", kind="text"),
    column("time_s", lambda part: part.seconds, label="Time per token", unit="s", kind="scientific"),
    column("share", lambda part: part.share, label="Share", unit="1"),
)


def largest_part(floor: Floor) -> str:
    """Return the part that takes longest."""
    return max(PARTS, key=lambda name: float(getattr(floor, name)))


def parts_exhibit(floor: Floor, *, chip: str, source: str) -> Exhibit:
    """Return where the time of a token goes, by part."""
    parts = {name: float(getattr(floor, name)) for name in PARTS}
    total = float(floor.total_s)
    largest = max(parts, key=lambda name: parts[name])
    shown = [name for name in PARTS if parts[name] > 0]
    title = (
        f"{wording.sentence_case(PARTS[largest])} takes {wording.percent(min(parts[largest] / total, 1.0))} of the "
        "time of a token"
    )
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle=f"Milliseconds per token of one request on the {chip}, each part as far as it is not "
            "hidden behind another.",
            alt=f"{title}.",
            source=source,
            x=linear_axis(
                "Time per token [ms]",
                [0.0, *(parts[name] * 1e3 for name in shown)],
                word=lambda value: f"{value:g}",
            ),
            base=0.0,
            bars=tuple(
                Bar(
                    label=wording.sentence_case(PARTS[name]),
                    value=parts[name] * 1e3,
                    text=milliseconds(parts[name]),
                    role=ROLES[name],
                    emphasised=name == largest,
                )
                for name in shown
            ),
        ),
        table=table(
            COLUMNS,
            [_Part(name=name, seconds=parts[name], share=parts[name] / total) for name in PARTS],
        ),
    )
