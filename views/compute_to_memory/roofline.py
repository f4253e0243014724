"""Roofline of a chip, and of its successor, extrapolated by the trends."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from analysis import compute_to_memory
from analysis.compute_to_memory import Fill, filling
from analysis.hardware import workloads
from analysis.hardware.roofline import Roof, attainable_flop_per_s
from analysis.trend.calendar_year import decimal_year
from analysis.trend.growth import Growth
from charts.chart import Band, Dash, Line, Mark, Points, Role
from data.releases import Release
from views import wording, written
from views.axes import log_axis, year_axis
from views.compute_to_memory import balance as machine_balance
from views.compute_to_memory.settings import CHIPS, NOUN_OF, ComputeToMemorySettings
from views.exhibits import xy_exhibit
from views.result import Exhibit
from views.table import Getter, stated_columns, table

SIZES = (
    f"The dense layer in the chart is that of Llama 3 70B, with a width of {workloads.HIDDEN:,}. The mixture of "
    f"{workloads.EXPERTS} experts, {workloads.ACTIVE_EXPERTS} of them active per token, is that of DeepSeek-V3."
)
_WORK = written.toml(__file__, name="work.toml")


def work_name(work: workloads.Workload) -> str:
    """Return the name of a kind of work, with its number of tokens or requests if needed."""
    return _WORK[work.kind]["name"].format(tokens=work.tokens)


def work_assumes(work: workloads.Workload) -> str:
    """Return text on the assumptions behind the intensity of a kind of work."""
    heads = {
        "heads": workloads.HEADS,
        "key_value_heads": workloads.KEY_VALUE_HEADS,
        "context": workloads.CONTEXT_TOKENS,
    }
    experts = {"active_experts": workloads.ACTIVE_EXPERTS, "experts": workloads.EXPERTS}
    return _WORK[work.kind]["assumes"].format(tokens=work.tokens, **heads, **experts)


@dataclass(frozen=True, kw_only=True)
class RoofedChip:
    """A chip's roofline, name, release year and throughput format."""

    product: str
    roof: Roof
    year: float
    precision: str


def roofed_chip(release: Release, settings: ComputeToMemorySettings) -> RoofedChip | None:
    """Return the roofline of the chosen chip at the chosen precision. None if a number is missing."""
    product = CHIPS[settings.chip]
    parts = release.accelerators
    row = parts.loc[(parts["product"] == product) & parts["representative"]]
    if row.empty:
        return None
    peaks = machine_balance.peaks(row, settings.precision)
    peak = float(peaks.flop_per_s[0])
    bandwidth = float(row["memory_bandwidth_byte_per_s"].iloc[0])
    if not (peak > 0 and bandwidth > 0):
        return None
    return RoofedChip(
        product=product,
        roof=Roof(peak_flop_per_s=peak, memory_bandwidth_byte_per_s=bandwidth),
        year=float(decimal_year(row["released_on"])[0]),
        precision=peaks.formats[0],
    )


def later_roof(
    chip: RoofedChip, balance: Growth, *, settings: ComputeToMemorySettings, release: Release
) -> Roof | None:
    """Return the roofline of the chip's successor in the projected year.

    Returns None if that year is not after the chip's release, or too few chips are left for a trend of bandwidth.
    """
    if settings.to <= chip.year:
        return None
    try:
        bandwidth = machine_balance.fitted(
            release, settings, metric=machine_balance.known_bandwidth(settings)
        )
    except ValueError:
        return None
    return compute_to_memory.later_roof(
        chip.roof, balance=balance, bandwidth=bandwidth, since=chip.year, year=float(settings.to)
    )


COLUMNS: tuple[Getter[workloads.PlacedWorkload], ...] = stated_columns(
    written.toml(__file__, name="columns.toml")["roofline"],
    work=lambda item: work_name(item.workload),
    assumes=lambda item: work_assumes(item.workload),
)


def roofline_exhibit(
    chip: RoofedChip, later: Roof | None, *, settings: ComputeToMemorySettings, source: str
) -> Exhibit:
    """Return an exhibit of the memory-bound work on the chip, with its roofline and a later one."""
    roof, product, ridge = chip.roof, chip.product, chip.roof.machine_balance
    work = workloads.placed(
        workloads.workloads(
            precision=chip.precision, batch=settings.batch, prompt=settings.prompt, tokens=settings.tokens
        ),
        roof,
    )
    bound = [work_name(item.workload) for item in work if item.bound_by == "memory"]
    title = (
        f"On the {product}, {len(bound)} of {len(work)} kinds of work "
        f"{'is' if len(bound) == 1 else 'are'} memory-bound"
    )
    intensities = [item.workload.intensity for item in work]
    low, high = min(intensities) / 2, max(ridge, *intensities) * 3

    def line(roof: Roof, *, label: str, role: Role, dash: Dash) -> Line:
        """Return a roofline as a line over the drawn intensities. [FLOP/byte]"""
        x = (low, roof.machine_balance, high)
        y = tuple(attainable_flop_per_s(roof, x).tolist())
        return Line(series=label, role=role, x=x, y=y, dash=dash, end_label=(label,))

    lines = [line(roof, label=product, role="compute", dash="solid")]
    if later is not None:
        lines.append(line(later, label=f"{settings.to}, on trend", role="context", dash="dotted"))
    return xy_exhibit(
        (*lines, _points(work)),
        title=title,
        subtitle=(
            f"Lines show the highest throughput ({NOUN_OF[chip.precision]}, dense) that compute and bandwidth allow. "
            f"Below {wording.significant(ridge, 3)} FLOP/byte, memory is the limit."
        ),
        alt=f"{title}: {', '.join(bound) or 'none'}.",
        source=source,
        x=log_axis("Arithmetic intensity [FLOP/byte]", [low, high * 4], word=lambda value: f"{value:,g}"),
        y=log_axis(
            "Attainable throughput [FLOP/s]",
            [height for line in lines for height in line.y],
            word=lambda value: wording.quantity(value, "FLOP/s"),
        ),
        numbers=table(COLUMNS, work),
        section="finding",
    )


def _points(work: Sequence[workloads.PlacedWorkload]) -> Points:
    """Return the kinds of work as points on the roofline."""
    return Points(
        series="Work",
        role="memory",
        x=tuple(item.workload.intensity for item in work),
        y=tuple(item.attainable_flop_per_s for item in work),
        names=tuple(work_name(item.workload) for item in work),
        details=tuple(
            (
                f"{wording.significant(item.workload.intensity, 3)} FLOP/byte, at most "
                f"{wording.quantity(item.attainable_flop_per_s, 'FLOP/s')}",
                f"bound by {item.bound_by}",
                work_assumes(item.workload),
            )
            for item in work
        ),
        marked=tuple(
            (index, work_name(item.workload))
            for index, item in sorted(enumerate(work), key=lambda pair: pair[1].workload.tokens is None)
        ),
    )


def batch_exhibit(
    chip: RoofedChip, balance: Growth, *, settings: ComputeToMemorySettings, source: str
) -> Exhibit:
    """Return an exhibit of the number of tokens that makes a dense layer compute-bound in each year.

    The chip's own balance is extrapolated along the trend ``balance`` from its release year.
    """
    needed = filling(chip.roof, balance=balance, precision=chip.precision, since=chip.year, to=settings.to)
    years = needed.years
    title = _title(chip.product, itself=needed.tokens, last=years[-1])
    level = wording.percent(balance.level)
    kv = " Reading the KV cache stays memory-bound at any batch size." if needed.cache_stays_bound else ""
    return xy_exhibit(
        _marks(years),
        title=title,
        subtitle=(
            "The line shows how many decode requests or prompt tokens must share each read of weights in "
            f"{NOUN_OF[chip.precision]} to make the chip compute-bound. The band is the trend's {level} interval.{kv}"
        ),
        alt=title,
        source=source,
        x=year_axis(float(years[0].year), float(years[-1].year)),
        y=log_axis(
            "Concurrent tokens",
            [end for one in years for end in (one.tokens, one.low, one.high)],
            word=lambda value: f"{value:,.0f}",
        ),
        numbers=table(_columns(settings), years),
    )


def _columns(settings: ComputeToMemorySettings) -> tuple[Getter[Fill], ...]:
    return stated_columns(
        written.toml(__file__, name="columns.toml")["batch"],
        vars(settings),
        decode_bound_by=lambda one: one.bound_by(settings.batch),
        prefill_bound_by=lambda one: one.bound_by(settings.prompt),
        training_bound_by=lambda one: one.bound_by(settings.tokens),
    )


def _marks(years: Sequence[Fill]) -> tuple[Mark, ...]:
    """Return a line over the years in which a finite number of tokens suffices, and its band."""
    finite = [one for one in years if math.isfinite(one.tokens)]
    sound = [one for one in finite if math.isfinite(one.low) and math.isfinite(one.high)]
    marks: list[Mark] = []
    if sound:
        marks.append(
            Band(
                series="Confidence",
                role="compute",
                strength="confidence",
                x=tuple(float(one.year) for one in sound),
                low=tuple(one.low for one in sound),
                high=tuple(one.high for one in sound),
            )
        )
    if finite:
        marks.append(
            Line(
                series="Tokens needed",
                role="compute",
                x=tuple(float(one.year) for one in finite),
                y=tuple(one.tokens for one in finite),
                dash="dotted",
                end_label=("Concurrent tokens", "to be compute-bound"),
            )
        )
    return tuple(marks)


def _title(product: str, *, itself: float, last: Fill) -> str:
    """Return a title on the number of tokens that make a chip compute-bound, now and later."""
    if not math.isfinite(itself):
        return f"The {product} stays memory-bound at any batch"
    need = (
        f"a successor on the trend in {last.year}, about {wording.significant(last.tokens)}"
        if math.isfinite(last.tokens)
        else f"a successor on the trend in {last.year} always stays memory-bound"
    )
    return f"The {product} needs about {wording.significant(itself)} concurrent tokens to be compute-bound; {need}"
