"""The figures of /latency-floor: speed, time, chips needed, and the fastest split of a layer."""

import numpy as np

from analysis.latency_floor.enough_chips import ENOUGH, MOST_CHIPS, Placed
from analysis.latency_floor.floor import Floor
from views import wording
from views.latency_floor.parts import BRIEF, PARTS, largest_part
from views.latency_floor.words import milliseconds
from views.result import Figure


def figures(
    placed: Placed, floor: Floor, *, tensor: int, stages: int, best: int | None
) -> tuple[Figure, ...]:
    """Return the figures of a floor; ``best`` chips a layer are enough, None where no number holds it."""
    total = float(floor.total_s)
    method = "peak rates of the chips, no software overhead"
    need = placed.fewest
    binds = largest_part(floor)
    share = float(getattr(floor, binds)) / total
    today = 1 / float(placed.today_s(tensor=tensor, stages=stages))
    figures = [
        Figure(
            name="output_tokens_per_s",
            label="One request",
            value=1 / total,
            unit="tokens/s",
            text=f"{wording.significant(1 / total)} tokens/s",
            interval_text=f"at best; today {wording.significant(today)}" if today > 0 else "at best",
            method=method,
        ),
        Figure(
            name="time_per_output_token_s",
            label="Time per token",
            value=total,
            unit="s",
            text=milliseconds(total),
            interval_text=f"{wording.percent(min(share, 1.0))} {BRIEF.get(binds, PARTS[binds])}",
            method=method,
        ),
        Figure(
            name="chips_needed",
            label="Chips to hold it",
            value=float(need),
            unit="chips",
            text=f"{need:,}",
            interval_text=f"{wording.quantity(placed.resident_byte, 'byte')} in all",
            method="weights and KV cache over the memory of one chip",
        ),
    ]
    if best is not None:
        fastest = float(placed.times(np.array([best]))[0])
        most = best == MOST_CHIPS
        speed = f"{wording.significant(1 / fastest)} tokens/s"
        figures.append(
            Figure(
                name="fastest_chips_per_layer",
                label="Enough chips per layer",
                value=float(best),
                unit="chips",
                text=f"over {best:,} chips" if most else wording.counted(best, "chip"),
                interval_text=f"{speed} {f'at {best:,}' if most else 'at best'}",
                method=f"the most tried; more still help, so {best:,} are not enough"
                if most
                else f"within {wording.percent(ENOUGH)} of the least time, searched from 1 to {MOST_CHIPS:,}",
                key=False,
            )
        )
        figures.append(
            Figure(
                name="fastest_tokens_per_s",
                label=f"Tokens a second with {f'{best:,} per layer' if most else 'as many as are enough'}",
                value=1 / fastest,
                unit="tokens/s",
                text=speed,
                method=method,
                key=False,
            )
        )
    if today > 0:
        figures.append(
            Figure(
                name="today_tokens_per_s",
                label="One request with today's latencies",
                value=today,
                unit="tokens/s",
                text=f"{wording.significant(today)} tokens/s",
                method="peak bandwidth; launches, exchanges and hops as long as they are today",
                key=False,
            )
        )
    groups = placed.groups(tensor=tensor, stages=stages)
    throughput = placed.request.batch * groups / total
    figures += [
        Figure(
            name="throughput_tokens_per_s",
            label="Throughput",
            value=throughput,
            unit="tokens/s",
            text=f"{wording.significant(throughput)} tokens/s",
            interval_text=f"{wording.counted(groups * placed.request.batch, 'request')} under way",
            method="requests whose KV caches fit, at most a batch for each stage, over time per token",
            key=False,
        ),
        Figure(
            name="requests_under_way",
            label="Requests under way",
            value=float(groups * placed.request.batch),
            unit="requests",
            text=f"{groups * placed.request.batch:,}",
            method="batches whose KV caches fit beside the weights, at most one for each stage",
            key=False,
        ),
        Figure(
            name="communication_share",
            label="Share of communication",
            value=float(floor.exchange_s) / total,
            unit="1",
            text=wording.percent(float(floor.exchange_s) / total),
            method=method,
            key=False,
        ),
        Figure(
            name="pipeline_parallel",
            label="Pipeline stages",
            value=float(stages),
            unit="stages",
            text=f"{stages:,}",
            method="as set, or as few as hold the model",
            key=False,
        ),
    ]
    return tuple(figures)
