"""What makes an answer faster on /latency-floor, one lever at a time."""

import math
from dataclasses import replace

from analysis.latency_floor.floor import latency_floor, resident_byte
from charts.chart import Bar, BarChart
from views import wording
from views.axes import linear_axis
from views.latency_floor.exhibits import Case
from views.result import Column, Exhibit, Table


def _levers(case: Case, *, tensor: int, stages: int) -> list[tuple[str, Case, int, int]]:
    request, model = case.request, case.model
    slimmer = replace(request, weight_byte=request.weight_byte / 2)
    half = (model.n_active_parameters - model.lookup_parameters) / 2
    fewer = replace(model, n_active_parameters=half, lookup_parameters=0.0)
    return [
        ("As chosen", case, tensor, stages),
        ("Twice the chips in each layer", case, tensor * 2, stages),
        ("Twice the pipeline stages", case, tensor, min(stages * 2, model.n_layers)),
        ("Half the bits a weight", replace(case, request=slimmer), tensor, stages),
        ("Half the active parameters", replace(case, model=fewer), tensor, stages),
        (
            "4 draft tokens, 80 % accepted, draft 5 % as large",
            replace(case, request=replace(request, draft_tokens=4, acceptance=0.8, draft_share=0.05)),
            tensor,
            stages,
        ),
        (
            f"Batch {request.batch * 16:,} instead of {request.batch:,}",
            replace(case, request=replace(request, batch=request.batch * 16)),
            tensor,
            stages,
        ),
    ]


def _short(label: str) -> str:
    """Return a lever as it stands inside a sentence: 4 draft tokens, half the bits a weight."""
    first = label.split(",")[0]
    return first[:1].lower() + first[1:]


def levers_exhibit(case: Case, *, tensor: int, stages: int, source: str) -> Exhibit:
    """Return what each lever does to the speed of one request, to throughput and to memory."""
    rows = []
    for label, changed, chips, depth in _levers(case, tensor=tensor, stages=stages):
        floor = latency_floor(
            changed.model,
            changed.request,
            chip=changed.chip,
            tensor_parallel=chips,
            pipeline_parallel=depth,
        )
        total = float(floor.total_s)
        groups = changed.groups(tensor=chips, stages=depth)
        rows.append(
            (
                label,
                1 / total,
                changed.request.batch * groups / total,
                chips * depth,
                float(chips * depth * changed.chip.memory_capacity_byte),
                float(resident_byte(changed.model, changed.request, groups=groups)),
            )
        )
    base = rows[0][1]
    gains = {row[0]: row[1] / base for row in rows[1:]}
    best = max(gains, key=lambda label: gains[label])
    title = (
        f"One request gains most from {_short(best)} ({wording.times(gains[best])}); stages and "
        "batches bring throughput, not speed"
        if gains[best] > 1.005
        else "No single lever makes one request faster"
    )
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle="Tokens a second of one request at best when one thing changes; at the end of each bar the "
            "throughput of all requests whose KV caches fit, at most a batch for each stage.",
            alt=f"{title}.",
            source=source,
            x=linear_axis(
                "Tokens a second, one request", [0.0, *(row[1] for row in rows)], lambda value: f"{value:,g}"
            ),
            base=0.0,
            bars=tuple(
                Bar(
                    label=row[0],
                    value=row[1],
                    text=wording.significant(row[1])
                    if math.isclose(row[1], row[2])
                    else f"{wording.significant(row[1])}, all requests {wording.significant(row[2])}",
                    role="memory" if index == 0 else "compute" if row[1] > base * 1.005 else "context",
                    emphasised=index == 0,
                )
                for index, row in enumerate(rows)
            ),
        ),
        table=Table(
            columns=(
                Column(name="change", label="Change", kind="text"),
                Column(name="output_tokens_per_s", label="One request", unit="tokens/s"),
                Column(name="throughput_tokens_per_s", label="All requests", unit="tokens/s"),
                Column(name="chips", label="Chips"),
                Column(name="memory_byte", label="Memory there is", unit="byte", kind="scientific"),
                Column(name="needed_byte", label="Memory needed", unit="byte", kind="scientific"),
            ),
            rows=tuple(rows),
        ),
    )
