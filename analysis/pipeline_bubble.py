"""How long pipeline stages wait for their first and after their last micro-batch."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.floating]


def bubble_over_ideal(
    *, pipeline_parallel: ArrayLike, micro_batches: ArrayLike, interleave: ArrayLike = 1
) -> FloatArray:
    """Return the waiting time as a share of the working time: (p - 1)/(v m).

    ``interleave`` is how many pieces of the model each device holds.

    References
    ----------
    Narayanan et al., arXiv:2104.04473, sections 2.2.1 and 2.2.2.
    """
    p, m, v = (np.asarray(x, dtype=np.float64) for x in (pipeline_parallel, micro_batches, interleave))
    for name, value in (("pipeline_parallel", p), ("micro_batches", m), ("interleave", v)):
        if (value < 1).any():
            raise ValueError(f"{name} is at least 1; got {value.min():g}. Pass 1 for none.")
    return (p - 1) / (v * m)


def bubble_over_total(
    *, pipeline_parallel: ArrayLike, micro_batches: ArrayLike, interleave: ArrayLike = 1
) -> FloatArray:
    """Return the waiting time as a share of the whole step: (p - 1)/(v m + p - 1).

    References
    ----------
    As :func:`bubble_over_ideal`.
    """
    share = bubble_over_ideal(
        pipeline_parallel=pipeline_parallel, micro_batches=micro_batches, interleave=interleave
    )
    return share / (1 + share)
