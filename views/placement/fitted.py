"""What is fitted once for a release: the models of devices and of accelerators, and how phones slow down."""

from functools import cache, lru_cache

from analysis.arrays import FloatArray
from analysis.measured.sustained import sustained_ratios
from analysis.placement.fits import PlacementFits, PlacementModels, fit_full_load, fit_placement
from data import standing
from data.releases import Release, latest, load, names
from data.serving import serving_speeds


def frozen(release: Release) -> str:
    """Return the frozen release whose chips stand in the fit: a reader's export stands on one."""
    return release.name if release.name in names() else release.base or latest()


@lru_cache(maxsize=4)
def fitted(release: str) -> PlacementFits:
    """Return the fitted models of devices and of the release's accelerators."""
    full_load = fit_full_load(
        serving_speeds(),
        architectures=standing.table("architectures"),
        accelerators=load(release).accelerators,
    )
    return PlacementFits(devices=devices_fitted(), full_load=full_load)


@cache
def devices_fitted() -> PlacementModels:
    """Return the models of devices, fitted to the table of measured speeds."""
    return fit_placement(
        standing.table("measured_decode"),
        architectures=standing.table("architectures"),
        edge_devices=standing.table("edge_devices"),
    )


@cache
def sustained() -> FloatArray:
    """Return the published ratios of a phone's sustained to its first speed, shape (n,)."""
    return sustained_ratios(standing.table("measured_decode"))
