"""Two tiers on /placement: a small model at the edge answers a share of requests, a cloud the rest."""

from dataclasses import dataclass

import numpy as np

from analysis.placement.places import RENTED, TODAY, Growth
from analysis.placement.setup import allowed
from analysis.placement.tiers import blended, break_even
from analysis.placement.verdict import Standing
from charts.chart import Axis, Line, Mark, Points, Tick, XYChart
from data.releases import Release
from views import wording
from views.axes import linear_axis
from views.placement.by_load import some, stand
from views.placement.inputs import Inputs, inputs
from views.placement.settings import PlacementSettings
from views.placement.table import usd
from views.result import Column, Exhibit, Table

LEAST = 0.01
"""The smallest share a router sends to the edge: a machine for no requests has no cost per request."""
ALL = 0.99
"""Beyond this share a split pays only because nothing is left for which a cloud must be kept."""


def tiers_exhibit(
    settings: PlacementSettings, release: Release, found: Inputs, *, source: str, growth: Growth = TODAY
) -> Exhibit | None:
    """Return what a split in two tiers costs by share kept at the edge; None where no edge or no cloud will do.

    ``growth`` is that of the middle expectation in the chosen year, as for the work's own model.
    """
    sides = _sides(settings, release, found, growth)
    if sides.at_edge is None or sides.at_cloud is None:
        return None
    small, whole, at_edge, at_cloud = sides.small, sides.whole, sides.at_edge, sides.at_cloud
    tried_first, own_share = _tried_first(settings), _own_share(settings)
    kept = np.unique(np.append(np.linspace(0.0 if tried_first else LEAST, 1.0, 101), own_share))
    seen = np.ones_like(kept) if tried_first else kept
    edge = stand(*_alone(small, growth, at_edge), seen)
    cloud = stand(*_alone(found, growth, at_cloud), np.maximum(1.0 - kept, LEAST))
    answer_s = float(np.max(small.work.output_tokens)) * edge.token_s[:, 0]
    cost = blended(kept, edge=edge.cost_usd[:, 0], cloud=cloud.cost_usd[:, 0], tried_first=tried_first)
    wait = _first(kept, edge.first_s[:, 0], answer_s, cloud.first_s[:, 0], tried_first=tried_first)
    alone = float(whole.cost_usd[0, at_cloud])
    pays = break_even(kept, cost=cost, alone=alone)
    place = wording.a(found.places.name[at_edge].partition(" (")[0])
    mine = float(np.interp(own_share, kept, cost))
    title = (
        f"Keeping {wording.percent(own_share)} of requests on {place} costs {usd(mine)} per 1,000 against "
        f"{usd(alone)} in the cloud; {_paying(pays, least=float(kept[0]))}"
    )
    return Exhibit(
        chart=_chart(
            title,
            kept,
            cost,
            alone=alone,
            own=(own_share, mine),
            pays=pays,
            subtitle=f"Cost per 1,000 requests by share answered at the edge: {small.model} on {place}, the rest "
            f"by {found.model} on {found.places.name[at_cloud]}. {_escalation(tried_first)}; whether the small "
            "model's answers are good enough is not measured here.",
            source=source,
        ),
        table=_table(kept, cost, wait, alone=alone, own=own_share, edge=edge.cost_usd[:, 0]),
    )


def why_not(
    settings: PlacementSettings, release: Release, found: Inputs, *, growth: Growth = TODAY
) -> str | None:
    """Return why no split in two tiers is drawn, None where one is."""
    if not np.any(found.places.is_kind(RENTED) & allowed(found.places, found.requirements)):
        return "No split in two tiers is drawn: a cloud is ruled out, so nothing could be sent on to it."
    sides = _sides(settings, release, found, growth)
    if sides.at_cloud is None:
        return "No split in two tiers is drawn: no cloud meets what is asked of the rest."
    if sides.at_edge is None:
        model = sides.small.model
        return f"No split in two tiers is drawn: no place at the edge meets what is asked even with {model}."
    return None


@dataclass(frozen=True, kw_only=True)
class _Sides:
    """The small model at the edge and the work's own in a cloud, with the cheapest place of each that will do."""

    small: Inputs
    whole: Standing
    at_edge: int | None
    at_cloud: int | None


def _sides(settings: PlacementSettings, release: Release, found: Inputs, growth: Growth) -> _Sides:
    small, whole = (
        inputs(settings, release, model=settings.usual("edge_model")),
        stand(found, growth, np.ones(1)),
    )
    rented, may = found.places.is_kind(RENTED), allowed(found.places, found.requirements)
    seen = np.array([1.0 if _tried_first(settings) else _own_share(settings)])
    sure = settings.sure / 100
    return _Sides(
        small=small,
        whole=whole,
        at_edge=stand(small, growth, seen).cheapest(~rented & may, sure=sure),
        at_cloud=whole.cheapest(rented & may, sure=sure),
    )


def _tried_first(settings: PlacementSettings) -> bool:
    return settings.split != "before"


def _own_share(settings: PlacementSettings) -> float:
    return max(settings.number("kept_on_edge") / 100, 0.0 if _tried_first(settings) else LEAST)


def _alone(of: Inputs, growth: Growth, place: int) -> tuple[Inputs, Growth]:
    """Return the inputs and the growth of one place."""
    return some(of, growth, np.arange(len(of.places)) == place)


def _first(kept, edge_s, answer_s, cloud_s, *, tried_first: bool) -> np.ndarray:
    """Return the mean time to the first token that counts: escalated requests wait for the whole try before. [s]"""
    before = edge_s + answer_s if tried_first else 0.0
    return np.where(kept > 0, kept * edge_s, 0.0) + np.where(kept < 1, (1 - kept) * (before + cloud_s), 0.0)


def _paying(pays: float | None, *, least: float) -> str:
    if pays is None:
        return "no share pays"
    if pays > ALL:
        return "it pays only if all stay there"
    return "every share pays" if pays <= least else f"it pays from {wording.percent(round(pays, 2))}"


def _escalation(tried_first: bool) -> str:
    return (
        "Every request is tried at the edge first, so the edge is paid for all of them"
        if tried_first
        else "A router knows beforehand which to send on, and its own cost is not counted"
    )


def _chart(title, kept, cost, *, alone, own, pays, subtitle, source) -> XYChart:
    shown = np.isfinite(cost)
    marks: list[Mark] = [
        Line(
            series="Cloud alone",
            role="context",
            x=(0.0, 1.0),
            y=(alone, alone),
            dash="dotted",
            end_label=("Cloud alone",),
        ),
        Line(
            series="Two tiers",
            role="edge",
            x=tuple(kept[shown].tolist()),
            y=tuple(cost[shown].tolist()),
            end_label=("Two tiers",),
        ),
    ]
    spots = [(own[0], own[1], "Your share", f"{wording.percent(own[0])}: {usd(own[1])}")]
    if pays is not None and kept[0] < pays <= ALL:
        spots.append((pays, alone, "Break-even", f"pays from {wording.percent(round(pays, 2))}"))
    spots = [spot for spot in spots if np.isfinite(spot[1])]
    for x, y, name, label in spots:
        marks.append(
            Points(
                series=name,
                role="edge" if name == "Your share" else "context",
                x=(float(x),),
                y=(float(y),),
                names=(name,),
                details=((label,),),
                marked=((0, label),),
                hollow=name != "Your share",
            )
        )
    ticks = tuple(Tick(value=k / 5, label=f"{20 * k} %") for k in range(6))
    return XYChart(
        title=title,
        subtitle=subtitle,
        alt=f"{title}.",
        source=source,
        x=Axis(title="Share of requests answered at the edge", low=-0.02, high=1.15, ticks=ticks),
        y=linear_axis("Cost per 1,000 requests", [0.0, alone, *cost[shown].tolist()], lambda v: f"${v:g}"),
        marks=tuple(marks),
    )


def _table(kept, cost, wait, *, alone, own, edge) -> Table:
    every = np.isclose(np.round(kept * 20) / 20, kept) | np.isclose(kept, own) | (kept == kept[0])

    def known(value: float) -> float | None:
        return float(value) if np.isfinite(value) else None

    return Table(
        columns=(
            Column(name="share_kept_on_edge", label="Answered at the edge", unit="1"),
            Column(name="cost_usd_per_1000_requests", label="Two tiers, per 1,000", unit="USD"),
            Column(name="cloud_alone_usd_per_1000_requests", label="Cloud alone, per 1,000", unit="USD"),
            Column(name="edge_usd_per_1000_requests", label="Edge, per 1,000 it sees", unit="USD"),
            Column(name="time_to_first_token_s", label="Mean time to first token that counts", unit="s"),
        ),
        rows=tuple(
            (float(kept[k]), known(cost[k]), alone, known(edge[k]), known(wait[k]))
            for k in np.flatnonzero(every)
        ),
    )
