"""What it means for a run: how the parts that work uses grow dearer, by how many FLOP it needs per byte."""

from analysis.cost_of_bandwidth import growth, intensities, of_work
from charts.chart import Band, Line, Points
from views import wording
from views.axes import log_axis
from views.cost_of_bandwidth.answer import CostAnswer, dollars, span, whose
from views.cost_of_bandwidth.settings import CostOfBandwidthSettings
from views.exhibits import LOG_GROWTH_AXIS, interval_columns, xy_exhibit
from views.result import Exhibit
from views.table import column, table

BYTES = {"fp16": 2, "fp8": 1}
MATRIX = 8192
PETA = 1e15


def named_work(settings: CostOfBandwidthSettings, *, chips: float) -> dict[str, float]:
    """Return the FLOP per byte of work that readers know; ``chips`` is that of the chips shipped. [FLOP/byte]

    A token of one request is two FLOP for each weight read; 32 requests share the reading; a product of square
    matrices of n rows does 2 n³ FLOP on 3 n² numbers.
    """
    size = BYTES[settings.precision]
    return {
        "One request": 2 / size,
        "32 requests": 64 / size,
        "Chips shipped": chips,
        "Training, prompts": 2 * MATRIX / (3 * size),
    }


def work_exhibit(answer: CostAnswer, *, source: str) -> Exhibit | None:
    """Return growth a year of what work costs, from bound by bandwidth to bound by compute.

    None where the costs of both are not of the same quarters.
    """
    compute, bandwidth = answer.cost("compute"), answer.cost("bandwidth")
    if not len(compute.end_year) or compute.end_year.shape != bandwidth.end_year.shape:
        return None
    settings, chips, whole = answer.settings, answer.shipped_balance, answer.settings.cost == "whole"
    named = named_work(settings, chips=chips)
    words = {value: name for name, value in reversed(named.items())}
    at = intensities(named.values())
    costs = {each: of_work(compute, bandwidth, flop_per_byte=each, whole_chip=whole) for each in at}
    rates = {each: growth(cost, level=answer.level) for each, cost in costs.items()}
    few, many = (wording.times(rates[each].value) for each in (at[0], at[-1]))
    share = float(bandwidth.middle()[-1] / chips / costs[chips].middle()[-1])
    paid = (
        "Work pays for as many whole chips as it needs."
        if whole
        else f"At {wording.significant(chips, 3)} FLOP per byte, as the chips shipped offer, memory is "
        f"{wording.share(share)} of the cost of memory and logic, which grows {wording.times(rates[chips].value)} a "
        "year."
    )

    def per_petaflop_per_s(each: float, quarter: int) -> float:
        return PETA * float(costs[each].middle()[quarter])

    def yearly(each: float) -> str:
        return f"{wording.times(rates[each].value)} a year ({span(rates[each])})"

    return xy_exhibit(
        (
            Band(
                series=f"{settings.level} % interval",
                role="memory",
                strength="confidence",
                x=tuple(at),
                low=tuple(rates[each].low for each in at),
                high=tuple(rates[each].high for each in at),
            ),
            Line(
                series="Growth a year",
                role="memory",
                x=tuple(at),
                y=tuple(rates[each].value for each in at),
                hover=tuple(f"{each:,.0f} FLOP per byte: {yearly(each)}" for each in at),
            ),
            Points(
                series="Work that readers know",
                role="compute",
                x=tuple(named.values()),
                y=tuple(rates[each].value for each in named.values()),
                names=tuple(named),
                details=tuple(
                    (
                        f"{wording.significant(each, 3)} FLOP per byte: {yearly(each)}",
                        f"{dollars(per_petaflop_per_s(each, -1))} per PFLOP/s of work",
                    )
                    for each in named.values()
                ),
                marked=tuple(enumerate(named)),
            ),
        ),
        title=f"Parts for bandwidth-bound work cost {few} as much each year, compute-bound {many}",
        subtitle=f"{wording.sentence_case(whose(settings))}: how the cost of the parts that work uses grows. {paid}",
        source=source,
        x=log_axis("FLOP per byte that the work needs", at, word=lambda value: f"{value:,.0f}"),
        y=LOG_GROWTH_AXIS,
        numbers=table(
            (
                column("flop_per_byte", lambda each: each, label="FLOP per byte", unit="FLOP/byte"),
                column("work", lambda each: words.get(each, ""), label="Work", kind="text"),
                column("growth", lambda each: rates[each].value, label="Growth", unit="x/year"),
                *interval_columns(
                    lambda each: rates[each].low,
                    lambda each: rates[each].high,
                    unit="x/year",
                    level=settings.level,
                ),
                *(
                    column(
                        name,
                        lambda each, end=end: per_petaflop_per_s(each, end),
                        label=f"In {wording.quarter(float(compute.end_year[end]))}",
                        unit="USD per PFLOP/s",
                    )
                    for name, end in (("first", 0), ("last", -1))
                ),
            ),
            at,
        ),
        section="finding",
    )
