"""How much of paper FLOP/s and paper bandwidth kernels reach, chip by chip, and the balance that software meets."""

from collections.abc import Sequence
from typing import Any

from analysis.in_practice.balance import Balance, BalanceGrowth, Reached, balances, flagship_growth
from analysis.trend.calendar_year import decimal_year
from charts.chart import Bar
from data import standing
from data.releases import Release
from views import wording, written
from views.exhibits import ValueAxis, bar_exhibit
from views.result import Exhibit
from views.table import Getter, finite, stated_columns

COLUMNS: tuple[Getter[Balance], ...] = stated_columns(
    written.toml(__file__, name="columns.toml")["balance"],
    released=lambda one: round(one.reached.released_year, 1),
)


def measured_balances(release: Release) -> tuple[Balance, ...]:
    """Return every chip of the release whose matrix products were measured, in the order of release."""
    matmuls: Any = standing.table("published_matmul")
    flop = matmuls.loc[matmuls["precision"] == "bf16"].set_index("accelerator")["measured_flop_per_s"]
    bandwidths: Any = standing.table("published_bandwidth")
    byte = bandwidths.set_index("accelerator")["measured_byte_per_s"]
    parts = release.accelerators
    parts = parts.assign(flop=parts["name"].map(flop), byte=parts["name"].map(byte))
    stated = (parts["peak_fp16_dense_flop_per_s"] > 0) & (parts["memory_bandwidth_byte_per_s"] > 0)
    rows: Any = parts.loc[parts["flop"].notna() & stated].sort_values("released_on")
    return balances(
        [
            Reached(
                chip=str(row.product),
                vendor=str(row.vendor),
                flagship=bool(row.flagship),
                released_year=year,
                paper_flop_per_s=float(row.peak_fp16_dense_flop_per_s),
                paper_byte_per_s=float(row.memory_bandwidth_byte_per_s),
                measured_flop_per_s=float(row.flop),
                measured_byte_per_s=finite(row.byte),
            )
            for row, year in zip(rows.itertuples(), decimal_year(rows["released_on"]).tolist(), strict=True)
        ]
    )


def balance_exhibit(chips: Sequence[Balance], *, source: str) -> Exhibit | None:
    """Return paper and measured FLOP per byte of each chip; None where none was measured."""
    if not chips:
        return None
    growth = flagship_growth(chips)
    title = "FLOP per byte on the data sheet and measured"
    if growth is not None:
        title = (
            f"{span(growth)}: FLOP per byte grows {wording.times(growth.paper)} a year on data sheets, "
            f"{wording.times(growth.measured)} measured"
        )
    return bar_exhibit(
        chips,
        _bar,
        title=title,
        subtitle="Filled dots are the fastest 16-bit matmul over the fastest memory stream; hollow ones are data "
        "sheets. If bandwidth was not measured, the share that other chips reach is assumed.",
        source=f"Bekman, ML Engineering; Azure AI Benchmarking Guide. {source}",
        axis=ValueAxis(
            title="FLOP per byte", span=(0.0, *(end for one in chips for end in (one.low, one.high)))
        ),
        columns=COLUMNS,
        dots=True,
    )


def _bar(one: Balance) -> Bar:
    reached = one.reached
    paper = wording.significant(reached.paper, 3)
    shares = f"{100 * reached.flop_share:.0f}% of data-sheet FLOP/s"
    shares += (
        "; bandwidth not measured"
        if reached.byte_share is None
        else f", {100 * reached.byte_share:.0f}% of data-sheet bandwidth"
    )
    return Bar(
        label=reached.chip,
        start=reached.paper,
        value=one.value,
        text=f"{wording.significant(one.value, 3)} of {paper}",
        role="compute" if reached.vendor == "NVIDIA" else "context",
        detail=(shares, f"Data sheet: {paper} FLOP per byte"),
    )


def span(growth: BalanceGrowth) -> str:
    """Return the chips that growth is measured between: A100 80 GB to B200."""
    return f"{growth.first.chip} to {growth.last.chip}"
