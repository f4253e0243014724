"""The roofline of a chip: which work its memory binds, as released and as its like would be later."""

from dataclasses import dataclass

import numpy as np

from analysis.growth_gap import drift
from analysis.hardware.roofline import Roof, attainable_flop_per_s
from analysis.trend.calendar_year import decimal_year
from analysis.trend.growth import Growth
from charts.chart import Line, Mark, Points, Role, XYChart
from data.releases import Release
from views import wording
from views.axes import log_axis
from views.compute_to_memory import balance as machine_balance
from views.compute_to_memory.settings import CHIPS, NOUN_OF, ComputeToMemorySettings
from views.compute_to_memory.workloads import SIZES, workloads
from views.result import Column, Exhibit, Table


@dataclass(frozen=True, kw_only=True)
class RoofedChip:
    """A chip under its roof: its name, the year it came, and the format its throughput is counted in."""

    product: str
    roof: Roof
    year: float
    precision: str


def roofed_chip(release: Release, settings: ComputeToMemorySettings) -> RoofedChip | None:
    """Return the chosen chip under its roof at the chosen precision; None where a number is missing."""
    product = CHIPS[settings.chip]
    parts = release.accelerators
    row = parts.loc[(parts["product"] == product) & parts["representative"]]
    if row.empty:
        return None
    peak = float(machine_balance.throughput(row, settings.precision).iloc[0])
    bandwidth = float(row["memory_bandwidth_byte_per_s"].iloc[0])
    if not (peak > 0 and bandwidth > 0):
        return None
    return RoofedChip(
        product=product,
        roof=Roof(peak_flop_per_s=peak, memory_bandwidth_byte_per_s=bandwidth),
        year=float(decimal_year(row["released_on"])[0]),
        precision=str(machine_balance.number_format(row, settings.precision).iloc[0]),
    )


def later_roof(
    chip: RoofedChip, balance: Growth, *, settings: ComputeToMemorySettings, release: Release
) -> Roof | None:
    """Return the roof of the chip's like in the projected year, bandwidth and ``balance`` along their trends.

    None where the projected year is not after the chip's own.
    """
    if settings.to <= chip.year:
        return None
    bandwidth = machine_balance.fitted(release, settings, machine_balance.known_bandwidth(settings))
    moved, balanced = (
        float(drift(found, since=chip.year, year=float(settings.to))[0][0]) for found in (bandwidth, balance)
    )
    later = chip.roof.memory_bandwidth_byte_per_s * moved
    return Roof(
        peak_flop_per_s=chip.roof.machine_balance * balanced * later, memory_bandwidth_byte_per_s=later
    )


def roofline_exhibit(
    chip: RoofedChip, later: Roof | None, *, settings: ComputeToMemorySettings, source: str
) -> Exhibit:
    """Return which kinds of work the chip's memory binds, under its own roof and that of its like later."""
    roof, product, ridge = chip.roof, chip.product, chip.roof.machine_balance
    work = workloads(
        precision=chip.precision, batch=settings.batch, prompt=settings.prompt, tokens=settings.tokens
    )
    bound = [item.name for item in work if item.intensity < ridge]
    title = (
        f"On the {product}, {len(bound)} of {len(work)} kinds of work "
        f"{'is' if len(bound) == 1 else 'are'} bound by memory (below {wording.significant(ridge, 3)} FLOP/byte)"
    )
    low, high = min(item.intensity for item in work) / 2, max(ridge, *(item.intensity for item in work)) * 3
    lines: list[Mark] = [_roof_line(roof, low=low, high=high, label=(product,), role="compute", dotted=False)]
    if later is not None:
        lines.append(
            _roof_line(
                later, low=low, high=high, label=(f"its like in {settings.to}",), role="context", dotted=True
            )
        )
    attained = attainable_flop_per_s(roof, [item.intensity for item in work])
    points = Points(
        series="Work",
        role="memory",
        x=tuple(item.intensity for item in work),
        y=tuple(attained.tolist()),
        names=tuple(item.name for item in work),
        details=tuple(
            (
                f"{wording.significant(item.intensity, 3)} FLOP/byte, at most "
                f"{wording.quantity(float(rate), 'FLOP/s')}",
                f"bound by {'memory' if item.intensity < ridge else 'compute'}",
                item.assumes,
            )
            for item, rate in zip(work, attained, strict=True)
        ),
        marked=tuple(
            (index, item.name)
            for index, item in sorted(enumerate(work), key=lambda pair: pair[1].tokens is None)
        ),
    )
    heights = [height for line in lines if isinstance(line, Line) for height in line.y]
    chart = XYChart(
        title=title,
        subtitle=f"What compute and memory both allow, {NOUN_OF[chip.precision]}, dense, log scales. {SIZES}",
        alt=f"{title}: {', '.join(bound) or 'none'}.",
        source=source,
        x=log_axis("Work per byte moved [FLOP/byte]", [low, high * 4], lambda value: f"{value:,g}"),
        y=log_axis(
            "Attainable throughput [FLOP/s]", heights, lambda value: wording.quantity(value, "FLOP/s")
        ),
        marks=(*lines, points),
    )
    table = Table(
        columns=(
            Column(name="work", label="Work", kind="text"),
            Column(name="arithmetic_intensity", label="Work per byte", unit="FLOP/byte"),
            Column(name="attainable_flop_per_s", label="Attainable", unit="FLOP/s", kind="scientific"),
            Column(name="share_of_peak", label="Share of peak", unit="1"),
            Column(name="bound_by", label="Bound by", kind="text"),
            Column(name="assumes", label="Assumes", kind="text"),
        ),
        rows=tuple(
            (
                item.name,
                item.intensity,
                float(rate),
                float(rate) / roof.peak_flop_per_s,
                "memory" if item.intensity < ridge else "compute",
                item.assumes,
            )
            for item, rate in zip(work, attained, strict=True)
        ),
    )
    return Exhibit(chart=chart, table=table)


def _roof_line(
    roof: Roof, *, low: float, high: float, label: tuple[str, ...], role: Role, dotted: bool
) -> Line:
    x = np.array([low, roof.machine_balance, high])
    y = attainable_flop_per_s(roof, x)
    return Line(
        series=label[0],
        role=role,
        x=tuple(x.tolist()),
        y=tuple(y.tolist()),
        dash="dotted" if dotted else "solid",
        end_label=label,
    )
