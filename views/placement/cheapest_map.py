"""Map of the cheapest place on /placement, by model size and by load or context."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from analysis.arrays import FloatArray
from analysis.placement.places import OWNED, PERSONAL, RENTED
from analysis.placement.verdict import cheapest, log_cells, work_grid
from analysis.placement.work import Work
from charts.chart import PALEST_TONE, Axis, MapChart, MapChoice, MapPoint, Tick
from views import wording, written
from views.placement.amounts import ROLES, count
from views.placement.answer import PlacementAnswer
from views.placement.figures import COLUMNS
from views.placement.inputs import PlacementInputs, work
from views.placement.settings import FIRST_YEAR, PlacementSettings
from views.result import Exhibit
from views.table import stated_columns, table

CELLS = 40
SIZES = (0.5e9, 1e12)
KINDS = {PERSONAL: "person's own device", OWNED: "on-premises machine", RENTED: "cloud"}
NOTHING = "No option meets all targets"


SIDES = written.toml(__file__, name="map.toml")
"""Quantity on the map's vertical axis, keyed by option."""


def _axis(title: str, ends: Sequence[float], *, ticks: Sequence[float]) -> Axis:
    marks = tuple(Tick(value=value, label=count(value)) for value in ticks)
    return Axis(title=title, scale="log", low=ends[0], high=ends[1], ticks=marks)


def _works(
    settings: PlacementSettings, inputs: PlacementInputs, *, sizes: FloatArray, up: FloatArray
) -> Work:
    times = sizes / inputs.n_parameters
    if settings.map != "context":
        return work_grid(inputs.question.work, times=times, loads=up)
    others = [work(replace(settings, kept=round(kept)))[1] for kept in up.tolist()]
    return work_grid(inputs.question.work, times=times, contexts=others)


def _choices(inputs: PlacementInputs, won: Sequence[int]) -> tuple[tuple[MapChoice, ...], dict[int, int]]:
    """Return the choices that win a cell, and their indices keyed by winning place, where -1 means no place.

    Within a kind, the winners of most cells have their own shades; if there are more winners than shades, the others
    share the palest.
    """
    counts, kinds = Counter(won), inputs.question.places.kind
    of: dict[int, int] = {}
    choices: list[MapChoice] = []
    for kind, role in ROLES.items():
        winners = sorted(place for place in counts if place >= 0 and kinds[place] == kind)
        winners.sort(key=lambda place: -counts[place])
        crowded = len(winners) > PALEST_TONE + 1
        for tone, place in enumerate(winners):
            others = crowded and tone >= PALEST_TONE
            of[place] = len(choices) - (others and tone > PALEST_TONE)
            if of[place] == len(choices):
                label = f"Others: {KINDS[kind]}" if others else wording.sentence_case(inputs.names[place])
                choices.append(MapChoice(label=label, role=role, tone=tone))
    if counts[-1]:
        of[-1] = len(choices)
        choices.append(MapChoice(label=NOTHING, role="context", tone=PALEST_TONE, hatched=True))
    return tuple(choices), of


def _share(count: int, of: int) -> str:
    share = 100 * count / of
    return "less than 1%" if share < 1 else "more than 99%" if 99 < share < 100 else f"{share:.0f}%"


def _title(inputs: PlacementInputs, won: Sequence[int]) -> str:
    kinds = Counter(inputs.question.places.kind[place] for place in won if place >= 0)
    ranked = sorted((kind for kind in KINDS if kinds[kind]), key=lambda kind: -kinds[kind])
    if not ranked:
        return "No option meets all targets anywhere on the map"
    first, *others = ranked
    start = f"{wording.sentence_case(wording.a(KINDS[first]))} is the cheapest option"
    if kinds[first] == len(won):
        return f"{start} everywhere on the map"
    shares = [f"{wording.a(KINDS[kind])} on {_share(kinds[kind], len(won))}" for kind in others]
    none = len(won) - kinds.total()
    shares += [f"no option meets all targets on {_share(none, len(won))}"] if none else []
    return wording.listed([f"{start} on {_share(kinds[first], len(won))} of the map", *shares])


def _subtitle(settings: PlacementSettings, *, outside: bool) -> str:
    grows = (
        "the KV cache grows with the context"
        if settings.map == "context"
        else "the number of people grows with the number of requests"
    )
    text = (
        f"Each cell shows the cheapest option that is at least {settings.sure}% likely to meet all targets. Models of "
        f"other sizes keep the proportions of this task's model, and {grows}."
    )
    if settings.year > FIRST_YEAR:
        text += f" Hardware and rents are the median forecast for {settings.year}."
    return f"{text} This task is outside the map." if outside else text


def cheapest_map_exhibit(answer: PlacementAnswer, *, source: str) -> Exhibit | None:
    """Return a map of the cheapest place that meets the targets, by model size and load or context.

    Returns None if there is no place at all. Every cell uses all draws of speed; hardware is that of the median trend
    in the chosen year.
    """
    settings, inputs = answer.settings, answer.inputs
    if not inputs.labels:
        return None
    side = SIDES[settings.map]
    own_size, own = inputs.n_parameters, settings.number(side["of"])
    edges, sizes = log_cells(SIZES, CELLS)
    up_edges, up = log_cells(side["ends"], CELLS)
    best = cheapest(replace(inputs.question, work=_works(settings, inputs, sizes=sizes, up=up)))
    won, costs = best.place.tolist(), best.cost_usd_per_1000_requests.tolist()
    counts, names = Counter(won), {**dict(enumerate(inputs.names)), -1: None}
    choices, of = _choices(inputs, won)
    title = _title(inputs, won)

    def words(at: int) -> str:
        where = f"{count(sizes[at % CELLS])} parameters, {count(up[at // CELLS])} {side['unit']}"
        if (place := names[won[at]]) is None:
            return where
        return f"{where}\n{place}: {wording.quantity(costs[at], 'USD')} per 1,000 requests"

    inside = edges[0] <= own_size <= edges[-1] and up_edges[0] <= own <= up_edges[-1]
    alt = f"{title}."
    if inside:
        across, along = (
            min(bisect_right(ends, at) - 1, CELLS - 1) for ends, at in ((edges, own_size), (up_edges, own))
        )
        alt += f" For this task: {names[won[along * CELLS + across]] or wording.small_initial(NOTHING)}."
    every = range(len(won))
    rows = [every[start : start + CELLS] for start in every[::CELLS]]
    chart = MapChart(
        title=title,
        subtitle=_subtitle(settings, outside=not inside),
        alt=alt,
        source=source,
        x=_axis("Model size, parameters", SIZES, ticks=[1e9, 1e10, 1e11, 1e12]),
        y=_axis(side["title"], side["ends"], ticks=side["ticks"]),
        x_edges=tuple(edges.tolist()),
        y_edges=tuple(up_edges.tolist()),
        choices=choices,
        cells=tuple(tuple(of[won[at]] for at in row) for row in rows),
        details=tuple(tuple(map(words, row)) for row in rows),
        marked=MapPoint(x=own_size, y=own, label="this task") if inside else None,
    )
    (first, sized), *others = COLUMNS["map"].items()
    columns = stated_columns(
        {first: sized, **side["column"], **dict(others)},
        n_parameters=lambda at: float(sizes[at % CELLS]),
        **{name: lambda at: float(up[at // CELLS]) for name in side["column"]},
        place=lambda at: names[won[at]] or NOTHING,
        cost_usd_per_1000_requests=lambda at: None if names[won[at]] is None else costs[at],
        place_share_of_map=lambda at: counts[won[at]] / len(won),
    )
    return Exhibit(chart=chart, table=table(columns, every))
