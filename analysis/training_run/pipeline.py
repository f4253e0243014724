"""How long pipeline stages wait for their first and after their last micro-batch."""

import numpy as np
from numpy.typing import ArrayLike

from analysis.arrays import FloatArray


def fullest_stage_layers(n_layers: ArrayLike, *, pipeline_parallel: ArrayLike) -> FloatArray:
    """Return the layers of the stage that has most of them. [layers]

    Layers are whole: 96 and 128 on 64 stages both put two on the fullest. Time and memory follow it.
    """
    layers, p = (np.asarray(x, dtype=np.float64) for x in (n_layers, pipeline_parallel))
    return np.ceil(layers / p)


def spare_places(n_layers: ArrayLike, *, pipeline_parallel: ArrayLike) -> FloatArray:
    """Return how many layers fewer there are than if all stages were as full as the fullest. [layers]

    The first spare place is left on the last stage, which has the output layer besides; the second on the
    first stage, which keeps most micro-batches in flight; all others on the last, as far as they go.

    References
    ----------
    Llama Team, "The Llama 3 Herd of Models", arXiv:2407.21783, section 3.3.2: 126 layers on 16 stages, one
    fewer on the first and on the last.
    """
    layers, p = (np.asarray(x, dtype=np.float64) for x in (n_layers, pipeline_parallel))
    return fullest_stage_layers(layers, pipeline_parallel=p) * p - layers


def largest_piece_layers(
    n_layers: ArrayLike, *, pipeline_parallel: ArrayLike, interleave: ArrayLike
) -> FloatArray:
    """Return the layers of the largest of the ``interleave`` pieces that stages hold. [layers]

    Each stage fills and drains by one piece: 126 layers on 16 stages of 7 pieces are pieces of one and two.
    """
    layers, p, v = (np.asarray(x, dtype=np.float64) for x in (n_layers, pipeline_parallel, interleave))
    return np.ceil(layers / (p * v))


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
