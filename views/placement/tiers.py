"""Two tiers on /placement: a small model at the edge answers a share of requests, a cloud the rest."""

from collections.abc import Iterator

import numpy as np

from analysis.placement.tiers import SplitCost, TierPlaces, Tiers, split_cost, tier_places
from charts.chart import Axis, Line, Mark, Points, Tick
from views import wording
from views.exhibits import ValueAxis, xy_exhibit
from views.placement.amounts import usd
from views.placement.answer import PlacementAnswer
from views.placement.inputs import PlacementInputs, inputs_of
from views.placement.places_exhibit import finite
from views.result import Exhibit, Table
from views.table import Getter, column, table

ALL = 0.99
"""Beyond this share a split pays only because nothing is left for which a cloud must be kept."""
FIFTHS = tuple(Tick(value=k / 5, label=f"{20 * k} %") for k in range(6))


def tiers_exhibit(answer: PlacementAnswer, *, source: str) -> Exhibit | None:
    """Return what a split in two tiers costs by share kept at the edge; None where no edge or no cloud will do.

    Hardware is that of the middle expectation in the chosen year, as for the work's own model.
    """
    inputs = answer.inputs
    small, tiers, places = _tiers(answer)
    if places.at_edge is None or places.at_cloud is None:
        return None
    alone = float(places.whole.cost_usd[0, places.at_cloud])
    split = split_cost(tiers, at_edge=places.at_edge, at_cloud=places.at_cloud, alone_usd=alone)
    place = inputs.named(places.at_edge, brief=True)
    escalation = (
        "Every request is tried at the edge first, so the edge is paid for all of them"
        if tiers.tried_first
        else "A router knows beforehand which to send on, and its own cost is not counted"
    )
    shown = np.isfinite(split.cost_usd)
    kept, cost = tuple(split.kept[shown].tolist()), tuple(split.cost_usd[shown].tolist())
    return xy_exhibit(
        (
            Line(
                series="Cloud alone",
                role="context",
                x=(0.0, 1.0),
                y=(alone, alone),
                dash="dotted",
                end_label=("Cloud alone",),
            ),
            Line(series="Two tiers", role="edge", x=kept, y=cost, end_label=("Two tiers",)),
            *_spots(split, own_share=tiers.own_share),
        ),
        title=f"{wording.percent(tiers.own_share)} of requests on {place}: {usd(split.mine_usd)} per 1,000, "
        f"{usd(alone)} in the cloud alone; {_paying(split)}",
        subtitle=f"Cost per 1,000 requests by share answered at the edge: {small.model} on {place}, the rest "
        f"by {inputs.model} on {inputs.names[places.at_cloud]}. {escalation}; whether the small "
        "model's answers are good enough is not measured here.",
        source=source,
        x=Axis(title="Requests answered at the edge", low=-0.02, high=1.15, ticks=FIFTHS),
        y=ValueAxis(
            title="Cost per 1,000 requests", word=lambda value: f"${value:g}", span=(0.0, alone, *cost)
        ).over(()),
        numbers=_table(split, own_share=tiers.own_share),
    )


def why_not(answer: PlacementAnswer) -> str | None:
    """Return why no split in two tiers is drawn, None where one is."""
    if not np.any(answer.question.rented & answer.question.allowed):
        return "No two-tier split: the cloud is ruled out, so no request could be passed on to it."
    small, _, places = _tiers(answer)
    if places.at_cloud is None:
        return "No two-tier split: no cloud meets the targets for the remaining requests."
    if places.at_edge is None:
        return f"No two-tier split: no edge hardware meets the targets even with {small.model}."
    return None


def _tiers(answer: PlacementAnswer) -> tuple[PlacementInputs, Tiers, TierPlaces]:
    settings = answer.settings
    small = inputs_of(settings, answer.release, model=settings.usual("edge_model"))
    tiers = Tiers(
        small=small.question,
        whole=answer.question,
        share=settings.number("kept_on_edge") / 100,
        tried_first=settings.split != "before",
    )
    return small, tiers, tier_places(tiers)


def _paying(split: SplitCost) -> str:
    pays = split.pays_from
    if pays is None:
        return "no share saves money"
    if pays > ALL:
        return "it saves money only if all stay there"
    if pays <= split.kept[0]:
        return "any share saves money"
    return f"saves money from {wording.percent(round(pays, 2))}"


def _spots(split: SplitCost, *, own_share: float) -> Iterator[Mark]:
    """Yield the reader's own share and the break-even, each as a marked point."""
    mine, pays = split.mine_usd, split.pays_from
    spots = [("Your share", own_share, mine, f"{wording.percent(own_share)}: {usd(mine)}")]
    if pays is not None and split.kept[0] < pays <= ALL:
        label = f"cheaper from {wording.percent(round(pays, 2))}"
        spots.append(("Break-even", pays, split.alone_usd, label))
    for name, x, y, label in spots:
        if np.isfinite(y):
            yield Points(
                series=name,
                role="edge" if name == "Your share" else "context",
                x=(float(x),),
                y=(float(y),),
                names=(name,),
                details=((label,),),
                marked=((0, label),),
                hollow=name != "Your share",
            )


def _table(split: SplitCost, *, own_share: float) -> Table:
    """Return the split at every twentieth, the least share and the reader's own."""
    kept = split.kept
    every = np.isclose(np.round(kept * 20) / 20, kept) | np.isclose(kept, own_share) | (kept == kept[0])
    cost, edge = "cost_usd_per_1000_requests", "edge_usd_per_1000_requests"
    columns: tuple[Getter[int], ...] = (
        column("share_kept_on_edge", lambda k: float(kept[k]), label="Answered at the edge", unit="1"),
        column(cost, finite(split.cost_usd), label="Two tiers, per 1,000", unit="USD"),
        column(
            "cloud_alone_usd_per_1000_requests",
            lambda _: split.alone_usd,
            label="Cloud alone, per 1,000",
            unit="USD",
        ),
        column(edge, finite(split.edge_usd), label="Edge, per 1,000 it sees", unit="USD"),
        column(
            "time_to_first_token_s",
            finite(split.first_s),
            label="Mean time to first token that counts",
            unit="s",
        ),
    )
    return table(columns, np.flatnonzero(every).tolist())
