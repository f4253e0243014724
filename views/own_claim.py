"""Does a claim that a reader types hold?"""

from dataclasses import dataclass

from data.releases import Release
from views import wording
from views.measures import Missing, measured, pinned_link
from views.result import Figure
from views.statements import GROWTH, judged_number, with_interval, written

NO_CLAIM = "none"


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """A quantity that a reader's own claim may be about: where our number is, and its unit."""

    words: str
    at: str
    measure: str = "yearly_growth"
    unit: str = GROWTH


_H100 = "/data?table=accelerators&find=NVIDIA H100", '"NVIDIA H100 SXM5 80GB".'
_GPT4 = "/data?table=training-runs&find=GPT-4", '"GPT-4 (Mar 2023)".'
QUANTITIES: dict[str, Quantity] = {
    "training-compute": Quantity(words="compute of frontier runs", at="/training-compute?since=2018"),
    "language-compute": Quantity(
        words="compute of frontier language models", at="/training-compute?since=2020&domain=language"
    ),
    "memory-bandwidth": Quantity(words="memory bandwidth per chip", at="/accelerators"),
    "memory-capacity": Quantity(words="memory capacity per chip", at="/accelerators?metric=memory-capacity"),
    "fp16": Quantity(words="16-bit throughput per chip", at="/accelerators?metric=fp16"),
    "chip-link": Quantity(words="chip-to-chip bandwidth per chip", at="/accelerators?metric=chip-link"),
    "flop-per-dollar": Quantity(words="FLOP/s per dollar", at="/accelerators?metric=flop-per-dollar"),
    "flop-per-byte": Quantity(words="FLOP per byte that chips offer at 16 bits", at="/compute-to-memory"),
    "run-chip-gap": Quantity(
        words="gap between run and chip", at="/growth-gap", measure="run_chip_gap_growth"
    ),
    "run-run-gap": Quantity(
        words="gap between a run and its own chips", at="/growth-gap", measure="run_run_gap_growth"
    ),
    "chips": Quantity(
        words="number of chips of a frontier run", at="/growth-accounting", measure="chips_growth"
    ),
    "training-time": Quantity(
        words="training time of frontier runs", at="/growth-accounting", measure="time_growth"
    ),
    "cost": Quantity(words="cost of frontier runs", at="/growth-accounting", measure="cost_growth"),
    "power": Quantity(words="power of frontier runs", at="/growth-accounting", measure="power_growth"),
    "parameters": Quantity(
        words="parameters of frontier models", at="/growth-accounting", measure="parameters_growth"
    ),
    "h100-bandwidth": Quantity(
        words="memory bandwidth of an H100 SXM",
        at=_H100[0],
        measure=f"{_H100[1]}memory_bandwidth_byte_per_s / 1e12",
        unit="TB/s",
    ),
    "h100-fp16": Quantity(
        words="dense 16-bit peak of an H100 SXM",
        at=_H100[0],
        measure=f"{_H100[1]}peak_fp16_dense_flop_per_s / 1e12",
        unit="TFLOP/s",
    ),
    "gpt-4-cost": Quantity(
        words="training cost of GPT-4 (2023 USD)",
        at=_GPT4[0],
        measure=f"{_GPT4[1]}training_cost_usd_2023 / 1e6",
        unit="million USD",
    ),
    "gpt-4-energy": Quantity(
        words="energy of GPT-4's training",
        at=_GPT4[0],
        measure=f"{_GPT4[1]}training_power_w * {_GPT4[1]}training_time_s / 3.6e12",
        unit="GWh",
    ),
}


@dataclass(frozen=True, kw_only=True)
class OwnClaim:
    """What a reader's own claim comes to: headline, our figure, and its row of the table."""

    headline: str
    figure: Figure
    row: tuple[str, ...]


def own_claim(quantity: str, *, value: float, release: Release) -> OwnClaim | None:
    """Return what a reader's own claim comes to; nothing where none is made."""
    if quantity == NO_CLAIM:
        return None
    asked = QUANTITIES[quantity]
    claimed = written(value, asked.unit)
    subject = f"Your {claimed} for the {asked.words}"
    try:
        found = measured(asked.measure, at=asked.at, release=release)
    except Missing as gone:
        verdict, reason, ours, number = "not checkable", str(gone), "not known", None
        headline = f"{subject} cannot be checked: {gone}"
    else:
        verdict, reason = judged_number(found, unit=asked.unit, test="about", value=value)
        ours, number = with_interval(found, asked.unit), found
        headline = f"{subject} is {verdict}: ours is {ours}"
    figure = Figure(
        name="own_claim",
        label="Ours",
        value=number.value if number else None,
        unit="x/year" if asked.unit == GROWTH else asked.unit,
        text=written(number.value, asked.unit) if number else "not known",
        low=number.low if number and number.low < number.high else None,
        high=number.high if number and number.low < number.high else None,
        level=number.level if number else None,
        interval_text=f"claimed: {claimed}",
    )
    return OwnClaim(
        headline=headline,
        figure=figure,
        row=(
            "yours",
            verdict,
            f"The {asked.words}{' grows' if asked.unit == GROWTH else ' is'} {claimed}",
            claimed,
            ours,
            f"{wording.sentence_case(reason)}.",
            pinned_link(asked.at, release=release),
            "our data",
            "yours",
            quantity,
            "",
            "",
        ),
    )
