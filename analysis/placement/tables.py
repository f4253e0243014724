"""Tables that the placement command reads. No other module of the package imports data."""

from analysis.hardware import names as device_names
from analysis.model import names as model_names
from analysis.placement.cases import Known, Size
from analysis.placement.fits import PlacementModels, fit_placement
from data import releases, standing
from data.by_release import kept_by_release


@kept_by_release(reads=("measured_decode", "architectures", "edge_devices"))
def models() -> PlacementModels:
    """Return the models fitted to the standing tables, cached per process."""
    return fit_placement(
        standing.table("measured_decode"),
        architectures=standing.table("architectures"),
        edge_devices=standing.table("edge_devices"),
    )


@kept_by_release()
def known(release: str = "") -> Known:
    """Return lookup tables of devices, models and formats, with accelerators of ``release`` (default: the newest)."""
    measured = standing.table("measured_decode")
    files = measured.loc[measured["weights_byte"].notna()].drop_duplicates(["model", "format"])
    parts = files[["weights_byte", "n_parameters", "model", "format"]].itertuples(index=False)
    sizes = [(size, count, f"{model} in {format_name}") for size, count, model, format_name in parts]
    named = model_names.models(
        measured, standing.table("architectures"), same_shape=standing.table("model_names")
    )
    whole = {model.name: model.n_parameters for model in named.values()}
    sizes += [(2 * count, count, f"{name} in FP16") for name, count in whole.items()]
    return Known(
        devices=device_names.devices(
            measured=measured,
            edge_devices=standing.table("edge_devices"),
            accelerators=releases.load(release or releases.reference()).accelerators,
            usual_devices=standing.table("usual_devices"),
        ),
        models=named,
        formats=model_names.formats(measured, standing.table("quantisation")),
        classes=models().decode.model.columns.levels("class_overhead"),
        sizes=tuple(Size(weights_byte=size, n_parameters=count, words=words) for size, count, words in sizes),
    )
