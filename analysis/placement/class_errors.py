"""How wrong predicted speeds are on devices and models the fits had not seen, by class of device."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
import pandas as pd

from analysis.hardware.device_makers import chip
from analysis.measured.held_out import coverage, error_percent
from analysis.placement.fits import PlacementModels

FEW_DEVICES = 5
"""A class with fewer devices than this is called poorly known."""
POOR_CLASSES, POOR_BACKENDS = ("phone",), ("NPU",)
"""Poorly known whatever their number: phones slow down as they get hot, and engines for NPUs differ the most."""
FACTOR = 1.5
LEVELS = (0.8, 0.9)


@dataclass(frozen=True, kw_only=True)
class ClassError:
    """How wrong predictions of one class are: ``known`` is False where it is poorly known.

    ``device_class`` and ``backend`` are empty where all classes are taken together. Errors are in percent of the
    measured speed, the ``worst`` with its sign; ``within_factor`` is the share of rows within a factor 1.5; shares
    inside the intervals are None where none were made without the row's device.
    """

    device_class: str = ""
    backend: str = ""
    rows: int
    devices: int
    median: float
    worst: float
    worst_device: str
    within_factor: float
    inside_80: float | None = None
    inside_90: float | None = None
    known: bool = True


def decode_errors(models: PlacementModels) -> tuple[ClassError, ...]:
    """Return how wrong decode predictions are on chips left out, by class and backend, the best known first."""
    checked, rows = models.decode, models.decode_rows
    inside = {f"inside_{level:.0%}": checked.covered(level) for level in LEVELS}
    return _by_class(rows.assign(residual=checked.residual, chip=checked.cases.device, **inside))


def reading_errors(models: PlacementModels) -> tuple[ClassError, ...]:
    """Return how wrong the predicted reading of prompts is on chips left out, by class, all of them first."""
    rows, residual = models.prefill_rows, models.prefill.residual
    chips, kinds = [chip(name) for name in rows["device"]], list(rows["backend"])
    classes = [f"{name} {backend}" for name, backend in zip(rows["device_class"], kinds, strict=True)]
    inside = {
        f"inside_{level:.0%}": coverage(
            residual,
            devices=chips,
            classes=classes,
            kinds=kinds,
            sources=list(rows["source_id"]),
            level=level,
        )
        for level in LEVELS
    }
    unseen = rows.assign(residual=residual, chip=chips, **inside)
    return (_error(unseen), *_by_class(unseen))


def share_inside(errors: Sequence[ClassError]) -> tuple[float, float]:
    """Return the share of all rows inside their 80 % and their 90 % interval. [1]"""
    total = sum(error.rows for error in errors)
    return (
        sum((error.inside_80 or 0.0) * error.rows for error in errors) / total,
        sum((error.inside_90 or 0.0) * error.rows for error in errors) / total,
    )


def _by_class(unseen: pd.DataFrame) -> tuple[ClassError, ...]:
    classes, backends = unseen["device_class"], unseen["backend"]
    errors = []
    for device_class, backend in dict.fromkeys(zip(classes, backends, strict=True)):
        error = _error(unseen.loc[(classes == device_class) & (backends == backend)])
        poor = error.devices < FEW_DEVICES or device_class in POOR_CLASSES or backend in POOR_BACKENDS
        errors.append(replace(error, device_class=device_class, backend=backend, known=not poor))
    return tuple(sorted(errors, key=lambda error: (not error.known, error.median)))


def _error(unseen: pd.DataFrame) -> ClassError:
    """Return how wrong the predictions of rows are whose ``chip`` was left out of the fit, by their ``residual``."""
    residual = unseen["residual"].to_numpy(dtype=float)
    error = error_percent(residual)
    worst = int(np.argmax(np.abs(error)))
    return ClassError(
        rows=len(unseen),
        devices=len(set(unseen["chip"])),
        median=float(np.median(np.abs(error))),
        worst=float(error[worst]),
        worst_device=str(unseen["device"].iloc[worst]),
        within_factor=float(np.mean(np.abs(residual) <= np.log(FACTOR))),
        inside_80=float(np.mean(unseen["inside_80%"].to_numpy(dtype=bool))),
        inside_90=float(np.mean(unseen["inside_90%"].to_numpy(dtype=bool))),
    )


@dataclass(frozen=True, kw_only=True)
class UnseenRow:
    """A measured decode speed and what a fit without its chip predicts. [tokens/s]

    ``measurement`` is its row of the measured table; ``error_percent`` is predicted over measured less one,
    ``residual`` the logarithm of measured over predicted, ``inside`` whether it lies in its 80 % interval.
    """

    measurement: Mapping[str, str]
    chip: str
    mixture: bool
    measured: float
    predicted: float
    error_percent: float
    residual: float
    inside: bool

    def __getitem__(self, name: str) -> str:
        """Return a cell of its row of the measured table."""
        return str(self.measurement[name])


def unseen_rows(models: PlacementModels) -> tuple[UnseenRow, ...]:
    """Return every decode speed with its prediction by a fit without its chip, in the order of the table."""
    checked = models.decode
    columns = zip(
        models.decode_rows.to_dict("records"),
        checked.cases.device,
        checked.cases.mixture.tolist(),
        checked.decode_tokens_per_s.tolist(),
        checked.held_out_tokens_per_s.tolist(),
        error_percent(checked.residual).tolist(),
        checked.residual.tolist(),
        checked.covered(0.8).tolist(),
        strict=True,
    )
    names = [item.name for item in fields(UnseenRow)]
    return tuple(UnseenRow(**dict(zip(names, values, strict=True))) for values in columns)


def median_error_percent(rows: Iterable[UnseenRow]) -> float:
    """Return the median size of the errors of rows. [%]"""
    return float(np.median([abs(row.error_percent) for row in rows]))


def worst_devices(rows: Sequence[UnseenRow], *, count: int) -> tuple[UnseenRow, ...]:
    """Return the worst row of each of the ``count`` worst chips, the worst first."""
    worst: dict[str, UnseenRow] = {}
    for row in sorted(rows, key=lambda row: -abs(row.residual)):
        worst.setdefault(row.chip, row)
    return tuple(worst.values())[:count]
