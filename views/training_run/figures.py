"""The figures of a training run: time with its range, cost, energy, utilization, and what stands behind them."""

from collections.abc import Iterator
from functools import partial

from analysis.training_run.pace import EIGHT_IN_TEN
from views import wording, written
from views.exhibits import stated_figure
from views.result import Figure
from views.training_run.answer import Answer
from views.training_run.parts import PARTS
from views.training_run.words import date_words, days_words, money_words, percent, range_of_days

_figure = partial(stated_figure, written.toml(__file__, name="figures.toml"))


def figures(answer: Answer) -> Iterator[Figure]:
    """Yield the run's figures: the answer's three, and those that views of claims read."""
    inputs, run, cost = answer.inputs, answer.run, answer.cost
    low, high = inputs.pace.bounds(EIGHT_IN_TEN)
    energy, limit_share = cost.energy_gwh, run.shares[answer.limit]
    energy_words = f"{wording.significant(energy)} GWh"
    if energy < 1:
        energy_words = f"{wording.significant(energy * 1e3)} MWh"
    goodput, memory_byte = float(run.goodput.work), float(answer.memory.total_byte)
    yield _days(answer)
    yield _figure(
        "cost_usd",
        value=cost.cost_usd,
        text=money_words(cost.cost_usd),
        interval_text=f"${inputs.price.usd:.2f} an hour each",
        method=f"accelerator-hours, spares included, × price, {inputs.price.basis}",
    )
    power_words = f"{inputs.power_w:,.0f} W each, PUE {answer.settings.pue:g}"
    yield _figure("energy_j", value=cost.energy_j, text=energy_words, interval_text=power_words)
    yield _figure("mfu", value=run.mfu, text=percent(run.mfu))
    yield _figure(
        "pace",
        label=f"Pace of published runs alike, software of {date_words(inputs.software_year)}",
        value=inputs.pace.share,
        text=wording.times(inputs.pace.share),
        low=low,
        high=high,
    )
    yield _figure("goodput", value=goodput, text=percent(goodput))
    label = PARTS[answer.limit].label
    yield _figure("limit_share", label=label, value=limit_share, text=percent(limit_share))
    yield _figure("memory_byte", value=memory_byte, text=wording.quantity(memory_byte, "byte"))
    yield _figure("accelerators", value=float(answer.used), text=f"{answer.used:,}")
    yield _figure("steps", value=run.steps, text=wording.significant(run.steps, 3))
    critical = inputs.run.critical_token
    text = f"{wording.significant(critical / 1e6, 3)} million tokens"
    yield _figure("critical_batch_token", value=critical, text=text)


def _days(answer: Answer) -> Figure:
    """Return the time, with what eight in ten runs like it take; no range where no published run is of its kind."""
    days, pace = answer.cost.days, answer.inputs.pace
    low = high = None
    interval_text = "no run to check it by"
    if answer.error is not None:
        slow, fast = (bound / pace.share for bound in pace.bounds(EIGHT_IN_TEN))
        low, high = days / fast, days / slow
        interval_text = range_of_days(low, high)
    text = days_words(days)
    return _figure("days", value=days, text=text, low=low, high=high, interval_text=interval_text)
