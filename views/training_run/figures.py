"""The figures of a training run: time with its range, cost, energy, utilization, and what stands behind them."""

from analysis.cost import RunCost
from analysis.training_run.device_memory import DeviceMemory
from analysis.training_run.more_accelerators import critical_token
from analysis.training_run.outlook import RunOutlook
from analysis.training_run.pace import EIGHT_IN_TEN, Pace
from analysis.training_run.published import KindError
from views import wording
from views.result import Figure
from views.training_run.inputs import RunInputs
from views.training_run.measured import errors
from views.training_run.notes import run_kind
from views.training_run.parts import PARTS
from views.training_run.settings import TrainingRunSettings
from views.training_run.software import date_words
from views.training_run.words import days_words, money_words, percent, range_of_days


def _days_range(days: float, *, pace: Pace, error: KindError | None) -> tuple[float | None, float | None]:
    """Return the time eight in ten runs like it lie in; None where there is no published run of its kind. [day]"""
    if error is None:
        return None, None
    low, high = (bound / pace.share for bound in pace.bounds(EIGHT_IN_TEN))
    return days / high, days / low


def _range_words(low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return "no run to check it by"
    return range_of_days(low, high)


def figures(
    inputs: RunInputs,
    *,
    run: RunOutlook,
    cost: RunCost,
    used: int,
    memory: DeviceMemory,
    limit: str,
    settings: TrainingRunSettings,
    release: str,
) -> tuple[Figure, ...]:
    """Return the run's figures: the answer's three, and those that views of claims read."""
    method = "step-time model, see Method"
    error = errors(release).get(run_kind(settings, inputs, used=used) or "")
    low, high = _days_range(cost.days, pace=inputs.pace, error=error)
    critical = critical_token(inputs.model, tokens=inputs.circumstances.tokens)
    energy = cost.energy_gwh
    energy_text = (
        f"{wording.significant(energy)} GWh" if energy >= 1 else f"{wording.significant(energy * 1e3)} MWh"
    )
    return (
        Figure(
            name="days",
            label="Time",
            value=cost.days,
            unit="day",
            text=days_words(cost.days),
            low=low,
            high=high,
            interval_text=_range_words(low, high),
            method=f"{method}; the range is made to hold eight in ten runs, by published runs it knew nothing of",
        ),
        Figure(
            name="cost_usd",
            label="Cost",
            value=cost.cost_usd,
            unit="USD",
            text=money_words(cost.cost_usd),
            interval_text=f"${inputs.price_usd:.2f} an hour each",
            method=f"accelerator-hours, spares included, × price, {inputs.price_basis}",
        ),
        Figure(
            name="energy_j",
            label="Energy",
            value=cost.energy_j,
            unit="J",
            text=energy_text,
            interval_text=f"{inputs.power_w:,.0f} W each, PUE {settings.pue:g}",
            method="power with server, spares included, × time × PUE",
            key=False,
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
        Figure(
            name="pace",
            label=f"Pace of published runs alike, software of {date_words(inputs.software_year)}",
            value=inputs.pace.share,
            unit="1",
            text=wording.times(inputs.pace.share),
            low=inputs.pace.bounds(EIGHT_IN_TEN)[0],
            high=inputs.pace.bounds(EIGHT_IN_TEN)[1],
            method="measured over the sum of parts, best linear prediction; the range holds eight runs in ten",
            key=False,
        ),
        Figure(
            name="goodput",
            label="Work that counts",
            value=float(run.goodput.work),
            unit="1",
            text=percent(float(run.goodput.work)),
            method="Young and Daly, failures at random",
            key=False,
        ),
        Figure(
            name="limit_share",
            label=PARTS[limit][0],
            value=run.shares[limit],
            unit="1",
            text=percent(run.shares[limit]),
            method="largest part of the wall clock that is no matrix work",
            key=False,
        ),
        Figure(
            name="memory_byte",
            label="Memory per accelerator",
            value=float(memory.total_byte),
            unit="byte",
            text=wording.quantity(float(memory.total_byte), "byte"),
            method="fullest accelerator",
            key=False,
        ),
        Figure(
            name="accelerators",
            label="Accelerators used",
            value=float(used),
            unit="",
            text=f"{used:,}",
            key=False,
        ),
        Figure(
            name="steps",
            label="Steps",
            value=run.steps,
            unit="",
            text=wording.significant(run.steps, 3),
            method="tokens over batch, with the ramp",
            key=False,
        ),
        Figure(
            name="critical_batch_token",
            label="Critical batch",
            value=critical,
            unit="token",
            text=f"{wording.significant(critical / 1e6, 3)} million tokens",
            method="Kaplan et al. 2020, at the loss of Chinchilla's fit in the end",
            key=False,
        ),
    )
