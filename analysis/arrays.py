"""Matrix products in slabs small enough for one core, so that readers do not wait for each other."""

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.floating]
# OpenBLAS starts threads above 2**18 multiplications. On a busy machine they spin for each other: the same
# bootstrap took 0.1 to 0.2 s in slabs and 0.6 to 1.5 s without.
LARGEST = 2**18 - 1
WIDTH = 64


def product(left: FloatArray, right: FloatArray) -> FloatArray:
    """Return ``left @ right``, shapes (draws, k) and (k, m) to (draws, m), never by more than one thread."""
    draws, shared = left.shape
    left = np.ascontiguousarray(left)
    parts = []
    for start in range(0, right.shape[1], WIDTH):
        part = np.ascontiguousarray(right[:, start : start + WIDTH])
        tall = min(max(1, LARGEST // max(part.size, 1)), draws)
        whole = draws - draws % tall
        many = (left[:whole].reshape(whole // tall, tall, shared) @ part).reshape(whole, part.shape[1])
        parts.append(many if whole == draws else np.concatenate([many, left[whole:] @ part]))
    return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1)
