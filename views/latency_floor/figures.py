"""The figures of /latency-floor: speed, time, chips needed, and the fastest split of a layer."""

from collections.abc import Iterator

from analysis.latency_floor.enough_chips import ENOUGH, MOST_CHIPS
from views import wording
from views.latency_floor.answer import FloorAnswer, milliseconds
from views.latency_floor.parts import BRIEF, PARTS, largest_part
from views.result import Figure

METHOD = "peak rates of the chips, no software overhead"


def _tokens_per_s(speed: float) -> str:
    return f"{wording.significant(speed)} tokens/s"


def figures(answer: FloorAnswer) -> Iterator[Figure]:
    """Yield the figures of a floor."""
    total, placed, today = answer.total_s, answer.placed, answer.today_tokens_per_s
    binds = largest_part(answer.floor)
    share = min(float(getattr(answer.floor, binds)) / total, 1.0)
    yield Figure(
        name="output_tokens_per_s",
        label="One request",
        value=1 / total,
        unit="tokens/s",
        text=_tokens_per_s(1 / total),
        interval_text=f"at best; today {wording.significant(today)}" if today > 0 else "at best",
        method=METHOD,
    )
    yield Figure(
        name="time_per_output_token_s",
        label="Time per token",
        value=total,
        unit="s",
        text=milliseconds(total),
        interval_text=f"{wording.percent(share)} {BRIEF.get(binds, PARTS[binds])}",
        method=METHOD,
    )
    yield Figure(
        name="chips_needed",
        label="Chips to hold it",
        value=float(placed.fewest),
        unit="chips",
        text=f"{placed.fewest:,}",
        interval_text=f"{wording.quantity(placed.resident_byte, 'byte')} in all",
        method="weights and KV cache over the memory of one chip",
    )
    yield from _enough(answer)
    if today > 0:
        yield Figure(
            name="today_tokens_per_s",
            label="One request with today's latencies",
            value=today,
            unit="tokens/s",
            text=_tokens_per_s(today),
            method="peak bandwidth; launches, exchanges and hops as long as they are today",
            key=False,
        )
    requests = answer.groups * placed.request.batch
    yield Figure(
        name="throughput_tokens_per_s",
        label="Throughput",
        value=requests / total,
        unit="tokens/s",
        text=_tokens_per_s(requests / total),
        interval_text=f"{wording.counted(requests, 'request')} under way",
        method="requests whose KV caches fit, at most a batch for each stage, over time per token",
        key=False,
    )
    yield Figure(
        name="requests_under_way",
        label="Requests under way",
        value=float(requests),
        unit="requests",
        text=f"{requests:,}",
        method="batches whose KV caches fit beside the weights, at most one for each stage",
        key=False,
    )
    yield Figure(
        name="communication_share",
        label="Share of communication",
        value=float(answer.floor.exchange_s) / total,
        unit="1",
        text=wording.percent(float(answer.floor.exchange_s) / total),
        method=METHOD,
        key=False,
    )
    yield Figure(
        name="pipeline_parallel",
        label="Pipeline stages",
        value=float(answer.stages),
        unit="stages",
        text=f"{answer.stages:,}",
        method="as set, or as few as hold the model",
        key=False,
    )


def _enough(answer: FloorAnswer) -> Iterator[Figure]:
    """Yield how many chips a layer are enough and how fast they are; nothing where none hold the model."""
    best = answer.best
    if best is None:
        return
    speed, more_help = 1 / answer.best_s, best == MOST_CHIPS
    yield Figure(
        name="fastest_chips_per_layer",
        label="Enough chips per layer",
        value=float(best),
        unit="chips",
        text=f"over {best:,} chips" if more_help else wording.counted(best, "chip"),
        interval_text=f"{_tokens_per_s(speed)} {f'at {best:,}' if more_help else 'at best'}",
        method=f"the most tried; more still help, so {best:,} are not enough"
        if more_help
        else f"within {wording.percent(ENOUGH)} of the least time, searched from 1 to {MOST_CHIPS:,}",
        key=False,
    )
    yield Figure(
        name="fastest_tokens_per_s",
        label=f"Tokens a second with {f'{best:,} per layer' if more_help else 'as many as are enough'}",
        value=speed,
        unit="tokens/s",
        text=_tokens_per_s(speed),
        method=METHOD,
        key=False,
    )
