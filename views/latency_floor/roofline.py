"""Where decoding and reading a prompt stand on a chip's roofline."""

import numpy as np

from analysis.hardware.roofline import Roof, attainable_flop_per_s
from analysis.model.decoder import kv_cache_byte, token_flop, weights_read
from charts.chart import Line, Mark, Points, XYChart
from views import wording
from views.axes import log_axis
from views.latency_floor.exhibits import Case
from views.result import Column, Exhibit, Table

BATCHES = (1, 8, 64, 512)


def _intensities(case: Case, *, context: int) -> list[tuple[str, float]]:
    """Return the work and its operations per byte read: decoding at some batches, and reading the prompt."""
    model, request = case.model, case.request
    cache = float(kv_cache_byte(model, context_tokens=context, element_byte=request.cache_byte))
    flop = float(token_flop(model, context_tokens=context))
    found = []
    for batch in sorted({*BATCHES, request.batch}):
        read = float(weights_read(model, tokens=batch)) * request.weight_byte + batch * cache
        found.append((f"Decode, batch {batch:,}", batch * flop / read))
    prompt = float(token_flop(model, context_tokens=context / 2)) * context
    read = float(weights_read(model, tokens=context)) * request.weight_byte + cache
    found.append((f"Prefill, {context:,} tokens", prompt / read))
    return found


def roofline_exhibit(case: Case, *, context: int, source: str) -> Exhibit:
    """Return both phases on the chip's roofline, or on its bandwidth alone where no peak is stated."""
    work = _intensities(case, context=context)
    known = bool(np.isfinite(case.chip.peak_flop_per_s))
    x = np.array([intensity for _, intensity in work])
    bandwidth = case.chip.memory_bandwidth_byte_per_s
    peak = case.chip.peak_flop_per_s if known else bandwidth * float(x.max()) * 10
    roof = Roof(peak_flop_per_s=peak, memory_bandwidth_byte_per_s=bandwidth)
    ridge = roof.machine_balance
    low, high = float(x.min()) / 2, max(float(x.max()), ridge) * 3
    heights = attainable_flop_per_s(roof, x)
    knots = np.array([low, ridge, high]) if known else np.array([low, high / 30])
    memory = [name for name, intensity in work if not known or intensity < ridge]
    title = (
        f"On the {case.name}, {len(memory)} of {len(work)} kinds of work "
        f"{'is' if len(memory) == 1 else 'are'} bound by memory; "
        f"one request decodes at {wording.significant(work[0][1])} FLOP per byte"
    )
    if known:
        title += f" where the chip offers {wording.significant(ridge)}"
    marks: list[Mark] = [
        Line(
            series=case.name,
            role="compute",
            x=tuple(knots.tolist()),
            y=tuple(attainable_flop_per_s(roof, knots).tolist()),
            end_label=(case.name,),
        ),
        Points(
            series="Work",
            role="memory",
            x=tuple(x.tolist()),
            y=tuple(heights.tolist()),
            names=tuple(name for name, _ in work),
            details=tuple(
                (
                    f"{wording.significant(intensity)} FLOP per byte, at most "
                    f"{wording.quantity(float(rate), 'FLOP/s')}",
                    f"bound by {'memory' if name in memory else 'compute'}",
                )
                for (name, intensity), rate in zip(work, heights, strict=True)
            ),
            marked=tuple((index, name) for index, (name, _) in enumerate(work)),
        ),
    ]
    return Exhibit(
        chart=XYChart(
            title=title,
            subtitle="What computing and memory of one chip both allow, log scales. Batching lifts the weights' "
            "share of the work, not that of the KV cache.",
            alt=f"{title}.",
            source=source,
            x=log_axis("Work per byte read [FLOP/byte]", [low, high * 4], lambda value: f"{value:,g}"),
            y=log_axis(
                "Attainable throughput [FLOP/s]",
                [*attainable_flop_per_s(roof, knots).tolist(), *heights.tolist()],
                lambda value: wording.quantity(value, "FLOP/s"),
            ),
            marks=tuple(marks),
        ),
        table=Table(
            columns=(
                Column(name="work", label="Work", kind="text"),
                Column(name="arithmetic_intensity", label="Work per byte", unit="FLOP/byte"),
                Column(name="attainable_flop_per_s", label="Attainable", unit="FLOP/s", kind="scientific"),
                Column(name="bound_by", label="Bound by", kind="text"),
            ),
            rows=tuple(
                (name, intensity, float(rate), "memory" if name in memory else "compute")
                for (name, intensity), rate in zip(work, heights, strict=True)
            ),
        ),
    )
