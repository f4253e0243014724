"""The figures of /latency-floor: speed, time, chips needed, and the fastest split of a layer."""

from collections.abc import Iterator
from functools import partial

from analysis.latency_floor.enough_chips import ENOUGH, MOST_CHIPS
from views import wording, written
from views.exhibits import stated_figure
from views.latency_floor.answer import FloorAnswer, milliseconds
from views.latency_floor.levers import BRIEF, largest_part
from views.result import Figure

_figure = partial(stated_figure, written.toml(__file__, name="figures.toml"))


def _tokens_per_s(speed: float) -> str:
    return f"{wording.significant(speed)} tokens/s"


def figures(answer: FloorAnswer) -> Iterator[Figure]:
    """Yield the figures of a floor."""
    total, placed, today = answer.total_s, answer.placed, answer.today_tokens_per_s
    binds = largest_part(answer.floor)
    share = min(float(getattr(answer.floor, binds)) / total, 1.0)
    best = f"at best; today {wording.significant(today)}" if today > 0 else "at best"
    yield _figure("output_tokens_per_s", value=1 / total, text=_tokens_per_s(1 / total), interval_text=best)
    yield _figure(
        "time_per_output_token_s",
        value=total,
        text=milliseconds(total),
        interval_text=f"{wording.percent(share)} {BRIEF[binds]}",
    )
    yield _figure(
        "chips_needed",
        value=float(placed.fewest),
        text=f"{placed.fewest:,}",
        interval_text=f"{wording.quantity(placed.resident_byte, 'byte')} in all",
    )
    yield from _enough(answer)
    if today > 0:
        yield _figure("today_tokens_per_s", value=today, text=_tokens_per_s(today))
    requests, exchange = answer.groups * placed.request.batch, float(answer.floor.exchange_s) / total
    yield _figure(
        "throughput_tokens_per_s",
        value=requests / total,
        text=_tokens_per_s(requests / total),
        interval_text=f"{wording.counted(requests, 'request')} under way",
    )
    yield _figure("requests_under_way", value=float(requests), text=f"{requests:,}")
    yield _figure("communication_share", value=exchange, text=wording.percent(exchange))
    yield _figure("pipeline_parallel", value=float(answer.stages), text=f"{answer.stages:,}")


def _enough(answer: FloorAnswer) -> Iterator[Figure]:
    """Yield how many chips a layer are enough and how fast they are; nothing where none hold the model."""
    best = answer.best
    if best is None:
        return
    speed = 1 / answer.best_s
    text, ends, many = wording.counted(best, "chip"), "at best", "as many as are enough"
    method = f"within {wording.percent(ENOUGH)} of the least time, searched from 1 to {MOST_CHIPS:,}"
    if best == MOST_CHIPS:
        text, ends, many = f"over {best:,} chips", f"at {best:,}", f"{best:,} per layer"
        method = f"the most tried; more still help, so {best:,} are not enough"
    yield _figure(
        "fastest_chips_per_layer",
        value=float(best),
        text=text,
        interval_text=f"{_tokens_per_s(speed)} {ends}",
        method=method,
    )
    label = f"Tokens a second with {many}"
    yield _figure("fastest_tokens_per_s", label=label, value=speed, text=_tokens_per_s(speed))
