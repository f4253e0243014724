"""What a wafer is made of: cores with memory of their own, joined to their neighbours."""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from analysis.arrays import FloatArray


@dataclass(frozen=True, kw_only=True)
class CoreMesh:
    """Cores in a square that pass values from neighbour to neighbour, one hop in ``hop_s``. [s]

    Weights stay where they are, so a layer is read by the cores that hold it, and ``reductions_per_layer`` times a
    layer all of them wait for one another.
    """

    cores: int
    hop_s: float
    reductions_per_layer: int

    def __post_init__(self) -> None:
        """Refuse a mesh without cores, and times no mesh has."""
        for name in ("cores", "reductions_per_layer"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is a count of at least 1; got {getattr(self, name)}.")
        if not (math.isfinite(self.hop_s) and self.hop_s >= 0):
            raise ValueError(f"hop_s is a time in seconds, 0 or more; got {self.hop_s}.")

    def layer_wait_s(self, share: ArrayLike) -> FloatArray:
        """Return how long the reductions of a layer take that a share of the cores holds. [s]

        Each goes to the middle and back: 2 (w + h)/2 hops of w by h cores, which is least for a square.
        """
        side = np.sqrt(np.asarray(share, dtype=np.float64) * self.cores)
        return self.reductions_per_layer * 2 * side * self.hop_s

    def best_share(self, reading_s: ArrayLike, *, layers: float, least: ArrayLike) -> FloatArray:
        """Return the share of the cores that a layer is spread over where its token takes least.

        ``reading_s`` is what reading all layers would take if every core had its part of each [s]; ``least`` the share
        whose memory a layer needs. More cores read faster and wait longer: as much of one as of the other is best.
        """
        wait = float(self.layer_wait_s(1.0)) * layers
        even = (np.asarray(reading_s, dtype=np.float64) / wait) ** (2 / 3) if wait > 0 else np.inf
        return np.minimum(np.maximum(even, least), 1.0)

    def slowed(self, times: float) -> "CoreMesh":
        """Return the mesh with hops so many times as long."""
        return replace(self, hop_s=self.hop_s * times)
