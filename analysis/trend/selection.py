"""Selection of points for a fit: all, those in the top k when released, or record setters."""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import pdtr

from analysis.arrays import BoolArray, FloatArray, IntArray, product

Kind = Literal["all", "frontier", "records"]


@dataclass(frozen=True, kw_only=True)
class Rule:
    """Rule for the rows in a fit: all, those in the top ``top`` when released, or records (top 1)."""

    kind: Kind
    top: int = 10

    def __post_init__(self) -> None:
        """Raise an error for an unknown kind or a ``top`` below one."""
        if self.kind not in ("all", "frontier", "records"):
            raise ValueError(
                f"rule is one of all, frontier, records; got {self.kind!r}. Choose one of these."
            )
        if self.top < 1:
            raise ValueError(
                f"top is how many rows lead at a time, at least 1; got {self.top}. Pass 1 or more."
            )

    @property
    def depth(self) -> int | None:
        """Return how many rows may lead at a time. None if all rows count."""
        return {"all": None, "frontier": self.top, "records": 1}[self.kind]


def select(year: FloatArray, value: FloatArray, *, rule: Rule) -> BoolArray:
    """Return a mask, shape (n,), of the rows selected by the rule.

    A row leads if fewer than ``rule.top`` rows released on the same day or earlier have a strictly larger value. Equal
    values are selected together, and the order of the rows does not matter.

    Notes
    -----
    This is Epoch AI's running "top 10 by training compute at release" ("Training compute of frontier AI
    models grows by 4-5x per year", 2024), with k left to the reader.
    """
    if rule.depth is None:
        return np.ones(len(year), dtype=bool)
    depth = rule.depth
    leaders: list[float] = []
    order = np.argsort(year, kind="stable")
    released, size = np.asarray(year)[order], np.asarray(value, dtype=np.float64)[order]
    days = np.append(np.flatnonzero(np.diff(released)) + 1, len(released)).tolist()
    sizes, needed, start = size.tolist(), np.full(len(released), -np.inf), 0
    for end in days:
        for one in sizes[start:end]:
            if len(leaders) < depth:
                heapq.heappush(leaders, one)
            elif one > leaders[0]:
                heapq.heapreplace(leaders, one)
        if len(leaders) == depth:
            needed[start:end] = leaders[0]
        start = end
    mask = np.zeros(len(released), dtype=bool)
    mask[order] = size >= needed
    return mask


def dominance(
    year: FloatArray, value: FloatArray, *, columns: BoolArray | NDArray[np.int64] | None = None
) -> NDArray[np.float32]:
    """Return a matrix, shape (n, m), with 1 at (i, j) if row j is no later than row i and strictly larger.

    ``columns`` are the rows i of interest, as a mask of shape (n,) or as indices; all by default.
    """
    late = year if columns is None else year[columns]
    large = value if columns is None else value[columns]
    return ((year[:, None] <= late[None, :]) & (value[:, None] > large[None, :])).astype(np.float32)


NEGLIGIBLE = 1e-12
BLOCK_COLUMNS = 32


@dataclass(frozen=True, kw_only=True, eq=False)
class Contest:
    """Rows that can lead, and the rows ahead of each of them, prepared for many draws.

    A row leads in as many copies as are drawn and rank within the ``top``; drawn twice, it takes two places. A draw
    consists of units: single rows or whole clusters. ``contenders`` are the rows that may lead and ``unit`` the unit
    each belongs to, shape (m,). Each of ``blocks`` has, for a run of contenders, the units that can be ahead of them
    and how many rows of each are.
    """

    contenders: NDArray[np.int64]
    unit: IntArray
    blocks: tuple[tuple[slice, NDArray[np.int64], NDArray[np.float32]], ...]
    top: int

    @classmethod
    def between(
        cls,
        year: FloatArray,
        value: FloatArray,
        *,
        top: int,
        inside: BoolArray,
        cluster: IntArray | None = None,
    ) -> Self:
        """Return the contest among the rows in the mask ``inside``, shape (n,).

        ``cluster`` numbers the clusters that are drawn whole, without gaps, shape (n,); without it rows are drawn one
        by one. In that case, a row with so many rows ahead that a draw misses enough of them with a probability below
        1e-12 is not a contender (a Poisson bound of the binomial). Pairs of rows are compared in blocks.
        """
        unit = np.arange(len(year)) if cluster is None else cluster
        by_unit = np.argsort(unit, kind="stable")
        first_of_unit = np.searchsorted(unit[by_unit], np.arange(unit.max(initial=-1) + 1))

        def ahead_of(rows: NDArray[np.int64]) -> NDArray[np.float32]:
            """Return how many rows of each unit are ahead of each given row, shape (units, rows)."""
            ahead = dominance(year, value, columns=rows)
            return ahead if cluster is None else np.add.reduceat(ahead[by_unit], first_of_unit, axis=0)

        contenders = np.flatnonzero(inside)
        if cluster is None and len(contenders):
            counts = [
                ahead_of(contenders[columns]).sum(axis=0, dtype=np.float64)
                for columns in _blocks(len(contenders))
            ]
            contenders = contenders[pdtr(top - 1, np.concatenate(counts)) > NEGLIGIBLE]
        contenders = contenders[np.lexsort((value[contenders], year[contenders]))]
        blocks = []
        for columns in _blocks(len(contenders)):
            ahead = ahead_of(contenders[columns])
            units = np.flatnonzero(ahead.any(axis=1))
            blocks.append((columns, units, np.ascontiguousarray(ahead[units])))
        return cls(contenders=contenders, unit=unit[contenders], blocks=tuple(blocks), top=top)

    def copies(self, weights: NDArray[np.integer] | NDArray[np.floating]) -> NDArray[np.float32]:
        """Return how many copies of each contender lead in each draw, shape (draws, m).

        ``weights`` is how often each unit is drawn, shape (draws, units).
        """
        weights = weights.astype(np.float32)
        own = weights[:, self.unit]
        leading = np.empty_like(own)
        for columns, units, ahead in self.blocks:
            places = self.top - product(weights[:, units], ahead)
            np.minimum(places, own[:, columns], out=leading[:, columns])
        return np.maximum(leading, 0, out=leading)


def _blocks(count: int) -> Iterator[slice]:
    """Yield slices that divide ``count`` columns into blocks of a few columns."""
    return (slice(start, start + BLOCK_COLUMNS) for start in range(0, count, BLOCK_COLUMNS))
