"""Where decoding and reading a prompt stand on a chip's roofline."""

import math
from dataclasses import dataclass

from analysis.hardware.roofline import Roof, attainable_flop_per_s
from analysis.latency_floor.enough_chips import Placed
from analysis.model.flop import token_flop
from analysis.model.kv_cache import kv_read_byte
from analysis.model.weights import weights_read
from charts.chart import Line, Points
from views import wording, written
from views.axes import log_axis
from views.exhibits import ValueAxis, xy_exhibit
from views.latency_floor.answer import FloorAnswer
from views.result import Exhibit
from views.table import Getter, stated_columns, table

BATCHES = (1, 8, 64, 512)


@dataclass(frozen=True, kw_only=True)
class _Work:
    """A kind of work: operations per byte read [FLOP/byte], the rate the chip allows it [FLOP/s], what binds it."""

    name: str
    intensity: float
    rate: float
    bound_by: str

    @property
    def details(self) -> tuple[str, str]:
        allowed = wording.quantity(self.rate, "FLOP/s")
        at_most = f"{wording.significant(self.intensity)} FLOP per byte, at most {allowed}"
        return at_most, f"bound by {self.bound_by}"


COLUMNS: tuple[Getter[_Work], ...] = stated_columns(written.toml(__file__, name="columns.toml")["roofline"])


def _intensities(placed: Placed, *, context: int) -> list[tuple[str, float]]:
    """Return the work and its operations per byte read: decoding at some batches, and reading the prompt."""
    model, request = placed.model, placed.request
    cache = float(kv_read_byte(model, context, byte_per_number=request.cache_byte))
    flop = float(token_flop(model, context_tokens=context))
    intensities = []
    for batch in sorted({*BATCHES, request.batch}):
        read = float(weights_read(model, tokens=batch)) * request.weight_byte + batch * cache
        intensities.append((f"Decode, batch {batch:,}", batch * flop / read))
    prompt = float(token_flop(model, context_tokens=context / 2)) * context
    read = float(weights_read(model, tokens=context)) * request.weight_byte + cache
    intensities.append((f"Prefill, {context:,} tokens", prompt / read))
    return intensities


def roofline_exhibit(answer: FloorAnswer, *, source: str) -> Exhibit:
    """Return both phases on the chip's roofline, or on its bandwidth alone where no peak is stated."""
    placed = answer.placed
    intensities = _intensities(placed, context=answer.settings.context)
    known = math.isfinite(placed.peak_flop_per_s)
    x = tuple(intensity for _, intensity in intensities)
    bandwidth = placed.chip.memory_bandwidth_byte_per_s
    peak = placed.peak_flop_per_s if known else bandwidth * max(x) * 10
    roof = Roof(peak_flop_per_s=peak, memory_bandwidth_byte_per_s=bandwidth)
    ridge = roof.machine_balance
    low, high = min(x) / 2, max(*x, ridge) * 3
    heights = attainable_flop_per_s(roof, x)
    knots = (low, ridge, high) if known else (low, high / 30)
    work = [
        _Work(
            name=name,
            intensity=intensity,
            rate=float(rate),
            bound_by="memory" if not known or intensity < ridge else "compute",
        )
        for (name, intensity), rate in zip(intensities, heights, strict=True)
    ]
    by_memory = sum(each.bound_by == "memory" for each in work)
    title = (
        f"On the {placed.name}, {by_memory} of {len(work)} kinds of work "
        f"{'is' if by_memory == 1 else 'are'} bound by memory; "
        f"one request decodes at {wording.significant(work[0].intensity)} FLOP per byte"
    )
    if known:
        title += f" where the chip offers {wording.significant(ridge)}"
    marks = (
        Line(
            series=placed.name,
            role="compute",
            x=knots,
            y=tuple(attainable_flop_per_s(roof, knots).tolist()),
            end_label=(placed.name,),
        ),
        Points(
            series="Work",
            role="memory",
            x=x,
            y=tuple(heights.tolist()),
            names=tuple(each.name for each in work),
            details=tuple(each.details for each in work),
            marked=tuple((index, each.name) for index, each in enumerate(work)),
        ),
    )
    return xy_exhibit(
        marks,
        title=title,
        subtitle="What computing and memory of one chip both allow, log scales. Batching lifts the weights' "
        "share of the work, not that of the KV cache.",
        source=source,
        x=log_axis("Work per byte read [FLOP/byte]", [low, high * 4], word="{:,g}".format),
        y=ValueAxis(
            title="Attainable throughput [FLOP/s]",
            word=lambda value: wording.quantity(value, "FLOP/s"),
            log=True,
        ),
        numbers=table(COLUMNS, work),
    )
