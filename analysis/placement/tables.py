"""The tables that the command line predicts with: the one place of analysis that asks data for them."""

from dataclasses import dataclass
from functools import cache

import pandas as pd

from analysis.placement.fits import PlacementModels, fit_placement
from data import releases, standing


@dataclass(frozen=True, kw_only=True)
class Tables:
    """The tables in which named devices, models and formats are looked up."""

    architectures: pd.DataFrame
    edge_devices: pd.DataFrame
    accelerators: pd.DataFrame
    quantisation: pd.DataFrame
    measured: pd.DataFrame


@cache
def tables() -> Tables:
    """Return the standing tables and the newest release's accelerators."""
    return Tables(
        architectures=standing.table("architectures"),
        edge_devices=standing.table("edge_devices"),
        accelerators=releases.load(releases.latest()).accelerators,
        quantisation=standing.table("quantisation"),
        measured=standing.table("measured_decode"),
    )


@cache
def models() -> PlacementModels:
    """Return the models fitted to the standing tables, once for a process."""
    known = tables()
    return fit_placement(known.measured, architectures=known.architectures, edge_devices=known.edge_devices)
