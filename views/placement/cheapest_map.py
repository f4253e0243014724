"""The map of /placement: which place is the cheapest that meets what is asked, by model size and load or context."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from analysis.arrays import FloatArray
from analysis.placement.cheapest import Cheapest, cheapest
from analysis.placement.places import OWNED, PERSONAL, RENTED, TODAY, Growth, Places
from analysis.placement.work import Work, resized
from charts.chart import PALEST_TONE, Axis, MapChart, MapChoice, MapPoint, Role, Tick
from data.releases import Release
from views import wording
from views.placement.inputs import Inputs, work
from views.placement.settings import FIRST_YEAR, PlacementSettings
from views.result import Column, Exhibit, Table

CELLS = 40
SIZES = (0.5e9, 1e12)
REQUESTS = (1.0, 1e7)
KEPT = (256.0, 262_144.0)
ROLES: dict[str, Role] = {PERSONAL: "edge", OWNED: "links", RENTED: "compute"}
KINDS = {PERSONAL: "a person's own device", OWNED: "a machine in the house", RENTED: "a cloud"}
NOTHING = "Nothing meets it"


@dataclass(frozen=True, kw_only=True)
class _Side:
    """The vertical side of the map: its axis, its cells' edges and middles, and where the reader's work lies."""

    axis: Axis
    edges: FloatArray
    middles: FloatArray
    own: float
    said: str


def _cells(ends: tuple[float, float]) -> tuple[FloatArray, FloatArray]:
    edges = np.geomspace(*ends, CELLS + 1)
    edges[0], edges[-1] = ends
    return edges, np.sqrt(edges[1:] * edges[:-1])


def _axis(title: str, ends: tuple[float, float], ticks: Sequence[float]) -> Axis:
    marks = tuple(Tick(value=value, label=_plain(value)) for value in ticks)
    return Axis(title=title, scale="log", low=ends[0], high=ends[1], ticks=marks)


def _plain(value: float) -> str:
    """Return a number in words: 256, 10,000, 1 million, 8.1 billion, 1 trillion."""
    for size, word in ((1e12, "trillion"), (1e9, "billion"), (1e6, "million")):
        if value >= 0.9995 * size or (size == 1e9 and value >= 0.1e9):
            return f"{float(f'{value / size:.3g}'):g} {word}"
    return wording.significant(value, 3 if value >= 100 else 2) if value != round(value) else f"{value:,.0f}"


def _side(settings: PlacementSettings, found: Inputs) -> _Side:
    if settings.map == "context":
        ends, title, own = KEPT, "Context kept from earlier turns, tokens", settings.number("kept")
        ticks, said = [256.0 * 4**step for step in range(6)], "tokens kept"
    else:
        ends, title, own = REQUESTS, "Requests a day", float(np.max(found.work.requests_per_day))
        ticks, said = [10.0**step for step in range(8)], "requests a day"
    edges, middles = _cells(ends)
    return _Side(axis=_axis(title, ends, ticks), edges=edges, middles=middles, own=own, said=said)


def _parameters(found: Inputs) -> float:
    """Return how many weights the work's own model has."""
    weights = np.broadcast_to(found.work.weights_byte, len(found.places))
    return float(np.min(weights[~found.places.accelerator])) * 8 / found.bits


def _works(settings: PlacementSettings, found: Inputs, *, sizes: FloatArray, up: FloatArray) -> Work:
    """Return the work of every cell, the lowest row first, shapes (cells, 1) and (cells, places)."""
    times = np.tile(sizes / _parameters(found), len(up))[:, None]
    works, rows = resized(found.work, times), np.repeat(up, len(sizes))[:, None]
    if settings.map != "context":
        people = np.maximum(found.work.people * rows / found.work.requests_per_day, 1.0)
        return replace(works, requests_per_day=rows, people=people)
    _, usual = work(settings)
    others = [work(replace(settings, kept=round(kept)))[1] for kept in up.tolist()]

    def longer(name: str) -> FloatArray:
        ratio = np.array([float(getattr(other, name) / getattr(usual, name)) for other in others])
        return getattr(works, name) * np.repeat(ratio, len(sizes))[:, None]

    return replace(
        works, cache_read_byte=longer("cache_read_byte"), cache_kept_byte=longer("cache_kept_byte")
    )


def _choices(places: Places, won: NDArray[np.intp]) -> tuple[tuple[MapChoice, ...], NDArray[np.intp]]:
    """Return the choices that win a cell, and the choice of each place, the last one that of nothing.

    Of one kind, the winners of most cells have a colour of their own; where they are more than there are tones, the
    rest share the palest.
    """
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
                label = f"Others: {KINDS[kind].partition(' ')[2]}"
                if tone > PALEST_TONE:
                    continue
            else:
                of[place], label = len(choices), wording.sentence_case(places.name[place])
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
        return f"Nothing meets what is asked in any of the {len(won):,} cells of the map"
    first, *others = ranked
    start = f"{wording.sentence_case(KINDS[first])} is the cheapest place"
    if counts[first] == len(won):
        return f"{start} in all {len(won):,} cells of the map"
    said = [f"{KINDS[kind]} on {_share(counts[kind], len(won))}" for kind in others]
    none = int(np.sum(won < 0))
    said += [f"nothing meets what is asked on {_share(none, len(won))}"] if none else []
    *before, last = [f"{start} on {_share(counts[first], len(won))} of the map", *said]
    return f"{', '.join(before)} and {last}" if before else last


def _subtitle(settings: PlacementSettings, *, outside: bool) -> str:
    grows = (
        "the cache grows with the context" if settings.map == "context" else "people grow with their requests"
    )
    said = (
        f"Place of least cost per 1,000 requests that meets what is asked with {settings.sure} % probability or more; "
        f"log scales. Models keep the shape of the work's own, {grows}."
    )
    if settings.year > FIRST_YEAR:
        said += f" Hardware is that of {settings.year} at the middle of its trends, rents too."
    return f"{said} This work lies outside the map." if outside else said


def cheapest_map_exhibit(
    settings: PlacementSettings, release: Release, found: Inputs, *, source: str, growth: Growth = TODAY
) -> Exhibit | None:
    """Return the cheapest place that meets what is asked over model size and requests a day, or context kept.

    None where there is no place at all. Every cell counts all draws of speed; ``growth`` is that of the middle
    expectation in the chosen year.
    """
    if not len(found.places):
        return None
    edges, sizes = _cells(SIZES)
    side = _side(settings, found)
    best = cheapest(
        _works(settings, found, sizes=sizes, up=side.middles),
        found.places,
        fitted=found.fitted,
        conditions=found.conditions,
        requirements=found.requirements,
        luck=found.luck,
        sustained=found.sustained,
        sure=settings.sure / 100,
        sustained_rule=found.sustained_rule,
        growth=growth,
    )
    own_size = _parameters(found)
    inside = edges[0] <= own_size <= edges[-1] and side.edges[0] <= side.own <= side.edges[-1]
    choices, of = _choices(found.places, best.place)
    title = _title(found.places, best.place)
    alt = f"{title}."
    if inside:
        column, row = (
            min(int(np.searchsorted(ends, at, side="right")) - 1, CELLS - 1)
            for ends, at in ((edges, own_size), (side.edges, side.own))
        )
        winner = best.place[row * CELLS + column]
        name = found.places.name[winner] if winner >= 0 else "nothing that meets it"
        alt += f" In the cell of this work it is: {name}."
    chart = MapChart(
        title=title,
        subtitle=_subtitle(settings, outside=not inside),
        alt=alt,
        source=source,
        x=_axis("Model size, parameters", SIZES, [1e9, 1e10, 1e11, 1e12]),
        y=side.axis,
        x_edges=tuple(edges.tolist()),
        y_edges=tuple(side.edges.tolist()),
        choices=choices,
        cells=tuple(map(tuple, of[best.place].reshape(CELLS, CELLS).tolist())),
        details=_details(best, found.places, sizes=sizes, side=side),
        marked=MapPoint(x=own_size, y=side.own, label="this work") if inside else None,
    )
    return Exhibit(chart=chart, table=_table(settings, best, found.places, sizes=sizes, side=side))


def _details(
    best: Cheapest, places: Places, *, sizes: FloatArray, side: _Side
) -> tuple[tuple[str, ...], ...]:
    columns, rows = [_plain(size) for size in sizes.tolist()], [_plain(up) for up in side.middles.tolist()]

    def of(cell: int) -> str:
        row, column = divmod(cell, CELLS)
        where = f"{columns[column]} parameters, {rows[row]} {side.said}"
        place = int(best.place[cell])
        if place < 0:
            return where
        cost = wording.quantity(float(best.cost_usd_per_1000_requests[cell]), "USD")
        return f"{where}\n{places.name[place]}: {cost} per 1,000 requests"

    return tuple(tuple(of(row * CELLS + column) for column in range(CELLS)) for row in range(CELLS))


def _table(
    settings: PlacementSettings, best: Cheapest, places: Places, *, sizes: FloatArray, side: _Side
) -> Table:
    counts = dict(
        zip(*(values.tolist() for values in np.unique(best.place, return_counts=True)), strict=True)
    )
    up = (
        Column(name="kept_tokens", label="Context kept", unit="tokens")
        if settings.map == "context"
        else Column(name="requests_per_day", label="Requests a day", unit="1/day")
    )
    rows = []
    for cell, place in enumerate(best.place.tolist()):
        row, column = divmod(cell, CELLS)
        cost = float(best.cost_usd_per_1000_requests[cell]) if place >= 0 else None
        name = places.name[place] if place >= 0 else NOTHING
        share = counts[place] / len(best.place)
        rows.append((float(sizes[column]), float(side.middles[row]), name, cost, share))
    return Table(
        columns=(
            Column(name="n_parameters", label="Model size", kind="scientific"),
            up,
            Column(name="place", label="Cheapest place", kind="text"),
            Column(name="cost_usd_per_1000_requests", label="Cost per 1,000 requests", unit="USD"),
            Column(name="place_share_of_map", label="This place's share of the map", unit="1"),
        ),
        rows=tuple(rows),
    )
