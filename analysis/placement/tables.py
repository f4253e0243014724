"""The tables that the command line predicts with: the one place of analysis that asks data for them."""

from dataclasses import dataclass

import pandas as pd

from analysis.hardware import names as device_names
from analysis.model import names as model_names
from analysis.placement.cases import Known, Size
from analysis.placement.fits import PlacementModels, fit_placement
from data import releases, standing
from data.by_release import kept_by_release


@dataclass(frozen=True, kw_only=True)
class Tables:
    """The tables in which named devices, models and formats are looked up."""

    architectures: pd.DataFrame
    edge_devices: pd.DataFrame
    accelerators: pd.DataFrame
    quantisation: pd.DataFrame
    measured: pd.DataFrame


@kept_by_release()
def tables(release: str = "") -> Tables:
    """Return the standing tables and a release's accelerators, the newest release's if none is named."""
    return Tables(
        architectures=standing.table("architectures"),
        edge_devices=standing.table("edge_devices"),
        accelerators=releases.load(release or releases.reference()).accelerators,
        quantisation=standing.table("quantisation"),
        measured=standing.table("measured_decode"),
    )


@kept_by_release()
def models() -> PlacementModels:
    """Return the models fitted to the standing tables, once for a process."""
    standing_tables = tables()
    return fit_placement(
        standing_tables.measured,
        architectures=standing_tables.architectures,
        edge_devices=standing_tables.edge_devices,
    )


@kept_by_release()
def known(release: str = "") -> Known:
    """Return what named devices, models and formats can be looked up in."""
    ours = tables(release)
    files = ours.measured.loc[ours.measured["weights_byte"].notna()].drop_duplicates(["model", "format"])
    sizes = zip(files["weights_byte"], files["n_parameters"], files["model"], files["format"], strict=True)
    named = model_names.models(ours.measured, ours.architectures, same_shape=standing.table("model_names"))
    whole = {model.name: model for model in named.values()}
    return Known(
        devices=device_names.devices(
            measured=ours.measured,
            edge_devices=ours.edge_devices,
            accelerators=ours.accelerators,
            usual_devices=standing.table("usual_devices"),
        ),
        models=named,
        formats=model_names.formats(ours.measured, ours.quantisation),
        classes=models().decode.model.columns.levels("class_overhead"),
        sizes=(
            *(
                Size(weights_byte=size, n_parameters=parameters, words=f"{model} in {format_name}")
                for size, parameters, model, format_name in sizes
            ),
            *(
                Size(
                    weights_byte=2 * model.n_parameters,
                    n_parameters=model.n_parameters,
                    words=f"{name} in FP16",
                )
                for name, model in whole.items()
            ),
        ),
    )
