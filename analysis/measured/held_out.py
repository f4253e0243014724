"""Prediction intervals from errors on held-out devices."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.arrays import FloatArray
from analysis.intervals import check_level
from analysis.measured.fitted_times import splits

# Pooling weight of a kind in a class's own spread, as a number of devices.
KIND_COUNTS_AS_DEVICES = 3.0
FEWEST_ROWS = 5


def error_percent(residual: FloatArray) -> FloatArray:
    """Return the relative error of predicted rates, given log(measured/predicted). [%]"""
    return 100.0 * (np.exp(-residual) - 1.0)


@dataclass(frozen=True, kw_only=True)
class Spread:
    """Spread of measured speeds around predictions for unseen devices, with a scale for each class.

    ``shape`` is |log residual| / scale of every held-out row, sorted, shape (n,), each with ``weight``.
    """

    scale_by_class: dict[str, float]
    scale_by_kind: dict[str, float]
    shape: FloatArray
    weight: FloatArray

    def scale(self, device_class: str, kind: str) -> float:
        """Return the scale of a class, or that of its kind if the class was not measured, or else the widest."""
        if device_class in self.scale_by_class:
            return self.scale_by_class[device_class]
        return self.scale_by_kind.get(kind, max(self.scale_by_kind.values()))

    def half_width(self, scale: float | FloatArray, *, level: float) -> FloatArray:
        """Return the half-width of an interval of log speed, shaped like ``scale``.

        References
        ----------
        Split conformal prediction with locally weighted residuals: Lei et al., "Distribution-free predictive
        inference for regression", JASA 113, 2018, section 5.2; the residuals here are of left-out devices.
        """
        check_level(level)
        return np.asarray(scale, dtype=float) * self.quantile(np.array([level]))[0]

    def quantile(self, probability: FloatArray) -> FloatArray:
        """Return |log residual| / scale at each probability, in the shape of ``probability``."""
        below = (np.cumsum(self.weight) - 0.5 * self.weight) / np.sum(self.weight)
        return np.interp(probability, np.r_[0.0, below], np.r_[0.0, self.shape])

    def draws(self, scale: float | FloatArray, uniform: FloatArray) -> FloatArray:
        """Return factors that multiply speed, for uniform numbers in (0, 1); 0.5 gives 1. Shapes broadcast. [1]"""
        side = 2.0 * uniform - 1.0
        return np.exp(np.asarray(scale) * np.sign(side) * self.quantile(np.abs(side)))


def spread(
    residual: FloatArray, *, devices: Sequence[str], classes: Sequence[str], kinds: Sequence[str]
) -> Spread:
    """Return the spread of held-out residuals, shape (n,), by device, class and kind.

    Each device counts once with its mean |residual|, whatever its number of rows. A class's scale is pooled with its
    kind's by the number of devices, so that two phones do not make all phones look certain.

    Raises ValueError if there are fewer than five rows.
    """
    if len(residual) < FEWEST_ROWS:
        raise ValueError(
            f"a spread needs five held-out rows or more; got {len(residual)}. Measure more devices."
        )
    names = np.array([f"{d}|{c}" for d, c in zip(devices, classes, strict=True)], dtype=object)
    cells, first, member, rows = np.unique(
        names.astype(str), return_index=True, return_inverse=True, return_counts=True
    )
    mean = np.bincount(member, weights=np.abs(residual)) / rows
    of_class = np.asarray(classes, dtype=object)[first]
    of_kind = np.asarray(kinds, dtype=object)[first]
    by_kind = {str(kind): float(mean[of_kind == kind].mean()) for kind in dict.fromkeys(of_kind)}
    by_class = {}
    for name in dict.fromkeys(of_class):
        here = of_class == name
        kind = by_kind[str(of_kind[here][0])]
        total = KIND_COUNTS_AS_DEVICES * kind + mean[here].sum()
        by_class[str(name)] = float(total / (KIND_COUNTS_AS_DEVICES + here.sum()))
    scaled = np.abs(residual) / np.array([by_class[str(name)] for name in classes])
    weight = 1.0 / np.sqrt(rows[member])
    order = np.argsort(scaled, kind="stable")
    return Spread(
        scale_by_class=by_class, scale_by_kind=by_kind, shape=scaled[order], weight=weight[order] / cells.size
    )


def unseen_half_widths(
    residual: FloatArray,
    *,
    devices: Sequence[str],
    classes: Sequence[str],
    kinds: Sequence[str],
    sources: Sequence[str],
    level: float,
) -> FloatArray:
    """Return interval half-widths in log speed, shape (n,), computed from other devices' and sources' residuals."""
    half = np.zeros(len(residual))
    for here, others in splits((devices, sources)):
        rest = np.flatnonzero(others).tolist()
        made = spread(
            residual[others],
            devices=[devices[i] for i in rest],
            classes=[classes[i] for i in rest],
            kinds=[kinds[i] for i in rest],
        )
        for i in np.flatnonzero(here).tolist():
            half[i] = made.half_width(made.scale(classes[i], kinds[i]), level=level)
    return half
