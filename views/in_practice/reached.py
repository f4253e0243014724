"""How much of paper FLOP/s and paper bandwidth kernels reach, chip by chip, and the balance that software meets."""

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.in_practice.balance import Balance, Reached, balance, yearly_growth
from analysis.trend.calendar_year import decimal_year
from charts.chart import Bar
from data import standing
from data.by_release import kept_by_release
from data.releases import Release
from views import wording
from views.exhibits import ValueAxis, bar_exhibit
from views.result import Exhibit, Figure
from views.table import Getter, column


@dataclass(frozen=True, kw_only=True)
class Met:
    """A chip with the balance that software meets on it."""

    vendor: str
    flagship: bool
    reached: Reached
    balance: Balance


@kept_by_release(1)
def _measured() -> tuple[dict[str, float], dict[str, float]]:
    """Return the best measured 16-bit matrix rates and bandwidths, by the name of the part."""
    flop = {
        str(row["accelerator"]): float(row["measured_flop_per_s"])
        for row in standing.table("published_matmul").to_dict("records")
        if row["precision"] == "bf16"
    }
    byte = {
        str(row["accelerator"]): float(row["measured_byte_per_s"])
        for row in standing.table("published_bandwidth").to_dict("records")
    }
    return flop, byte


def met(release: Release) -> tuple[Met, ...]:
    """Return every chip of the release whose matrix products were measured, in the order of release."""
    flop, byte = _measured()
    parts = release.accelerators
    rows = parts.loc[parts["name"].isin(list(flop))].sort_values("released_on")
    years = decimal_year(rows["released_on"]).tolist()
    found = [
        (
            str(row["vendor"]),
            bool(row["flagship"]),
            Reached(
                chip=str(row["product"]),
                released_year=year,
                paper_flop_per_s=float(row["peak_fp16_dense_flop_per_s"]),
                paper_byte_per_s=float(row["memory_bandwidth_byte_per_s"]),
                measured_flop_per_s=flop[str(row["name"])],
                measured_byte_per_s=byte.get(str(row["name"])),
            ),
        )
        for row, year in zip(rows.to_dict("records"), years, strict=True)
        if row["peak_fp16_dense_flop_per_s"] > 0 and row["memory_bandwidth_byte_per_s"] > 0
    ]
    return tuple(
        Met(
            vendor=vendor,
            flagship=flagship,
            reached=one,
            balance=balance(one, byte_shares=_shares_like(vendor, found)),
        )
        for vendor, flagship, one in found
        if one.byte_share is not None or _shares_like(vendor, found)
    )


def _shares_like(vendor: str, found: Sequence[tuple[str, bool, Reached]]) -> list[float]:
    """Return what chips of a maker reach of their bandwidth; of all makers where fewer than two of it were measured."""
    own = [one.byte_share for maker, _, one in found if maker == vendor and one.byte_share is not None]
    return own if len(own) > 1 else [one.byte_share for _, _, one in found if one.byte_share is not None]


COLUMNS: tuple[Getter[Met], ...] = (
    column("chip", lambda one: one.reached.chip, label="Chip", kind="text"),
    column(
        "released",
        lambda one: round(one.reached.released_year, 1),
        label="Released",
        unit="year",
        kind="year",
    ),
    column("flop_share", lambda one: one.reached.flop_share, label="Share of data-sheet FLOP/s", unit="1"),
    column("byte_share", lambda one: one.reached.byte_share, label="Share of data-sheet bandwidth", unit="1"),
    column("paper", lambda one: one.reached.paper, label="Data-sheet FLOP per byte", unit="FLOP/byte"),
    column("measured", lambda one: one.balance.value, label="Measured FLOP per byte", unit="FLOP/byte"),
    column("low", lambda one: one.balance.low, label="from", unit="FLOP/byte"),
    column("high", lambda one: one.balance.high, label="to", unit="FLOP/byte"),
)


def growth(chips: tuple[Met, ...]) -> tuple[Met, Met, float, float] | None:
    """Return NVIDIA's first chip and last flagship that were measured, and the yearly growth of both balances."""
    ranked = [one for one in chips if one.vendor == "NVIDIA"]
    flagships = [one for one in ranked if one.flagship]
    if not flagships or flagships[-1] is ranked[0]:
        return None
    first, last = ranked[0], flagships[-1]
    years = last.reached.released_year - first.reached.released_year
    if years <= 0:
        return None
    paper = yearly_growth(first.reached.paper, last.reached.paper, years=years)
    return first, last, paper, yearly_growth(first.balance.value, last.balance.value, years=years)


def balance_exhibit(release: Release, *, source: str) -> Exhibit | None:
    """Return paper and measured FLOP per byte of each chip; None for a release without any that was measured."""
    chips = met(release)
    if not chips:
        return None
    moved = growth(chips)
    title = "FLOP per byte on the data sheet and as kernels reach it"
    if moved is not None:
        first, last, paper, measured = moved
        title = (
            f"{first.reached.chip} to {last.reached.chip}: FLOP per byte grows {wording.times(paper)} a year on paper, "
            f"{wording.times(measured)} measured"
        )
    return bar_exhibit(
        chips,
        lambda one: Bar(
            label=one.reached.chip,
            start=one.reached.paper,
            value=one.balance.value,
            text=f"{wording.significant(one.balance.value, 3)} of {wording.significant(one.reached.paper, 3)}",
            role="compute" if one.vendor == "NVIDIA" else "context",
            detail=(_shares(one), f"Data sheet: {wording.significant(one.reached.paper, 3)} FLOP per byte"),
        ),
        title=title,
        subtitle="Filled: fastest 16-bit matrix product over fastest memory stream measured. Hollow: data sheet. "
        "Where bandwidth was not measured, chips are taken to reach the same share of it as others do.",
        source=f"Bekman, ML Engineering; Azure AI Benchmarking Guide. {source}",
        axis=ValueAxis(
            title="FLOP per byte",
            span=(0.0, *(end for one in chips for end in (one.balance.low, one.balance.high))),
        ),
        columns=COLUMNS,
        dots=True,
    )


def _shares(one: Met) -> str:
    flop = f"{100 * one.reached.flop_share:.0f} % of data-sheet FLOP/s"
    if one.reached.byte_share is None:
        return f"{flop}; bandwidth not measured"
    return f"{flop}, {100 * one.reached.byte_share:.0f} % of data-sheet bandwidth"


def balance_figures(chips: tuple[Met, ...]) -> tuple[Figure, ...]:
    """Return how fast FLOP per byte of NVIDIA's chips grow on paper and as measured; nothing where too few were."""
    moved = growth(chips)
    if moved is None:
        return ()
    first, last, paper, measured = moved
    years = last.reached.released_year - first.reached.released_year
    ends = [
        yearly_growth(first.balance.value, end, years=years) for end in (last.balance.low, last.balance.high)
    ]
    span = f"{first.reached.chip} to {last.reached.chip}"
    return (
        Figure(
            name="balance_growth_on_paper",
            label=f"FLOP per byte on paper, {span}",
            value=paper,
            unit="x/year",
            text=f"{wording.times(paper)} a year",
            method="data sheets, 16 bits",
            key=False,
        ),
        Figure(
            name="balance_growth_measured",
            label=f"FLOP per byte measured, {span}",
            value=measured,
            unit="x/year",
            text=f"{wording.times(measured)} a year",
            low=ends[0],
            high=ends[1],
            interval_text=wording.interval(wording.times(ends[0]), wording.times(ends[1])),
            method="best matrix product over best stream; ends: the least and the most that bandwidth may reach",
            key=False,
        ),
    )
