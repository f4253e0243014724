"""The figures of a training run: time with its range, cost, energy, utilization, and what stands behind them."""

from typing import Any

from analysis.training_run.pace import EIGHT_IN_TEN
from views import wording
from views.result import Figure
from views.training_run.answer import Answer
from views.training_run.parts import PARTS
from views.training_run.words import date_words, days_words, money_words, percent, range_of_days


def figures(answer: Answer) -> tuple[Figure, ...]:
    """Return the run's figures: the answer's three, and those that views of claims read."""
    inputs, run, cost = answer.inputs, answer.run, answer.cost
    low, high = inputs.pace.bounds(EIGHT_IN_TEN)
    energy = cost.energy_gwh
    goodput, memory_byte = float(run.goodput.work), float(answer.memory.total_byte)
    return (
        _days(answer),
        Figure(
            name="cost_usd",
            label="Cost",
            value=cost.cost_usd,
            unit="USD",
            text=money_words(cost.cost_usd),
            interval_text=f"${inputs.price.usd:.2f} an hour each",
            method=f"accelerator-hours, spares included, × price, {inputs.price.basis}",
        ),
        _minor(
            "energy_j",
            label="Energy",
            value=cost.energy_j,
            unit="J",
            text=f"{wording.significant(energy)} GWh"
            if energy >= 1
            else f"{wording.significant(energy * 1e3)} MWh",
            interval_text=f"{inputs.power_w:,.0f} W each, PUE {answer.settings.pue:g}",
            method="power with server, spares included, × time × PUE",
        ),
        Figure(
            name="mfu",
            label="Utilization",
            value=run.mfu,
            unit="1",
            text=percent(run.mfu),
            interval_text="of peak, whole run",
            method="model FLOPs over peak and wall clock, the causal half of attention where it is fused",
        ),
        _minor(
            "pace",
            label=f"Pace of published runs alike, software of {date_words(inputs.software_year)}",
            value=inputs.pace.share,
            unit="1",
            text=wording.times(inputs.pace.share),
            low=low,
            high=high,
            method="measured over the sum of parts, best linear prediction; the range holds eight runs in ten",
        ),
        _minor(
            "goodput",
            label="Work that counts",
            value=goodput,
            unit="1",
            text=percent(goodput),
            method="Young and Daly, failures at random",
        ),
        _minor(
            "limit_share",
            label=PARTS[answer.limit].label,
            value=run.shares[answer.limit],
            unit="1",
            text=percent(run.shares[answer.limit]),
            method="largest part of the wall clock that is no matrix work",
        ),
        _minor(
            "memory_byte",
            label="Memory per accelerator",
            value=memory_byte,
            unit="byte",
            text=wording.quantity(memory_byte, "byte"),
            method="fullest accelerator",
        ),
        _minor("accelerators", label="Accelerators used", value=float(answer.used), text=f"{answer.used:,}"),
        _minor(
            "steps",
            label="Steps",
            value=run.steps,
            text=wording.significant(run.steps, 3),
            method="tokens over batch, with the ramp",
        ),
        _minor(
            "critical_batch_token",
            label="Critical batch",
            value=inputs.critical_token,
            unit="token",
            text=f"{wording.significant(inputs.critical_token / 1e6, 3)} million tokens",
            method="Kaplan et al. 2020, at the loss of Chinchilla's fit in the end",
        ),
    )


def _minor(name: str, *, unit: str = "", **others: Any) -> Figure:
    """Return a figure that is not one of the answer's three."""
    return Figure(name=name, unit=unit, key=False, **others)


def _days(answer: Answer) -> Figure:
    """Return the time, with what eight in ten runs like it take; no range where no published run is of its kind."""
    days, pace = answer.cost.days, answer.inputs.pace
    low = high = None
    interval_text = "no run to check it by"
    if answer.error is not None:
        slow, fast = (bound / pace.share for bound in pace.bounds(EIGHT_IN_TEN))
        low, high = days / fast, days / slow
        interval_text = range_of_days(low, high)
    return Figure(
        name="days",
        label="Time",
        value=days,
        unit="day",
        text=days_words(days),
        low=low,
        high=high,
        interval_text=interval_text,
        method="step-time model, see Method; the range is made to hold eight in ten runs, by published runs it knew "
        "nothing of",
    )
