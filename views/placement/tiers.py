"""Two tiers on /placement: a small model at the edge, and a cloud for the other requests."""

import math
from collections.abc import Iterator

from analysis.placement.tiers import SplitCost, split_cost
from charts.chart import Axis, Line, Mark, Points, Tick
from views import wording
from views.exhibits import ValueAxis, xy_exhibit
from views.placement.amounts import usd
from views.placement.answer import PlacementAnswer
from views.placement.figures import COLUMNS
from views.result import Exhibit
from views.table import along, stated_columns, table

ALL = 0.99
"""Share at the edge above which a split is cheaper only because the rest needs no cloud. [1]"""
FIFTHS = tuple(Tick(value=k / 5, label=f"{20 * k}%") for k in range(6))


def tiers_exhibit(answer: PlacementAnswer, *, source: str) -> Exhibit | None:
    """Return an exhibit of a split's cost by share of requests at the edge. None if a tier has no adequate place.

    Hardware is that of the median trend in the chosen year, as for the chosen model.
    """
    inputs, tiers = answer.inputs, answer.tiers
    places, own = tiers.places, tiers.own_share
    if places.at_edge is None or places.at_cloud is None:
        return None
    split, alone = split_cost(tiers), places.alone_usd
    place = inputs.labels[places.at_edge].named(brief=True)
    escalation = (
        f"Every request is tried on {place} first, and that attempt is always paid for"
        if tiers.tried_first
        else "A router decides beforehand, and its own cost is not counted"
    )
    points = zip(split.kept.tolist(), split.cost_usd.tolist(), strict=True)
    kept, cost = zip(*((share, usd) for share, usd in points if math.isfinite(usd)), strict=True)
    columns = stated_columns(
        COLUMNS["tiers"],
        share_kept_on_edge=along(split.kept),
        cost_usd_per_1000_requests=along(split.cost_usd),
        cloud_alone_usd_per_1000_requests=lambda _: alone,
        edge_usd_per_1000_requests=along(split.edge_usd),
        time_to_first_token_s=along(split.first_s),
    )
    return xy_exhibit(
        (
            _line("Cloud only", x=(0.0, 1.0), y=(alone, alone)),
            _line("Two tiers", x=kept, y=cost),
            *_spots(split, own_share=own),
        ),
        title=f"Answering {wording.percent(own)} of requests on {place} costs "
        f"{wording.times(split.mine_usd / alone)} as much as answering all of them in the cloud; {_paying(split)}",
        subtitle=f"{answer.small.model} answers that share on {place}; {inputs.model} answers the rest on "
        f"{wording.a(inputs.names[places.at_cloud])}. {escalation}. We do not measure whether the small model's "
        "answers are good enough.",
        source=source,
        x=Axis(title="Requests answered at the edge", low=-0.02, high=1.15, ticks=FIFTHS),
        y=ValueAxis(title="Cost per 1,000 requests", word=lambda value: f"${value:g}", span=(0.0,)),
        numbers=table(
            columns, [i for i, share in enumerate(split.kept.tolist()) if not i or _in_table(share, own=own)]
        ),
    )


def _line(series: str, *, x: tuple[float, ...], y: tuple[float, ...]) -> Line:
    role, dash = ("context", "dotted") if series == "Cloud only" else ("edge", "solid")
    return Line(series=series, role=role, x=x, y=y, dash=dash, end_label=(series,))


def _in_table(kept: float, *, own: float) -> bool:
    """Return whether the table has a row for a share, that is, whether it is a multiple of 5% or the reader's own."""
    return any(math.isclose(kept, share, abs_tol=1e-8) for share in (round(kept * 20) / 20, own))


def why_not(answer: PlacementAnswer) -> str | None:
    """Return a sentence on why no two-tier split is drawn. None if a split is drawn."""
    if not (answer.question.rented & answer.question.allowed).any():
        return "Two tiers are impossible: the cloud is ruled out, so no request can be passed on to it."
    places = answer.tiers.places
    if places.at_cloud is None:
        return "Two tiers are impossible: no cloud meets the targets for the remaining requests."
    if places.at_edge is None:
        return f"Two tiers are impossible: no edge hardware meets the targets even with {answer.small.model}."
    return None


def _paying(split: SplitCost) -> str:
    pays = split.pays_from
    if pays is None:
        return "no share saves money"
    if pays > ALL:
        return "only keeping all requests at the edge saves money"
    if pays <= split.kept[0]:
        return "any share saves money"
    return f"a share of {wording.percent(round(pays, 2))} or more saves money"


def _spots(split: SplitCost, *, own_share: float) -> Iterator[Mark]:
    """Yield the reader's own share and the break-even share as marked points."""
    mine, pays = split.mine_usd, split.pays_from
    spots = [("Your share", own_share, mine, f"{wording.percent(own_share)}: {usd(mine)}")]
    if pays is not None and split.kept[0] < pays <= ALL:
        label = f"cheaper from {wording.percent(round(pays, 2))}"
        spots.append(("Break-even", pays, split.alone_usd, label))
    for name, x, y, label in spots:
        if math.isfinite(y):
            yield Points(
                series=name,
                role="edge" if name == "Your share" else "context",
                x=(x,),
                y=(y,),
                names=(name,),
                details=((label,),),
                marked=((0, label),),
                hollow=name != "Your share",
            )
