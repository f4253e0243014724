"""The plans that split a run: what the step-time model is asked about."""

from dataclasses import dataclass, field, fields

import numpy as np
from numpy.typing import ArrayLike

from analysis.arrays import FloatArray
from analysis.model.activations import RECOMPUTE_CODE

RECOMPUTE_NAMES = tuple(RECOMPUTE_CODE)


@dataclass(frozen=True, kw_only=True)
class Plans:
    """How the run is split, one entry per plan: every field is an array of the same shape, or one number.

    ``recompute`` is 0 none, 1 selective, 2 full; ``overlap`` is the share of data-parallel and pipeline
    traffic that may hide behind computing.
    """

    tensor_parallel: ArrayLike = 1
    pipeline_parallel: ArrayLike = 1
    data_parallel: ArrayLike = 1
    context_parallel: ArrayLike = 1
    expert_parallel: ArrayLike = 1
    interleave: ArrayLike = 1
    micro_batch: ArrayLike = 1
    zero_stage: ArrayLike = 1
    recompute: ArrayLike = 0
    overlap: ArrayLike = 0.5
    _shape: tuple[int, ...] = field(default=(), init=False, repr=False)

    def __post_init__(self) -> None:
        """Bring every field to one shape, and refuse degrees below one."""
        names = [item.name for item in fields(self) if item.init]
        arrays = np.broadcast_arrays(*(np.asarray(getattr(self, name), dtype=np.float64) for name in names))
        for name, values in zip(names, arrays, strict=True):
            lowest = 0.0 if name in ("zero_stage", "recompute", "overlap") else 1.0
            if values.size and not (values >= lowest).all():
                raise ValueError(
                    f"{name} is at least {lowest:g}; got {values.min():g}. Pass {lowest:g} for none."
                )
            object.__setattr__(self, name, values)
        object.__setattr__(self, "_shape", arrays[0].shape)

    @property
    def shape(self) -> tuple[int, ...]:
        """Return the shape of every field."""
        return self._shape

    @property
    def accelerators(self) -> FloatArray:
        """Return how many accelerators each plan takes."""
        return (
            self.tensor_parallel * self.pipeline_parallel * self.data_parallel * self.context_parallel  # type: ignore[operator]
        )

    def one(self, name: str) -> float:
        """Return a field of a single plan as a number."""
        return float(np.ravel(getattr(self, name))[0])

    def at(self, index: int) -> "Plans":
        """Return one plan of a flat list of them."""
        names = [item.name for item in fields(self) if item.init]
        return Plans(**{name: float(np.ravel(getattr(self, name))[index]) for name in names})
