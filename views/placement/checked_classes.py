"""How wrong predicted speeds are on devices and models the fits had not seen, by class of device."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.measured.decode_cases import chip
from analysis.measured.held_out import coverage, error_percent
from analysis.serving import cases as serving_rows
from analysis.serving.model import bandwidth_only_tokens_per_s
from charts.chart import Bar, BarChart, Role
from data import standing
from data.releases import Release, load
from data.serving import serving_speeds
from views import wording
from views.axes import linear_axis
from views.placement.checked import OWN_ERRORS, SERIES, class_words, series_of, signed
from views.placement.fitted import devices_fitted, fitted, frozen
from views.result import Cell, Column, Exhibit, Table

FEW_DEVICES = 5
"""A class with fewer devices than this is called poorly known."""


POOR_CLASSES, POOR_BACKENDS = ("phone",), ("NPU",)
"""Poorly known whatever their number: phones slow down as they get hot, and engines for NPUs differ the most."""


FACTOR = 1.5
READING = "Reading prompts"


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
    checked = models.decode
    return _by_class_of(
        checked.residual,
        models.decode_rows,
        chips=checked.cases.device,
        inside={level: checked.covered(level) for level in (0.8, 0.9)},
    )


def reading_by_class() -> tuple[Checked, ...]:
    """Return how wrong the predicted reading of prompts is on chips left out, by class, all of them first."""
    models = devices_fitted()
    rows, residual = models.prefill_rows, models.prefill.residual
    chips = [chip(name) for name in rows["device"]]
    inside = {
        level: coverage(
            residual,
            devices=chips,
            classes=[
                f"{name} {backend}"
                for name, backend in zip(rows["device_class"], rows["backend"], strict=True)
            ],
            kinds=list(rows["backend"]),
            level=level,
        )
        for level in (0.8, 0.9)
    }
    every = _checked(np.arange(len(rows)), residual, rows, chips=chips, inside=inside)
    classes = _by_class_of(residual, rows, chips=chips, inside=inside)
    return (
        replace(every, label=f"{READING}, all devices", role="context"),
        *(replace(item, label=f"{READING}: {item.label}") for item in classes),
    )


def _by_class_of(
    residual: NDArray[np.floating],
    rows: pd.DataFrame,
    *,
    chips: Sequence[str],
    inside: Mapping[float, NDArray[np.bool_]],
) -> tuple[Checked, ...]:
    pairs = list(zip(rows["device_class"], rows["backend"], strict=True))
    found = []
    for pair in dict.fromkeys(pairs):
        at = np.flatnonzero([other == pair for other in pairs])
        one = _checked(at, residual, rows, chips=chips, inside=inside)
        device_class, backend = pair
        found.append(
            replace(
                one,
                label=class_words(*pair),
                role=SERIES[series_of(*pair)],
                known=one.devices >= FEW_DEVICES
                and device_class not in POOR_CLASSES
                and backend not in POOR_BACKENDS,
            )
        )
    return tuple(sorted(found, key=lambda item: (not item.known, item.median)))


def _checked(
    at: NDArray[np.intp],
    residual: NDArray[np.floating],
    rows: pd.DataFrame,
    *,
    chips: Sequence[str],
    inside: Mapping[float, NDArray[np.bool_]],
) -> Checked:
    """Return how wrong the predictions of the rows ``at`` are."""
    error = error_percent(residual)
    worst = int(at[np.argmax(np.abs(error[at]))])
    return Checked(
        label="",
        role="context",
        rows=len(at),
        devices=len({chips[i] for i in at.tolist()}),
        median=float(np.median(np.abs(error[at]))),
        worst=float(error[worst]),
        worst_device=str(rows["device"].iloc[worst]),
        within_factor=float(np.mean(np.abs(residual[at]) <= np.log(FACTOR))),
        inside_80=float(inside[0.8][at].mean()),
        inside_90=float(inside[0.9][at].mean()),
    )


@lru_cache(maxsize=4)
def serving(release: str) -> tuple[Checked, Checked]:
    """Return how wrong throughput at full load is on models left out, and how wrong bandwidth alone is."""
    model, table = fitted(release).full_load.model, serving_speeds()
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
    found = _by_class(frozen(release))
    return replace(found, chart=replace(found.chart, source=source))


@lru_cache(maxsize=4)
def _by_class(release: str) -> Exhibit:
    classes, reading, (ours, rule) = by_class(), reading_by_class(), serving(release)
    total = sum(item.rows for item in classes)
    inside = {
        80: sum((item.inside_80 or 0.0) * item.rows for item in classes) / total,
        90: sum((item.inside_90 or 0.0) * item.rows for item in classes) / total,
    }
    known = [item.median for item in classes if item.known]
    poor = [item.median for item in classes if not item.known]
    shown = (*classes, reading[0], ours, rule)
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
            f"{rule.within_factor * 100:.0f} % by bandwidth alone, though that rule saw every row. "
            f"First tokens rest on how fast prompts are read, off by {_error(reading[0].median)} on such chips; the "
            f"table has it by class. {OWN_ERRORS}",
            alt=f"{title}. Accelerators at full load are off by {_error(ours.median)} in the middle, by bandwidth "
            f"alone by {_error(rule.median)}.",
            source="",
            x=linear_axis("Median error [%]", [0.0, *(item.median for item in shown)], "{:g}".format),
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
                for item in shown
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
            rows=tuple(_table_row(item) for item in (*classes, *reading, ours, rule)),
        ),
    )


def _detail(item: Checked) -> tuple[str, ...]:
    lines = [
        f"{wording.counted(item.rows, 'row')} of {wording.counted(item.devices, 'device')}",
        f"Worst: {signed(item.worst)} on {item.worst_device}",
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
