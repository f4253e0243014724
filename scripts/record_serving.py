"""Fits the model of serving to the measured points and records its factors: ``python -m scripts.record_serving``."""

from pathlib import Path

import numpy as np

from analysis.arrays import FloatArray
from analysis.serving.factors import NAMES
from analysis.serving.fit_points import KINDS, LeftOut, fit_factors, left_out
from analysis.serving.fitted import FITTED
from analysis.serving.points import Points
from analysis.serving.predict import LEVELS
from analysis.serving.tables import measured_points

FILE = Path(__file__).parent.parent / "analysis" / "serving" / "fitted.py"
HEAD = '''"""The factors of serving as fitted to the measured points, written by ``python -m scripts.record_serving``.

``QUANTILES`` say by kind of time how many standard deviations hold the shares of
:data:`analysis.serving.predict.LEVELS` of points, each predicted without its accelerator or
without a random half of all points, whichever are more.
"""

'''


def quantiles(parts: list[LeftOut]) -> dict[str, list[float]]:
    """Return by kind how many standard deviations hold each of the levels of points left out."""
    found = {}
    for at, kind in enumerate(KINDS):
        per = []
        for part in parts:
            off = np.abs(part.measured[at] - part.predicted[at]) / part.scale[at]
            per.append(np.quantile(off[np.isfinite(off)], LEVELS))
        most: FloatArray = np.max(per, axis=0)
        found[kind] = [0.0, *(round(float(value), 3) for value in most[1:])]
    return found


def halves(points: Points) -> list[str]:
    """Return a random half for each point, the same at every call."""
    return [str(half) for half in np.random.default_rng(2026).integers(0, 2, len(points))]


def main() -> None:
    """Write the fitted factors and quantiles."""
    points = measured_points()
    factors = fit_factors(points, start=np.log([FITTED.get(name, 1.0) for name in NAMES]))
    ways = (points.deployments.accelerator, halves(points))
    parts = [left_out(points, groups=groups, start=factors) for groups in ways]
    lines = [f'    "{name}": {np.exp(value):.4g},' for name, value in zip(NAMES, factors, strict=True)]
    widths = [f'    "{kind}": {values},' for kind, values in quantiles(parts).items()]
    text = f"{HEAD}FITTED = {{\n" + "\n".join(lines) + "\n}\n\nQUANTILES = {\n" + "\n".join(widths) + "\n}\n"
    FILE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
