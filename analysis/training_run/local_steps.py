"""How long workers far apart wait for each other when they meet only every so many steps."""

import numpy as np
from numpy.typing import ArrayLike

from analysis.arrays import FloatArray


def exchange_s(
    n_parameters: float, *, sites: ArrayLike, wide_area_byte_per_s: float, element_byte: float = 2.0
) -> FloatArray:
    """Return how long ``sites`` take to average their weights over a ring of wide-area links. [s]

    References
    ----------
    Douillard et al., "DiLoCo", arXiv:2311.08105, section 2 (averaging of outer gradients); time as
    :func:`analysis.hardware.collectives.ring_all_reduce_s`.
    """
    n = np.asarray(sites, dtype=np.float64)
    if wide_area_byte_per_s <= 0:
        raise ValueError(
            f"wide_area_byte_per_s is positive, per direction and site; got {wide_area_byte_per_s:g}. "
            "10 Gbit/s is 1.25e9."
        )
    return 2 * (n - 1) / n * element_byte * n_parameters / wide_area_byte_per_s


def waiting_share(*, step_s: ArrayLike, local_steps: ArrayLike, exchange_s: ArrayLike) -> FloatArray:
    """Return the share of time spent averaging when it happens every ``local_steps`` steps. [1]"""
    work = np.asarray(step_s, dtype=np.float64) * np.asarray(local_steps, dtype=np.float64)
    wait = np.asarray(exchange_s, dtype=np.float64)
    return wait / (work + wait)
