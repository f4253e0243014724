"""What the settings find of the chips shipped: totals, growth, FLOP per byte, leading runs, the outlook; each once."""

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
"""How much faster an H200 reads than an H100: release 2026-07."""
H200_FROM = 2024.75
PUBLISHED = "Published by Epoch AI, 2022–2025"
WINDOWS = (2022, 2023, 2024)
"""The years that growth may be measured from."""
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
    """Return the total of what some kinds of chip offer, in use (a ``stock``) or by quarter; formed once a release.

    With ``by_chip`` the number of each chip is off by itself, otherwise those of a maker are off together.
    """
    estimates = shipment_estimates(release, offers)
    if kinds != estimates.kinds:
        estimates = estimates.of_kinds(kinds)
    return (estimates.by_chip if by_chip else estimates).total(
        stock=stock, retired_after_years=retired_after_years
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class FleetAnswer:
    """What all chips shipped offer together under the settings, by a release's data sheets."""

    settings: FleetSettings
    release: Release

    def estimates_of(self, offers: str) -> ShipmentEstimates:
        """Return the shipments counted, each chip offering something: what is left out here is left out everywhere."""
        return shipment_estimates(self.release, offers)

    @cached_property
    def estimates(self) -> ShipmentEstimates:
        """Return the shipments counted, offering what the settings name."""
        return self.estimates_of(self.settings.offers)

    @property
    def level(self) -> float:
        """Return the level of every interval, such as 0.9."""
        return int(self.settings.level) / 100

    @property
    def brand(self) -> str:
        """Return what stands before "chips" where all are of one maker, with a space; nothing where of several."""
        makers = self.estimates.makers
        return f"{makers[0]} " if len(makers) == 1 else ""

    @property
    def stock(self) -> bool:
        """Return whether chips in use are counted, and not those of a quarter."""
        return self.settings.count == "in-use"

    @property
    def retired_after_years(self) -> float | None:
        """Return after how long chips leave use, None for never."""
        return None if self.settings.retire == NEVER else float(self.settings.retire)

    def series(self, estimates: ShipmentEstimates, **part: Collection[str]) -> DrawnSeries:
        """Return the total of estimates as the settings count it: of all, or of some ``makers`` or ``kinds``."""
        return estimates.total(stock=self.stock, retired_after_years=self.retired_after_years, **part)

    def totals(
        self,
        offers: str,
        kinds: frozenset[str] | None = None,
        *,
        stock: bool | None = None,
        by_chip: bool = False,
    ) -> DrawnSeries:
        """Return the total of what all or some kinds of chip offer, counted by the settings where ``stock`` is None."""
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
        """Return one total over another, of the kinds of chip that state both; None where none does."""
        kinds = self.estimates_of(top).kinds & self.estimates_of(bottom).kinds
        return (
            balance(*(self.totals(offers, kinds, **counted) for offers in (top, bottom))) if kinds else None
        )

    @cached_property
    def total(self) -> DrawnSeries:
        """Return the total by quarter."""
        return self.totals(self.settings.offers)

    @cached_property
    def by_maker(self) -> dict[str, FloatArray]:
        """Return the median total of each maker by quarter."""
        known, medians = self.estimates.makers, self.estimates.medians
        ordered = sorted(known, key=[*MAKER_ROLES, *known].index)
        return {maker: self.series(medians, makers={maker}).middle() for maker in ordered}

    @cached_property
    def by_kind(self) -> dict[str, float]:
        """Return the last median total of each kind of chip."""
        medians, kinds = self.estimates.medians, self.estimates.maker_of
        return {kind: float(self.series(medians, kinds={kind}).middle()[-1]) for kind in kinds}

    @cached_property
    def constant_makers(self) -> ShipmentEstimates:
        """Return the shipments that growth is of: those of makers counted all along."""
        return self.estimates.of_constant_makers(since=self.settings.since, stock=self.stock)

    @cached_property
    def growth(self) -> Estimate:
        """Return the growth a year of makers counted all along; ValueError where too few quarters are known."""
        return self.growth_of(self.constant_makers)

    def growth_of(self, estimates: ShipmentEstimates) -> Estimate:
        """Return the growth a year of the chips counted in estimates; ValueError where too few quarters are known."""
        offers, kinds = self.settings.offers, estimates.kinds
        series = (self.totals(offers, kinds, by_chip=by_chip) for by_chip in (False, True))
        return growth_either_way(*series, since=self.settings.since, level=self.level)

    @cached_property
    def last_year(self) -> Estimate | None:
        """Return the last total over that of a year before; None where there was none."""
        return last_year(self.total, level=self.level)

    @cached_property
    def balance(self) -> DrawnSeries | None:
        """Return FLOP per byte of the chips whose parts state both; None where no part does."""
        return self.ratio("fp16", "bandwidth")

    @cached_property
    def balance_growth(self) -> Estimate | None:
        """Return how FLOP per byte grows a year; None where too few quarters are known."""
        by_chip = self.ratio("fp16", "bandwidth", by_chip=True)
        if self.balance is None or by_chip is None:
            return None
        with suppress(ValueError):
            return growth_either_way(self.balance, by_chip, since=self.settings.since, level=self.level)
        return None

    @property
    def chosen(self) -> str:
        """Return what the case of the settings themselves is called."""
        return f"As chosen: since {self.settings.since}"

    @cached_property
    def cases(self) -> tuple[Case, ...]:
        """Return growth as chosen, then with one choice changed at a time, by what is changed."""
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
        if len(self.estimates.makers) > 1:
            with suppress(ValueError):
                yield "All vendors as they join", self.growth_of(self.estimates)
        if settings.offers == "bandwidth":
            own = self.constant_makers
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
        """Return all chips in use, by number and in dense 16-bit FLOP/s; None where parts do not state that."""
        if not len(self.estimates_of("fp16").shipments):
            return None
        number, throughput = (self.totals(offers, stock=True) for offers in ("units", "fp16"))
        return (number, throughput) if len(throughput.end_year) == len(number.end_year) else None

    @cached_property
    def largest_runs(self) -> tuple[LargestRun, ...]:
        """Return the largest run of each year with its share of what all chips could compute in it."""
        series = self.number_and_throughput
        if series is None:
            return ()
        return tuple(largest_runs(self.release.training_runs, series[1], error_sd=error_sd))

    @cached_property
    def leading_runs(self) -> tuple[LeadingRun, ...]:
        """Return the leading runs whose number of chips is known, oldest first, and the largest of each year."""
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
