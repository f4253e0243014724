"""What is fitted once for a release: the models of devices and of accelerators, and the trends that places follow."""

from analysis.arrays import FloatArray
from analysis.placement.fits import PlacementFits
from analysis.placement.luck import sustained_ratios
from analysis.placement.tables import models as devices_fitted
from analysis.placement.years import (
    ACCELERATOR,
    SINCE,
    Slope,
    Slopes,
    device_slopes,
    fitted_slope,
    rent_slope,
)
from analysis.serving.tables import model as serving_fitted
from data import standing
from data.by_release import kept_by_release
from data.releases import load
from views.chips import rents as listed
from views.chips import rows as chip_rows
from views.chips.choice import AcceleratorSettings
from views.chips.metrics import METRICS

CHIP_METRICS = {
    "bandwidth": "memory-bandwidth",
    "flop": "fp16",
    "capacity": "memory-capacity",
    "link": "chip-link",
}


@kept_by_release()
def fitted() -> PlacementFits:
    """Return the fitted models of devices and of accelerators that serve."""
    return PlacementFits(devices=devices_fitted(), serving=serving_fitted())


@kept_by_release()
def sustained() -> FloatArray:
    """Return the published ratios of a phone's sustained to its first speed, shape (n,)."""
    return sustained_ratios(standing.table("measured_decode"))


@kept_by_release()
def slopes_of_devices() -> dict[str, dict[str, Slope]]:
    """Return the fitted growth of every class of device, by quantity."""
    return device_slopes(standing.table("edge_devices"))


@kept_by_release(12)
def slopes_of_chips(release: str, rents: str) -> dict[str, Slope]:
    """Return the fitted growth of the flagships among data-centre chips, by quantity, rented as a scenario says."""
    grown = {"price": rent_slope(listed.newer(release), listed.rate(release, rents))}
    for quantity, metric in CHIP_METRICS.items():
        choice = AcceleratorSettings(metric=metric, rule="flagships", since=str(SINCE))
        rows = chip_rows.candidates(load(release), choice, metric=METRICS[metric])
        grown[quantity] = fitted_slope(chip_rows.series(rows))
    return grown


def slopes(release: str, rents: str) -> Slopes:
    """Return the fitted growth by group of places, accelerators rented as a scenario says."""
    return {**slopes_of_devices(), ACCELERATOR: slopes_of_chips(release, rents)}
