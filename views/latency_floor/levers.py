"""Where the time of a token goes, and what makes an answer faster, one lever at a time."""

import math
from dataclasses import dataclass, replace
from typing import Any

from analysis.latency_floor.enough_chips import Placed
from analysis.latency_floor.floor import resident_byte
from charts.chart import Bar
from views import wording, written
from views.exhibits import ValueAxis, bar_exhibit
from views.latency_floor.answer import PARTS, FloorAnswer, milliseconds
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

    @property
    def text(self) -> str:
        one, everyone = wording.significant(self.speed), wording.significant(self.throughput)
        return one if math.isclose(self.speed, self.throughput) else f"{one}, all requests {everyone}"


_COLUMNS = written.toml(__file__, name="columns.toml")


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
    bits: dict[str, Any] = {"weight_byte": request.weight_byte / 2, "compute_byte": request.product_byte}
    drafts: dict[str, Any] = {"draft_tokens": 4, "acceptance": 0.8, "draft_share": 0.05}
    return [
        other("As chosen"),
        _outcome("Twice the chips in each layer", placed, tensor=tensor * 2, stages=stages),
        _outcome("Twice the pipeline stages", placed, tensor=tensor, stages=twice_stages),
        other("Half the bits a weight", **bits),
        _outcome("Half the active parameters", replace(placed, model=fewer), tensor=tensor, stages=stages),
        other("4 draft tokens", detail="80% accepted, draft 5% as large", **drafts),
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


def levers_exhibit(answer: FloorAnswer, *, source: str) -> Exhibit:
    """Return what each lever does to the speed of one request, to throughput and to memory."""
    chosen, *others = outcomes = _outcomes(answer)
    best = max(others, key=lambda outcome: outcome.speed)
    gain = best.speed / chosen.speed
    title = (
        f"One request gains most from {wording.small_initial(best.short)} ({wording.times(gain)}); stages and "
        "batches add only throughput"
        if gain > NOTABLE
        else "No single change makes one request faster"
    )

    def bar(outcome: _Outcome) -> Bar:
        own, faster = outcome is chosen, outcome.speed > chosen.speed * NOTABLE
        return Bar(
            label=outcome.label,
            value=outcome.speed,
            text=outcome.text,
            role="memory" if own else "compute" if faster else "context",
            emphasised=own,
        )

    return bar_exhibit(
        outcomes,
        bar,
        title=title,
        subtitle="Each bar is the best speed of one request if one choice changes. If the throughput of all "
        "requests differs, it follows.",
        source=source,
        axis=ValueAxis(title="Tokens a second of one request", word="{:,g}".format, span=(0.0,)),
        columns=stated_columns(_COLUMNS["levers"]),
    )


def parts_exhibit(answer: FloorAnswer, *, source: str) -> Exhibit:
    """Return where the time of a token goes, by part."""
    seconds, total, largest = answer.parts_s, answer.total_s, answer.largest
    columns: tuple[Getter[str], ...] = stated_columns(
        _COLUMNS["parts"],
        part=lambda name: wording.sentence_case(PARTS[name]["label"]),
        time_s=lambda name: seconds[name],
        share=lambda name: seconds[name] / total,
    )
    return bar_exhibit(
        [name for name in PARTS if seconds[name] > 0],
        lambda name: Bar(
            label=wording.sentence_case(PARTS[name]["label"]),
            value=seconds[name] * 1e3,
            text=milliseconds(seconds[name]),
            role=PARTS[name]["role"],
            emphasised=name == largest,
        ),
        title=f"{wording.sentence_case(PARTS[largest]['label'])} takes {wording.percent(answer.largest_share)} of "
        "the time per token",
        subtitle=f"Bars are the parts of a token's time on the {answer.placed.name} that are not overlapped.",
        source=source,
        axis=ValueAxis(title="Time per token [ms]", span=(0.0,)),
        columns=columns,
        listed=tuple(PARTS),
    )
