"""How near published speeds come to the floor of the same model on the same chips."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.latency_floor.floor import Chip, Request, latency_floor, stages_needed
from charts.chart import Bar, BarChart
from data import sources, standing
from data.releases import Release
from views import wording
from views.axes import linear_axis
from views.chips.linked import NAMES, linked_chip
from views.kept import kept
from views.latency_floor.exhibits import Case
from views.models import decoder, slug
from views.result import Column, Exhibit, Table


@dataclass(frozen=True, kw_only=True)
class Speed:
    """A published speed of one request and the floor it is held against, which counts no drafts. [tokens/s]

    ``tensor`` chips share each layer in ``stages``: those of the source, or as many as are enough.
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
    note: str
    address: str

    @property
    def share(self) -> float:
        """Return the published speed over the best that the floor allows. [1]"""
        return self.published / self.at_best

    @property
    def may_exceed(self) -> bool:
        """Return whether the speed may lie beyond a floor without drafts, since drafts were used."""
        return self.drafts == "used"


@kept
def speeds(release: Release) -> tuple[Speed, ...]:
    """Return the published speeds on chips that the release knows, those without drafts first, nearest first."""
    found = []
    for row in standing.table("published_speeds").to_dict("records"):
        chip = linked_chip(row["chip"], release, weight_byte=float(row["weight_byte"]))
        if chip is not None:
            found.append(_speed(row, case=_case(row, chip)))
    return tuple(sorted(found, key=lambda speed: (speed.may_exceed, -speed.share)))


def _case(row: dict[str, Any], chip: Chip) -> Case:
    request = Request(context_tokens=float(row["context_tokens"]), weight_byte=float(row["weight_byte"]))
    return Case(name=NAMES[row["chip"]], chip=chip, model=decoder(slug(row["architecture"])), request=request)


def _speed(row: dict[str, Any], *, case: Case) -> Speed:
    stated = row["n_chips"] == row["n_chips"]
    tensor = int(row["n_chips"]) if stated else case.best or 1
    needed = float(stages_needed(case.model, case.request, chip=case.chip, tensor_parallel=tensor))
    stages = int(needed) if np.isfinite(needed) else 1
    floor = latency_floor(
        case.model,
        case.request,
        chip=case.chip,
        tensor_parallel=tensor,
        pipeline_parallel=stages,
    )
    return Speed(
        model=row["model"],
        chip=case.name,
        chips_stated=stated,
        tensor=tensor,
        stages=stages,
        weights=row["weights"],
        context_tokens=float(row["context_tokens"]),
        drafts=row["drafts"],
        published=float(row["output_tokens_per_s"]),
        at_best=1 / float(floor.total_s),
        note=row["note"],
        address=sources.address(row["source_id"]),
    )


def reach(found: Sequence[Speed]) -> str:
    """Return how much of their floors speeds without known drafts reach: 4–78 %; empty where there are none."""
    shares = sorted(speed.share for speed in found if not speed.may_exceed)
    if not shares:
        return ""
    low, high = (wording.percent(_two_digits(share)) for share in (shares[0], shares[-1]))
    return low if low == high else wording.interval(low.removesuffix(" %"), high)


def _two_digits(share: float) -> float:
    """Return a share to two digits, so that it is told as 5.2 % and 78 %."""
    return float(f"{share:.2g}")


def published_exhibit(release: Release, *, source: str) -> Exhibit | None:
    """Return published speeds as shares of their floors; None where the release knows none of their chips."""
    found = speeds(release)
    held = [speed for speed in found if not speed.may_exceed]
    if not held:
        return None
    beyond = [speed for speed in held if speed.share > 1]
    title = (
        f"{len(beyond)} of {len(held)} published speeds without known drafts lie beyond our floor"
        if beyond
        else f"None of {len(held)} published speeds without known drafts lies beyond the floor; they reach "
        f"{reach(held)} of it"
    )
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle="Published tokens a second of one request, as a share of what the floor without drafts allows the "
            "same model on the same chips. Those with drafts may exceed it.",
            alt=f"{title}.",
            source=source,
            x=linear_axis("Share of the floor's speed", [0.0, 1.0, *(s.share for s in found)], _share_tick),
            base=0.0,
            bars=tuple(
                Bar(
                    label=f"{speed.model}, {speed.chip}{', drafts' if speed.may_exceed else ''}",
                    value=speed.share,
                    text=f"{wording.percent(_two_digits(speed.share))} of {wording.significant(speed.at_best)}",
                    role="context" if speed.may_exceed else "memory",
                )
                for speed in found
            ),
        ),
        table=Table(
            columns=(
                Column(name="model", label="Model", kind="text"),
                Column(name="chip", label="Chip", kind="text"),
                Column(name="published_tokens_per_s", label="Published", unit="tokens/s"),
                Column(name="floor_tokens_per_s", label="At best, without drafts", unit="tokens/s"),
                Column(name="share", label="Share", unit="1"),
                Column(name="drafts", label="Drafts", kind="text"),
                Column(name="tensor_parallel", label="Chips a layer"),
                Column(name="chips_stated", label="Chips are", kind="text"),
                Column(name="pipeline_parallel", label="Stages"),
                Column(name="weights", label="Weights", kind="text"),
                Column(name="context_tokens", label="Context", unit="token"),
                Column(name="note", label="Note", kind="text"),
                Column(name="source", label="Source", kind="link"),
            ),
            rows=tuple(
                (
                    speed.model,
                    speed.chip,
                    speed.published,
                    speed.at_best,
                    speed.share,
                    speed.drafts,
                    speed.tensor,
                    "stated" if speed.chips_stated else "as many as are enough",
                    speed.stages,
                    speed.weights,
                    speed.context_tokens,
                    speed.note,
                    speed.address,
                )
                for speed in found
            ),
        ),
    )


def _share_tick(value: float) -> str:
    return f"{100 * value:g} %"
