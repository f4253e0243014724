"""The map of /placement: which place is the cheapest that meets what is asked, by model size and load or context."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from analysis.arrays import FloatArray
from analysis.placement.cheapest import Cheapest, cheapest
from analysis.placement.places import OWNED, PERSONAL, RENTED, Places
from analysis.placement.work import Work, busier, resized, with_contexts_of
from charts.chart import PALEST_TONE, Axis, MapChart, MapChoice, MapPoint, Tick
from views import wording
from views.placement.amounts import ROLES, count
from views.placement.answer import PlacementAnswer
from views.placement.inputs import PlacementInputs, work
from views.placement.settings import PlacementSettings
from views.placement.workload import FIRST_YEAR
from views.result import Exhibit, Table
from views.table import Getter, column, table

CELLS = 40
SIZES = (0.5e9, 1e12)
KINDS = {PERSONAL: "person's own device", OWNED: "on-premises machine", RENTED: "cloud"}
NOTHING = "No option meets all targets"


@dataclass(frozen=True, kw_only=True)
class _Cell:
    """One cell of the map: where it lies, which place wins it at what cost, and that place's share of all cells."""

    n_parameters: float
    up: float
    place: str | None
    cost_usd: float
    share: float


@dataclass(frozen=True, kw_only=True)
class _Side:
    """The vertical side of the map: its title, ends and ticks, and the ``unit`` after a number of that side.

    ``column`` is its own in the table.
    """

    title: str
    ends: tuple[float, float]
    ticks: Sequence[float]
    unit: str
    column: Getter[_Cell]


SIDES = {
    "context": _Side(
        title="Cached context, tokens",
        ends=(256.0, 262_144.0),
        ticks=[256.0 * 4**step for step in range(6)],
        unit="cached tokens",
        column=column("kept_tokens", lambda cell: cell.up, label="Cached context", unit="tokens"),
    ),
    "requests": _Side(
        title="Requests a day",
        ends=(1.0, 1e7),
        ticks=[10.0**step for step in range(8)],
        unit="requests a day",
        column=column("requests_per_day", lambda cell: cell.up, label="Requests a day", unit="1/day"),
    ),
}


def _cells(ends: tuple[float, float]) -> tuple[FloatArray, FloatArray]:
    """Return the edges and the middles of the cells between two ends."""
    edges = np.geomspace(*ends, CELLS + 1)
    edges[0], edges[-1] = ends
    return edges, np.sqrt(edges[1:] * edges[:-1])


def _axis(title: str, ends: tuple[float, float], *, ticks: Sequence[float]) -> Axis:
    marks = tuple(Tick(value=value, label=count(value)) for value in ticks)
    return Axis(title=title, scale="log", low=ends[0], high=ends[1], ticks=marks)


def _works(
    settings: PlacementSettings, inputs: PlacementInputs, *, sizes: FloatArray, up: FloatArray
) -> Work:
    """Return the work of every cell, the lowest row first, shapes (cells, 1) and (cells, places)."""
    times = np.tile(sizes / inputs.n_parameters, len(up))[:, None]
    works, rows = resized(inputs.question.work, times), np.repeat(up, len(sizes))[:, None]
    if settings.map != "context":
        return busier(works, rows)
    _, usual = work(settings)
    rows_of = [work(replace(settings, kept=round(kept)))[1] for kept in up.tolist()]
    others = [other for other in rows_of for _ in sizes]
    return with_contexts_of(works, others, usual=usual)


def _choices(
    inputs: PlacementInputs, won: NDArray[np.intp]
) -> tuple[tuple[MapChoice, ...], NDArray[np.intp]]:
    """Return the choices that win a cell, and the choice of each place, the last one that of nothing.

    Of one kind, the winners of most cells have a colour of their own; where they are more than there are tones, the
    rest share the palest.
    """
    places, names = inputs.question.places, inputs.names
    counts = np.bincount(won[won >= 0], minlength=len(places))
    of = np.full(len(places) + 1, -1)
    choices: list[MapChoice] = []
    for kind, role in ROLES.items():
        winners = [place for place in np.flatnonzero(places.is_kind(kind)) if counts[place]]
        winners.sort(key=lambda place: -counts[place])
        crowded = len(winners) > PALEST_TONE + 1
        for tone, place in enumerate(winners):
            if crowded and tone >= PALEST_TONE:
                of[place] = len(choices) - (tone > PALEST_TONE)
                label = f"Others: {KINDS[kind]}"
                if tone > PALEST_TONE:
                    continue
            else:
                of[place], label = len(choices), wording.sentence_case(names[place])
            choices.append(MapChoice(label=label, role=role, tone=tone))
    if (won < 0).any():
        of[-1] = len(choices)
        choices.append(MapChoice(label=NOTHING, role="context", tone=PALEST_TONE, hatched=True))
    return tuple(choices), of


def _share(count: int, of: int) -> str:
    share = 100 * count / of
    return "less than 1 %" if share < 1 else "more than 99 %" if 99 < share < 100 else f"{share:.0f} %"


def _title(places: Places, won: NDArray[np.intp]) -> str:
    kinds = np.array(places.kind)
    counts = {kind: int(np.sum(kinds[won[won >= 0]] == kind)) for kind in KINDS}
    ranked = sorted((kind for kind in KINDS if counts[kind]), key=lambda kind: -counts[kind])
    if not ranked:
        return "No option meets all targets anywhere on the map"
    first, *others = ranked
    start = f"{wording.sentence_case(wording.a(KINDS[first]))} is the cheapest option"
    if counts[first] == len(won):
        return f"{start} all over the map"
    shares = [f"{wording.a(KINDS[kind])} on {_share(counts[kind], len(won))}" for kind in others]
    none = int(np.sum(won < 0))
    shares += [f"no option meets all targets on {_share(none, len(won))}"] if none else []
    *before, last = [f"{start} on {_share(counts[first], len(won))} of the map", *shares]
    return f"{', '.join(before)} and {last}" if before else last


def _subtitle(settings: PlacementSettings, *, outside: bool) -> str:
    grows = (
        "the KV cache grows with the context"
        if settings.map == "context"
        else "the number of people grows with the requests"
    )
    text = (
        f"Cheapest option at least {settings.sure} % likely to meet all targets; log scales. Models keep the shape of "
        f"this task's model; {grows}."
    )
    if settings.year > FIRST_YEAR:
        text += f" Hardware and rents are the middle expectation for {settings.year}."
    return f"{text} This task lies outside the map." if outside else text


def cheapest_map_exhibit(answer: PlacementAnswer, *, source: str) -> Exhibit | None:
    """Return the cheapest place that meets what is asked over model size and requests a day, or context kept.

    None where there is no place at all. Every cell counts all draws of speed; hardware is that of the middle
    expectation in the chosen year.
    """
    settings, inputs = answer.settings, answer.inputs
    if not inputs.labels:
        return None
    side, own_size = SIDES[settings.map], inputs.n_parameters
    own = settings.number("kept" if settings.map == "context" else "requests")
    edges, sizes = _cells(SIZES)
    up_edges, up = _cells(side.ends)
    best = cheapest(replace(inputs.question, work=_works(settings, inputs, sizes=sizes, up=up)))
    inside = edges[0] <= own_size <= edges[-1] and up_edges[0] <= own <= up_edges[-1]
    choices, of = _choices(inputs, best.place)
    title = _title(inputs.question.places, best.place)
    alt = f"{title}."
    if inside:
        across, along = (
            min(int(np.searchsorted(ends, at, side="right")) - 1, CELLS - 1)
            for ends, at in ((edges, own_size), (up_edges, own))
        )
        winner = best.place[along * CELLS + across]
        name = inputs.names[winner] if winner >= 0 else wording.small_initial(NOTHING)
        alt += f" For this task: {name}."
    cells = _cells_of(best, inputs.names, sizes=sizes, up=up)
    chart = MapChart(
        title=title,
        subtitle=_subtitle(settings, outside=not inside),
        alt=alt,
        source=source,
        x=_axis("Model size, parameters", SIZES, ticks=[1e9, 1e10, 1e11, 1e12]),
        y=_axis(side.title, side.ends, ticks=side.ticks),
        x_edges=tuple(edges.tolist()),
        y_edges=tuple(up_edges.tolist()),
        choices=choices,
        cells=tuple(map(tuple, of[best.place].reshape(CELLS, CELLS).tolist())),
        details=tuple(
            tuple(_words(cell, side) for cell in cells[start : start + CELLS])
            for start in range(0, len(cells), CELLS)
        ),
        marked=MapPoint(x=own_size, y=own, label="this task") if inside else None,
    )
    return Exhibit(chart=chart, table=_table(cells, side))


def _cells_of(
    best: Cheapest, names: Sequence[str], *, sizes: FloatArray, up: FloatArray
) -> tuple[_Cell, ...]:
    """Return the cells of the map, the lowest row first."""
    count = Counter(best.place.tolist())
    cost = best.cost_usd_per_1000_requests
    return tuple(
        _Cell(
            n_parameters=float(sizes[cell % CELLS]),
            up=float(up[cell // CELLS]),
            place=names[int(place)] if place >= 0 else None,
            cost_usd=float(cost[cell]),
            share=count[place] / len(best.place),
        )
        for cell, place in enumerate(best.place.tolist())
    )


def _words(cell: _Cell, side: _Side) -> str:
    """Return where the cell lies, and below it which place wins it."""
    where = f"{count(cell.n_parameters)} parameters, {count(cell.up)} {side.unit}"
    if cell.place is None:
        return where
    return f"{where}\n{cell.place}: {wording.quantity(cell.cost_usd, 'USD')} per 1,000 requests"


def _table(cells: Sequence[_Cell], side: _Side) -> Table:
    columns: tuple[Getter[_Cell], ...] = (
        column("n_parameters", lambda cell: cell.n_parameters, label="Model size", kind="scientific"),
        side.column,
        column("place", lambda cell: cell.place or NOTHING, label="Cheapest option", kind="text"),
        column(
            "cost_usd_per_1000_requests",
            lambda cell: None if cell.place is None else cell.cost_usd,
            label="Cost per 1,000 requests",
            unit="USD",
        ),
        column("place_share_of_map", lambda cell: cell.share, label="Its share of the map", unit="1"),
    )
    return table(columns, cells)
