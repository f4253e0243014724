"""Array types, records of columns, and matrix products computed in slabs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.floating]
BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.integer]

# OpenBLAS starts threads above 2**18 multiplications. On a busy machine these threads wait for each other:
# the same bootstrap took 0.1 to 0.2 s in slabs and 0.6 to 1.5 s without.
LARGEST = 2**18 - 1
WIDTH = 64


def end_to_end(columns: list[Any]) -> Any:
    """Concatenate columns that are either all tuples or all arrays."""
    return sum(columns, ()) if isinstance(columns[0], tuple) else np.concatenate(columns)


class Rows:
    """Base class of frozen records whose fields are columns of n rows.

    A column is a tuple of n entries, or an array whose last axis has length n. Any other value, such as one number or
    None, applies to every row. A nested record of columns is indexed the same way.
    """

    def at(self, rows: BoolArray | IntArray) -> Self:
        """Return the rows selected by a mask of shape (n,) or by integer positions. Positions may repeat."""
        if rows.dtype == bool:
            return self._taken(np.flatnonzero(rows), n=len(rows))
        return self._taken(rows, n=len(self))  # type: ignore[arg-type]

    def _taken(self, places: IntArray, *, n: int) -> Self:
        def taken(value: Any) -> Any:
            if isinstance(value, Rows):
                return value._taken(places, n=n)
            if isinstance(value, tuple):
                return tuple(value[place] for place in places.tolist()) if len(value) == n else value
            return np.asarray(value)[..., places] if np.shape(value)[-1:] == (n,) else value

        own = fields(self)  # type: ignore[arg-type]
        return type(self)(**{item.name: taken(getattr(self, item.name)) for item in own if item.init})

    @classmethod
    def from_rows(cls, rows: Sequence[Mapping[str, Any]]) -> Self:
        """Return a record of columns built from rows. Each row maps every field name to a value."""
        columns: dict[str, Any] = {}
        for item in fields(cls):  # type: ignore[arg-type]
            values = [row[item.name] for row in rows]
            if item.type == tuple[str, ...]:
                columns[item.name] = tuple(map(str, values))
            else:
                columns[item.name] = np.array(values, dtype=bool if item.type == BoolArray else float)
        return cls(**columns)

    @classmethod
    def joined(cls, parts: Sequence[Self], join: Callable[[list[Any]], Any] = end_to_end) -> Self:
        """Return one record with the columns of all ``parts``, merged by ``join``. Nested records are merged too."""
        columns: dict[str, Any] = {}
        for item in fields(cls):  # type: ignore[arg-type]
            values = [getattr(part, item.name) for part in parts]
            inside = type(values[0])
            columns[item.name] = inside.joined(values, join) if isinstance(values[0], Rows) else join(values)
        return cls(**columns)


def product(left: FloatArray, right: FloatArray) -> FloatArray:
    """Return ``left @ right``, computed in one thread. ``left`` has shape (draws, k), ``right`` (k, m)."""
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
