"""Published single-request speeds compared with the floor for the same model on the same chips."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.latency_floor.enough_chips import Placed


@dataclass(frozen=True, kw_only=True)
class PublishedSpeed:
    """A published single-request speed, and the floor to compare it with. [tokens/s]

    ``tensor`` chips share each layer in ``stages``, as published or else as many as are enough. ``today`` is the speed
    that current latencies would allow, NaN if unknown.
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
        """Return the published speed divided by the maximum speed that the floor allows. [1]"""
        return self.published / self.at_best

    @property
    def share_of_today(self) -> float:
        """Return the published speed divided by the speed at current latencies. NaN if unknown. [1]"""
        return self.published / self.today

    @property
    def may_exceed(self) -> bool:
        """Return whether speculative decoding was used, so that the speed may exceed what the floor allows."""
        return self.drafts == "used"


def published_speed(row: Mapping[str, Any], placed: Placed) -> PublishedSpeed:
    """Return the published speed in a row, with the floor for its model and chips.

    If the source does not state how many chips share a layer, enough are assumed; wafers store whole layers.
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
    """Return the assumed number of chips per layer for a source that does not state it."""
    if placed.chip.mesh is not None and np.isfinite(placed.stages(tensor=1)):
        return 1
    return placed.best or 1


def ordered(speeds: Iterable[PublishedSpeed]) -> tuple[PublishedSpeed, ...]:
    """Return the speeds without speculative decoding, then the others, in each group the closest to its floor first."""
    return tuple(sorted(speeds, key=lambda speed: (speed.may_exceed, -speed.share)))
