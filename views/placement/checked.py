"""How wrong predicted speeds are on devices and models the fits had not seen: row by row, and by class of device."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from analysis import serving_rows
from analysis.held_out import error_percent
from analysis.serving import bandwidth_only_tokens_per_s
from charts.chart import Bar, BarChart, Line, Mark, Points, Role, XYChart
from data import contract, standing
from data.releases import Release, load
from views import wording
from views.axes import linear_axis, log_axis
from views.placement.inputs import devices_fitted, fitted, frozen
from views.placement.places import CLASS_WORDS
from views.result import Cell, Column, Exhibit, Table

FEW_DEVICES = 5
"""A class with fewer devices than this is called poorly known."""
POOR_CLASSES, POOR_BACKENDS = ("phone",), ("NPU",)
"""Poorly known whatever their number: phones slow down as they get hot, and engines for NPUs differ the most."""
EXPECTED, EXPECTED_ON_GPUS = 10.0, 7.6
"""Median errors on chips that neither fit nor choice of its form has seen; see the note in analysis/decode.py. [%]"""
FACTOR = 1.5
LABELLED = 3

WORDS = {**CLASS_WORDS, "datacenter_gpu": "data-centre GPU"}
SERIES: dict[str, Role] = {
    "Phones, laptops, embedded computers: GPU": "edge",
    "Desktops and workstations: GPU": "memory",
    "Servers: GPU": "compute",
    "Any device: CPU or NPU": "context",
}
DESKS, SERVERS = ("desktop_gpu", "workstation", "workstation_gpu"), ("edge_server", "datacenter_gpu")
OWN_ERRORS = (
    "The form of the devices' fit was chosen on these same errors, which flatters them: expect about "
    f"{EXPECTED:.0f} % on new chips, {EXPECTED_ON_GPUS:g} % on laptop and desktop GPUs."
)


def _series(device_class: str, backend: str) -> str:
    """Return the kind of class that a row is drawn with."""
    personal, desk, server, other = SERIES
    if backend != "GPU":
        return other
    return desk if device_class in DESKS else server if device_class in SERVERS else personal


def _class_words(device_class: str, backend: str) -> str:
    word = wording.sentence_case(WORDS.get(device_class, device_class))
    return word if device_class.endswith("gpu") or device_class == "edge_server" else f"{word}, {backend}"


def _signed(percent: float) -> str:
    return f"{'+' if percent >= 0 else '−'}{abs(percent):,.0f} %"


def checked_exhibit(*, release: Release, source: str) -> Exhibit:
    """Return measured against predicted speeds of one user, each predicted by a fit without its device."""
    return _rows(frozen(release), source)


@lru_cache(maxsize=8)
def _rows(release: str, source: str) -> Exhibit:
    models = devices_fitted()
    checked, frame = models.decode, models.decode_rows
    measured = np.asarray(checked.decode_tokens_per_s, dtype=float)
    predicted, error = checked.held_out_tokens_per_s, error_percent(checked.residual)
    inside = checked.covered(0.8)
    rows = frame.to_dict("records")
    middle = float(np.median(np.abs(error)))
    mixtures = float(np.median(np.abs(error[checked.cases.mixture])))
    title = (
        f"Predicted speeds of devices the fit had not seen are off by {middle:.0f} % in the middle, "
        f"{mixtures:.0f} % for mixtures"
    )
    ends = [float(min(measured.min(), predicted.min())), float(max(measured.max(), predicted.max()))]
    marks: list[Mark] = [
        Line(
            series="Predicted as measured",
            role="context",
            x=(ends[0], ends[1]),
            y=(ends[0], ends[1]),
            dash="dotted",
        )
    ]
    kinds = [_series(row["device_class"], row["backend"]) for row in rows]
    worst = _worst_devices(checked.cases.device, np.abs(checked.residual))
    for series, role in SERIES.items():
        at = [i for i, kind in enumerate(kinds) if kind == series]
        marks.append(
            Points(
                series=series,
                role=role,
                x=tuple(float(measured[i]) for i in at),
                y=tuple(float(predicted[i]) for i in at),
                names=tuple(str(rows[i]["device"]) for i in at),
                details=tuple(
                    (
                        f"{rows[i]['model']}, {rows[i]['format']}, {rows[i]['backend']}",
                        f"{wording.significant(measured[i], 3)} tokens/s measured",
                        f"{wording.significant(float(predicted[i]), 3)} predicted, {_signed(float(error[i]))}",
                    )
                    for i in at
                ),
                marked=tuple((at.index(i), str(rows[i]["device"])) for i in worst if i in at),
            )
        )

    def word(value: float) -> str:
        return f"{value:,g}"

    most = int(np.argmax(np.abs(error)))
    chips = wording.counted(len(set(checked.cases.device)), "chip")
    return Exhibit(
        chart=XYChart(
            title=title,
            subtitle="Tokens a second of one user, measured against predicted by a fit without that chip, log scales; "
            f"above the dotted line the prediction is too fast. {OWN_ERRORS}",
            alt=f"{title}: {len(rows)} measured speeds on {chips} lie about the line where predicted equals measured. "
            f"The worst is {rows[most]['device']}, {_signed(float(error[most]))}.",
            source=source,
            x=log_axis("Measured tokens a second", ends, word),
            y=log_axis("Predicted tokens a second", ends, word),
            marks=tuple(marks),
        ),
        table=Table(
            columns=(
                Column(name="device", label="Device", kind="text"),
                Column(name="device_class", label="Class", kind="text"),
                Column(name="backend", label="Runs on", kind="text"),
                Column(name="model", label="Model", kind="text"),
                Column(name="format", label="Format", kind="text"),
                Column(name="measured_tokens_per_s", label="Measured", unit="tokens/s"),
                Column(name="predicted_tokens_per_s", label="Predicted unseen", unit="tokens/s"),
                Column(name="error_percent", label="Error", unit="%"),
                Column(name="in_80_percent_interval", label="Inside 80 % interval", kind="text"),
                Column(name="row_id", label="Row", kind="text"),
                Column(name="source_id", label="Source", kind="text"),
                Column(name="locator", label="Place in the source", kind="link"),
            ),
            rows=tuple(
                (
                    str(row["device"]),
                    WORDS.get(row["device_class"], row["device_class"]),
                    str(row["backend"]),
                    str(row["model"]),
                    str(row["format"]),
                    float(measured[i]),
                    float(predicted[i]),
                    float(error[i]),
                    "yes" if inside[i] else "no",
                    str(row["row_id"]),
                    str(row["source_id"]),
                    _address(str(row["locator"]), str(row["source_id"])),
                )
                for i, row in enumerate(rows)
            ),
        ),
    )


def _worst_devices(devices: Sequence[str], off: NDArray[np.floating]) -> list[int]:
    """Return the worst row of each of the worst devices, the worst first."""
    found: dict[str, int] = {}
    for i in np.argsort(-off, kind="stable").tolist():
        found.setdefault(str(devices[i]), i)
    return list(found.values())[:LABELLED]


def _address(locator: str, source_id: str) -> str:
    """Return where a row can be read: its locator where that is an address, else its source's address."""
    if locator.startswith("http"):
        return locator.split()[0]
    sources = contract.read_table(contract.DIRECTORY / "sources.csv", table="sources")
    return str(sources.loc[sources["source_id"] == source_id, "url"].iloc[0])


@dataclass(frozen=True, kw_only=True)
class Checked:
    """How wrong predictions of one class are: ``known`` is False where it is poorly known.

    Errors are in percent of the measured speed, the ``worst`` with its sign; ``within_factor`` is the share of rows
    within a factor 1.5; shares inside the intervals are None where none were made without the row's device.
    """

    label: str
    role: Role
    rows: int
    devices: int
    median: float
    worst: float
    worst_device: str
    within_factor: float
    inside_80: float | None = None
    inside_90: float | None = None
    known: bool = True

    @property
    def text(self) -> str:
        """Return the words at the end of its bar."""
        known = wording.counted(self.devices, "device") if self.known else "poorly known"
        return f"{_error(self.median)}, {known}"


def _error(percent: float) -> str:
    return f"{wording.significant(percent)} %"


def by_class() -> tuple[Checked, ...]:
    """Return how wrong decode predictions are on chips left out, by class and backend, the best known first."""
    models = devices_fitted()
    checked, frame = models.decode, models.decode_rows
    error, covered = error_percent(checked.residual), {level: checked.covered(level) for level in (0.8, 0.9)}
    pairs = list(zip(checked.cases.device_class, checked.cases.backend, strict=True))
    found = []
    for pair in dict.fromkeys(pairs):
        at = np.flatnonzero([other == pair for other in pairs])
        worst = int(at[np.argmax(np.abs(error[at]))])
        devices = len({checked.cases.device[i] for i in at.tolist()})
        device_class, backend = pair
        found.append(
            Checked(
                label=_class_words(*pair),
                role=SERIES[_series(*pair)],
                rows=len(at),
                devices=devices,
                median=float(np.median(np.abs(error[at]))),
                worst=float(error[worst]),
                worst_device=str(frame["device"].iloc[worst]),
                within_factor=float(np.mean(np.abs(checked.residual[at]) <= np.log(FACTOR))),
                inside_80=float(covered[0.8][at].mean()),
                inside_90=float(covered[0.9][at].mean()),
                known=devices >= FEW_DEVICES
                and device_class not in POOR_CLASSES
                and backend not in POOR_BACKENDS,
            )
        )
    return tuple(sorted(found, key=lambda item: (not item.known, item.median)))


@lru_cache(maxsize=4)
def serving(release: str) -> tuple[Checked, Checked]:
    """Return how wrong throughput at full load is on models left out, and how wrong bandwidth alone is."""
    model, table = fitted(release)[0].accelerators, standing.table("measured_serving")
    given = {
        "architectures": standing.table("architectures"),
        "accelerators": load(release).accelerators,
    }
    rows = table.loc[serving_rows.usable(table, **given)].reset_index(drop=True)
    measured = rows["output_tokens_per_s_per_accelerator"].to_numpy(dtype=float)
    rule = bandwidth_only_tokens_per_s(serving_rows.serving_cases(rows, **given), measured)

    def checked(label: str, role: Role, residual: NDArray[np.floating]) -> Checked:
        error = error_percent(residual)
        worst = int(np.argmax(np.abs(error)))
        return Checked(
            label=label,
            role=role,
            rows=len(rows),
            devices=rows["accelerator"].nunique(),
            median=float(np.median(np.abs(error))),
            worst=float(error[worst]),
            worst_device=f"{rows['accelerator'].iloc[worst]}, {rows['architecture'].iloc[worst]}",
            within_factor=float(np.mean(np.abs(residual) <= np.log(FACTOR))),
        )

    return (
        checked("Accelerators at full load", "compute", model.residual),
        checked("The same by bandwidth alone", "context", np.log(measured / rule)),
    )


def checked_by_class_exhibit(*, release: Release, source: str) -> Exhibit:
    """Return the median error by class of device on chips left out, and of accelerators on models left out."""
    return _by_class(frozen(release), source)


@lru_cache(maxsize=8)
def _by_class(release: str, source: str) -> Exhibit:
    classes, (ours, rule) = by_class(), serving(release)
    total = sum(item.rows for item in classes)
    inside = {
        80: sum((item.inside_80 or 0.0) * item.rows for item in classes) / total,
        90: sum((item.inside_90 or 0.0) * item.rows for item in classes) / total,
    }
    known = [item.median for item in classes if item.known]
    poor = [item.median for item in classes if not item.known]
    title = (
        f"Classes of five or more devices are off by {min(known):.0f} to {max(known):.0f} % in the middle, poorly "
        f"known ones by up to {max(poor):.0f} %"
    )
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle="Median error of predicted tokens a second, %. Devices: one user, chips the fit had not seen; "
            f"{inside[80] * 100:.0f} % of rows lie in their 80 % interval and {inside[90] * 100:.0f} % in their 90 % "
            f"interval. NPUs, phones and classes of fewer than {FEW_DEVICES} devices are poorly known. Accelerators: "
            f"models the fit had not seen; {ours.within_factor * 100:.0f} % of rows lie within a factor {FACTOR:g}, "
            f"{rule.within_factor * 100:.0f} % by bandwidth alone, though that rule saw every row. {OWN_ERRORS}",
            alt=f"{title}. Accelerators at full load are off by {_error(ours.median)} in the middle, by bandwidth "
            f"alone by {_error(rule.median)}.",
            source=source,
            x=linear_axis(
                "Median error [%]", [0.0, *(item.median for item in (*classes, ours, rule))], "{:g}".format
            ),
            base=0.0,
            bars=tuple(
                Bar(
                    label=item.label,
                    value=item.median,
                    text=item.text,
                    role=item.role,
                    emphasised=item is ours,
                    detail=_detail(item),
                )
                for item in (*classes, ours, rule)
            ),
        ),
        table=Table(
            columns=(
                Column(name="class", label="Class", kind="text"),
                Column(name="rows", label="Rows"),
                Column(name="devices", label="Devices"),
                Column(name="median_error_percent", label="Median error", unit="%"),
                Column(name="worst_error_percent", label="Worst error", unit="%"),
                Column(name="worst_device", label="Worst on", kind="text"),
                Column(name="within_factor_1_5", label="Within a factor 1.5", unit="1"),
                Column(name="inside_80_percent_interval", label="In the 80 % interval", unit="1"),
                Column(name="inside_90_percent_interval", label="In the 90 % interval", unit="1"),
                Column(name="known", label="How well known", kind="text"),
            ),
            rows=tuple(_table_row(item) for item in (*classes, ours, rule)),
        ),
    )


def _detail(item: Checked) -> tuple[str, ...]:
    lines = [
        f"{wording.counted(item.rows, 'row')} of {wording.counted(item.devices, 'device')}",
        f"Worst: {_signed(item.worst)} on {item.worst_device}",
        f"{item.within_factor * 100:.0f} % of rows within a factor {FACTOR:g}",
    ]
    if item.inside_80 is not None and item.inside_90 is not None:
        lines.append(
            f"{item.inside_80 * 100:.0f} % in the 80 % interval, {item.inside_90 * 100:.0f} % in the 90 % one"
        )
    return tuple(lines)


def _table_row(item: Checked) -> tuple[Cell, ...]:
    return (
        item.label,
        item.rows,
        item.devices,
        item.median,
        item.worst,
        item.worst_device,
        item.within_factor,
        item.inside_80,
        item.inside_90,
        "well" if item.known else "poorly",
    )
