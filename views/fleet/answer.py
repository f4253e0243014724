"""Results for shipped chips: totals, growth, FLOP per byte, the leading runs and the outlook."""

from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from analysis.arrays import FloatArray
from analysis.fleet import DrawnSeries, balance, last_year
from analysis.fleet.estimates import ShipmentEstimates, growth_either_way, growth_of_total
from analysis.fleet.leading_runs import LargestRun, LeadingRun, largest_runs, leading_runs
from analysis.intervals import Estimate
from data.releases import Release
from views.chips.metrics import peak_16_bit
from views.chips.shipments import MAKER_ROLES, published_growth, shipment_estimates
from views.fleet.settings import NEVER, FleetSettings
from views.kept import kept
from views.runs.rows import error_sd

H200_BANDWIDTH_SHARE = 4.8 / 3.35
"""Ratio of an H200's memory bandwidth to an H100's in release 2026-07. [1]"""
H200_FROM = 2024.75
PUBLISHED = "Published by Epoch AI, 2022–2025"
WINDOWS = (2022, 2023, 2024)
"""Years from which growth can be computed."""
Case = tuple[str, Estimate]


@kept
def total_of(
    release: Release,
    offers: str,
    *,
    kinds: frozenset[str],
    stock: bool,
    retired_after_years: float | None,
    by_chip: bool,
) -> DrawnSeries:
    """Return the total capacity by quarter of some kinds of chip: chips in use if ``stock``, otherwise chips shipped.

    With ``by_chip``, errors are independent between chips; otherwise the chips of a vendor share theirs.
    """
    estimates = shipment_estimates(release, offers)
    if kinds != estimates.kinds:
        estimates = estimates.of_kinds(kinds)
    return (estimates.by_chip if by_chip else estimates).total(
        stock=stock, retired_after_years=retired_after_years
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class FleetAnswer:
    """Combined capacity of all shipped chips under the settings, from a release's data sheets."""

    settings: FleetSettings
    release: Release

    def estimates_of(self, offers: str) -> ShipmentEstimates:
        """Return the shipments of chips whose capacity ``offers`` is known. No other chips are counted."""
        return shipment_estimates(self.release, offers)

    @cached_property
    def estimates(self) -> ShipmentEstimates:
        """Return the shipments of chips whose chosen capacity is known."""
        return self.estimates_of(self.settings.offers)

    @property
    def level(self) -> float:
        """Return the level of all intervals, such as 0.9."""
        return int(self.settings.level) / 100

    @property
    def brand(self) -> str:
        """Return the vendor's name and a space, to precede "chips". Empty if there are several vendors."""
        vendors = self.estimates.vendors
        return f"{vendors[0]} " if len(vendors) == 1 else ""

    @property
    def stock(self) -> bool:
        """Return whether chips in use are counted, instead of those shipped in a quarter."""
        return self.settings.count == "in-use"

    @property
    def retired_after_years(self) -> float | None:
        """Return the service life of chips. None if it is unlimited. [year]"""
        return None if self.settings.retire == NEVER else float(self.settings.retire)

    def series(self, estimates: ShipmentEstimates, **part: Collection[str]) -> DrawnSeries:
        """Return the total of ``estimates`` for all chips, or only for the given ``vendors`` or ``kinds``."""
        return estimates.total(stock=self.stock, retired_after_years=self.retired_after_years, **part)

    def totals(
        self,
        offers: str,
        kinds: frozenset[str] | None = None,
        *,
        stock: bool | None = None,
        by_chip: bool = False,
    ) -> DrawnSeries:
        """Return the total of all or some kinds of chip. If ``stock`` is None, the settings decide."""
        stock = self.stock if stock is None else stock
        return total_of(
            self.release,
            offers,
            kinds=self.estimates_of(offers).kinds if kinds is None else kinds,
            stock=stock,
            retired_after_years=self.retired_after_years if stock else None,
            by_chip=by_chip,
        )

    def ratio(self, top: str, bottom: str, **counted: bool) -> DrawnSeries | None:
        """Return the ratio of two totals for the chips that state both. None if no chips do."""
        kinds = self.estimates_of(top).kinds & self.estimates_of(bottom).kinds
        return (
            balance(*(self.totals(offers, kinds, **counted) for offers in (top, bottom))) if kinds else None
        )

    @cached_property
    def total(self) -> DrawnSeries:
        """Return the total in the chosen measure, by quarter."""
        return self.totals(self.settings.offers)

    @cached_property
    def by_vendor(self) -> dict[str, FloatArray]:
        """Return each vendor's median total by quarter."""
        known, medians = self.estimates.vendors, self.estimates.medians
        ordered = sorted(known, key=[*MAKER_ROLES, *known].index)
        return {vendor: self.series(medians, vendors={vendor}).middle() for vendor in ordered}

    @cached_property
    def by_kind(self) -> dict[str, float]:
        """Return the median total of each kind of chip in the last quarter."""
        medians, kinds = self.estimates.medians, self.estimates.maker_of
        return {kind: float(self.series(medians, kinds={kind}).middle()[-1]) for kind in kinds}

    @cached_property
    def constant_vendors(self) -> ShipmentEstimates:
        """Return the shipments by a constant set of vendors, from which growth is computed."""
        return self.estimates.of_constant_vendors(since=self.settings.since, stock=self.stock)

    @cached_property
    def growth(self) -> Estimate:
        """Return the yearly growth for a constant set of vendors. Raises ValueError for too few quarters."""
        return self.growth_of(self.constant_vendors)

    def growth_of(self, estimates: ShipmentEstimates) -> Estimate:
        """Return the total's yearly growth for the kinds in ``estimates``. Raises ValueError for too few quarters."""
        offers, kinds = self.settings.offers, estimates.kinds
        series = (self.totals(offers, kinds, by_chip=by_chip) for by_chip in (False, True))
        return growth_either_way(*series, since=self.settings.since, level=self.level)

    @cached_property
    def last_year(self) -> Estimate | None:
        """Return the last total divided by the total a year earlier. None if there is no earlier total."""
        return last_year(self.total, self.totals(self.settings.offers, by_chip=True), level=self.level)

    @cached_property
    def balance(self) -> DrawnSeries | None:
        """Return the FLOP per byte by quarter, for chips that state both quantities. None if no chips do."""
        return self.ratio("fp16", "bandwidth")

    @cached_property
    def balance_growth(self) -> Estimate | None:
        """Return the yearly growth of FLOP per byte. None if too few quarters are known."""
        by_chip = self.ratio("fp16", "bandwidth", by_chip=True)
        if self.balance is None or by_chip is None:
            return None
        with suppress(ValueError):
            return growth_either_way(self.balance, by_chip, since=self.settings.since, level=self.level)
        return None

    @property
    def chosen(self) -> str:
        """Return the label of the case with unchanged settings."""
        return f"As chosen: since {self.settings.since}"

    @cached_property
    def cases(self) -> tuple[Case, ...]:
        """Return the growth under the chosen settings, after each change of one choice, and any published growth."""
        return tuple(self._cases())

    def _cases(self) -> Iterator[Case]:
        settings = self.settings
        yield self.chosen, self.growth
        changes: dict[str, dict[str, Any]] = {
            f"Since {year}": {"since": year} for year in WINDOWS if year != settings.since
        }
        if not self.stock:
            changes["In use"] = {"count": "in-use"}
        else:
            changes["Shipped in a quarter"] = {"count": "shipped"}
            if settings.retire == "3":
                changes["Never retired"] = {"retire": NEVER}
            else:
                changes["Retired after 3 years"] = {"retire": "3"}
        for label, change in changes.items():
            with suppress(ValueError):
                yield label, replace(self, settings=replace(settings, **change)).growth
        if len(self.estimates.vendors) > 1:
            with suppress(ValueError):
                yield "All vendors as they join", self.growth_of(self.estimates)
        if settings.offers == "bandwidth":
            own = self.constant_vendors
            faster = own.offering_from(
                "H100", after=H200_FROM, offered=own.shipments.offered * H200_BANDWIDTH_SHARE
            )
            with suppress(ValueError):
                growth = growth_of_total(faster, self.series, since=settings.since, level=self.level)
                yield "If all H100s from Q4 2024 were H200s", growth
            if self.stock:
                rate = published_growth()
                yield PUBLISHED, Estimate(value=rate, low=rate, high=rate)

    @cached_property
    def number_and_throughput(self) -> tuple[DrawnSeries, DrawnSeries] | None:
        """Return the number and dense 16-bit FLOP/s of all chips in use. None if the release lacks the FLOP/s."""
        if not len(self.estimates_of("fp16").shipments):
            return None
        number, throughput = (self.totals(offers, stock=True) for offers in ("units", "fp16"))
        return (number, throughput) if len(throughput.end_year) == len(number.end_year) else None

    @cached_property
    def largest_runs(self) -> tuple[LargestRun, ...]:
        """Return the largest run of each year, with its share of all chips' compute in that year."""
        series = self.number_and_throughput
        if series is None:
            return ()
        return tuple(largest_runs(self.release.training_runs, series[1], error_sd=error_sd))

    @cached_property
    def leading_runs(self) -> tuple[LeadingRun, ...]:
        """Return the leading runs and the largest run of each year, oldest first."""
        series = self.number_and_throughput
        if series is None:
            return ()
        parts: Any = self.release.accelerators.drop_duplicates("name")
        return leading_runs(
            self.release.training_runs,
            largest=self.largest_runs,
            number=series[0],
            throughput=series[1],
            peaks=dict(zip(parts["name"], peak_16_bit(parts), strict=True)),
            level=self.level,
        )
