"""Where the time of a token goes, and what makes an answer faster, one lever at a time."""

import math
from dataclasses import dataclass, replace
from typing import Any

from analysis.latency_floor.enough_chips import Placed
from analysis.latency_floor.floor import Floor, resident_byte
from charts.chart import Bar, Role
from views import wording, written
from views.exhibits import ValueAxis, bar_exhibit
from views.latency_floor.answer import FloorAnswer, milliseconds
from views.result import Exhibit
from views.table import Getter, stated_columns

NOTABLE = 1.005
"""A speed that grows by less than this has not grown. [1]"""


@dataclass(frozen=True, kw_only=True)
class _Outcome:
    """What a lever gives: tokens a second of one request and of all, chips, memory there is and needed. [byte]"""

    short: str
    detail: str
    speed: float
    throughput: float
    chips: int
    memory_byte: float
    needed_byte: float

    @property
    def label(self) -> str:
        return f"{self.short}, {self.detail}" if self.detail else self.short


COLUMNS: tuple[Getter[_Outcome], ...] = stated_columns(written.toml(__file__, name="columns.toml")["levers"])


def _outcomes(answer: FloorAnswer) -> list[_Outcome]:
    """Return what is chosen, then what each lever makes of it alone."""
    placed, tensor, stages = answer.placed, answer.tensor, answer.stages
    request, model = placed.request, placed.model
    half = (model.parameters.active - model.parameters.lookup) / 2
    fewer = replace(model, stated=replace(model.parameters, active=half, lookup=0.0))

    def other(label: str, *, detail: str = "", **changes: Any) -> _Outcome:
        changed = replace(placed, request=replace(request, **changes))
        return _outcome(label, changed, tensor=tensor, stages=stages, detail=detail)

    twice_stages = min(stages * 2, model.n_layers)
    return [
        other("As chosen"),
        _outcome("Twice the chips in each layer", placed, tensor=tensor * 2, stages=stages),
        _outcome("Twice the pipeline stages", placed, tensor=tensor, stages=twice_stages),
        other(
            "Half the bits a weight", weight_byte=request.weight_byte / 2, compute_byte=request.product_byte
        ),
        _outcome("Half the active parameters", replace(placed, model=fewer), tensor=tensor, stages=stages),
        other(
            "4 draft tokens",
            detail="80 % accepted, draft 5 % as large",
            draft_tokens=4,
            acceptance=0.8,
            draft_share=0.05,
        ),
        other(f"Batch {request.batch * 16:,} instead of {request.batch:,}", batch=request.batch * 16),
    ]


def _outcome(label: str, placed: Placed, *, tensor: int, stages: int, detail: str = "") -> _Outcome:
    chips, groups = tensor * stages, placed.groups(tensor=tensor, stages=stages)
    total = float(placed.floor(tensor=tensor, stages=stages).total_s)
    return _Outcome(
        short=label,
        detail=detail,
        speed=1 / total,
        throughput=placed.request.batch * groups / total,
        chips=chips,
        memory_byte=float(chips * placed.chip.memory_capacity_byte),
        needed_byte=float(resident_byte(placed.model, placed.request, groups=groups)),
    )


def _speed_words(outcome: _Outcome) -> str:
    one, everyone = wording.significant(outcome.speed), wording.significant(outcome.throughput)
    return one if math.isclose(outcome.speed, outcome.throughput) else f"{one}, all requests {everyone}"


def levers_exhibit(answer: FloorAnswer, *, source: str) -> Exhibit:
    """Return what each lever does to the speed of one request, to throughput and to memory."""
    chosen, *others = outcomes = _outcomes(answer)
    best = max(others, key=lambda outcome: outcome.speed)
    gain = best.speed / chosen.speed
    title = (
        f"One request gains most from {wording.small_initial(best.short)} ({wording.times(gain)}); stages and batches "
        "add throughput, not speed"
        if gain > NOTABLE
        else "No single change makes one request faster"
    )

    def bar(outcome: _Outcome) -> Bar:
        own, faster = outcome is chosen, outcome.speed > chosen.speed * NOTABLE
        return Bar(
            label=outcome.label,
            value=outcome.speed,
            text=_speed_words(outcome),
            role="memory" if own else "compute" if faster else "context",
            emphasised=own,
        )

    return bar_exhibit(
        outcomes,
        bar,
        title=title,
        subtitle="Tokens a second for one request, at best, when one thing changes. Where it differs, the number "
        "for all requests whose KV caches fit stands behind it: at most one batch per stage.",
        source=source,
        axis=ValueAxis(title="Tokens a second, one request", word="{:,g}".format, span=(0.0,)),
        columns=COLUMNS,
    )


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


PART_COLUMNS: tuple[Getter[_Part], ...] = stated_columns(
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
        columns=PART_COLUMNS,
        listed=parts,
    )
