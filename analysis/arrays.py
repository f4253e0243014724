"""Arrays as every model here holds them: their types, records of columns, and matrix products in slabs."""

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.floating]
BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.integer]

# OpenBLAS starts threads above 2**18 multiplications. On a busy machine they spin for each other: the same
# bootstrap took 0.1 to 0.2 s in slabs and 0.6 to 1.5 s without.
LARGEST = 2**18 - 1
WIDTH = 64


class Rows:
    """Base of a frozen record whose fields are columns with one entry for each of n rows.

    A column is a tuple of n entries, or an array whose last axis has n; any other value, such as one number or None,
    stands for every row. A record of columns inside is taken apart alike.
    """

    def at(self, keep: BoolArray) -> Self:
        """Return the rows that ``keep``, shape (n,), marks."""
        marked = np.flatnonzero(keep).tolist()

        def kept(value: Any) -> Any:
            if isinstance(value, Rows):
                return value.at(keep)
            if isinstance(value, tuple):
                return tuple(value[place] for place in marked) if len(value) == len(keep) else value
            return np.asarray(value)[..., keep] if np.shape(value)[-1:] == keep.shape else value

        return type(self)(**{item.name: kept(getattr(self, item.name)) for item in fields(self) if item.init})  # type: ignore[arg-type]

    @classmethod
    def joined(cls, parts: Sequence[Self], join: Callable[[list[Any]], Any]) -> Self:
        """Return the record whose every array is ``join`` of that column of all ``parts``; records inside alike."""
        columns: dict[str, Any] = {}
        for item in fields(cls):  # type: ignore[arg-type]
            values = [getattr(part, item.name) for part in parts]
            inside = type(values[0])
            columns[item.name] = inside.joined(values, join) if isinstance(values[0], Rows) else join(values)
        return cls(**columns)


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
