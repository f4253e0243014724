"""Published speeds of one request against the floor of the same model on the same chips."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.latency_floor.enough_chips import Placed


@dataclass(frozen=True, kw_only=True)
class PublishedSpeed:
    """A published speed of one request and the floor it is held against, which counts no drafts. [tokens/s]

    ``tensor`` chips share each layer in ``stages``: those of the source, or as many as are enough. ``today`` is what
    today's latencies would allow, NaN where none are known.
    """

    model: str
    chip: str
    chips_stated: bool
    tensor: int
    stages: int
    weights: str
    context_tokens: float
    drafts: str
    published: float
    at_best: float
    today: float
    note: str
    source_id: str

    @property
    def share(self) -> float:
        """Return the published speed over the best that the floor allows. [1]"""
        return self.published / self.at_best

    @property
    def share_of_today(self) -> float:
        """Return the published speed over what today's latencies allow, NaN where none are known. [1]"""
        return self.published / self.today

    @property
    def may_exceed(self) -> bool:
        """Return whether the speed may lie beyond a floor without drafts, since drafts were used."""
        return self.drafts == "used"


def published_speed(row: Mapping[str, Any], placed: Placed) -> PublishedSpeed:
    """Return a row of published speeds beside the floor of its model on its chips.

    Where the source does not say how many chips share a layer, as many as are enough; wafers hold whole layers.
    """
    stated = row["n_chips"] == row["n_chips"]
    tensor = int(row["n_chips"]) if stated else _usual(placed)
    needed = float(placed.stages(tensor=tensor))
    stages = int(needed) if np.isfinite(needed) else 1
    return PublishedSpeed(
        model=row["model"],
        chip=placed.name,
        chips_stated=stated,
        tensor=tensor,
        stages=stages,
        weights=row["weights"],
        context_tokens=float(row["context_tokens"]),
        drafts=row["drafts"],
        published=float(row["output_tokens_per_s"]),
        at_best=1 / float(placed.floor(tensor=tensor, stages=stages).total_s),
        today=1 / float(placed.today_s(tensor=tensor, stages=stages)),
        note=row["note"],
        source_id=row["source_id"],
    )


def _usual(placed: Placed) -> int:
    """Return how many chips are taken to share a layer where a source does not say."""
    if placed.chip.mesh is not None and np.isfinite(placed.stages(tensor=1)):
        return 1
    return placed.best or 1


def ordered(speeds: Iterable[PublishedSpeed]) -> tuple[PublishedSpeed, ...]:
    """Return the speeds without drafts first, the nearest to their floor first."""
    return tuple(sorted(speeds, key=lambda speed: (speed.may_exceed, -speed.share)))
