"""Fine-tuning as the work: what each place needs, how long it takes and what it costs."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from analysis.placement.outcome import DRAWS, interval
from analysis.placement.places import RENTED
from charts.chart import Bar, BarChart
from data.releases import Release
from views import wording
from views.axes import log_axis
from views.placement.inputs import Inputs, inputs
from views.placement.naming import at_place, named
from views.placement.places import SERVER_ROOM, of_year
from views.placement.ruled_out import RULES
from views.placement.settings import FIRST_YEAR, TUNINGS, PlacementSettings
from views.placement.table import BINDING_WORDS, KIND_WORDS, ROLES, chance, usd
from views.placement.tuned import SEQUENCE_TOKENS, Tuned, tuned
from views.result import Column, Exhibit, Figure, Source, Table
from views.view import Finding


def _spent(found: Inputs, given: Tuned, i: int) -> str:
    """Return a place with the median cost and hours of the work there."""
    count = float(given.chips[i])
    where = at_place(found, i)
    if 1 < count < np.inf and found.words[i] != SERVER_ROOM:
        chip = found.places.name[i].removeprefix("cloud ").rpartition(" (")[-1].rstrip(")")
        where = f"on {count:g} × {chip} {'in the cloud' if found.places.is_kind(RENTED)[i] else 'in edge servers'}"
    cost, hours = (float(np.median(values[i])) for values in (given.cost_usd, given.hours))
    return f"{where}: {usd(cost)} in {_hours(hours)}"


def tuning_finding(settings: PlacementSettings, release: Release, *, sources: tuple[Source, ...]) -> Finding:
    """Return where a fine-tuning runs best: within its deadline, at the least cost."""
    fp16 = PlacementSettings(**{**vars(settings), "format": "fp16"})
    found = inputs(fp16, release)
    given = tuned(settings, release, found)
    found = replace(found, places=of_year(found.places, settings.year))
    sure = settings.sure / 100
    low, cost, high = interval(given.cost_usd, level=0.9)
    fast, hours, slow = interval(given.hours, level=0.9)
    meets = given.probability >= sure
    order = np.lexsort((np.nan_to_num(cost, nan=np.inf), -np.where(meets, 1.0, given.probability)))
    able = np.where(meets & np.isfinite(cost), cost, np.inf)
    best = int(np.argmin(able)) if np.isfinite(able).any() else None
    method = settings.usual("tuning")
    noun = (
        f"{found.model} with {'all weights' if method == 'full' else 'LoRA' if method == 'lora' else 'QLoRA'}"
    )
    deadline = settings.number("deadline")
    shown = best if best is not None else _nearest(settings, found, given, order)
    place, count = found.places.name[shown], float(given.chips[shown])
    when = f"In {settings.year} " if settings.year > FIRST_YEAR else ""
    if best is not None:
        rented = found.places.is_kind(RENTED)
        others = np.where(rented != rented[best], able, np.inf)
        title = f"{when}{'fine' if when else 'Fine'}-tuning {noun} costs least {_spent(found, given, best)}"
        if np.isfinite(others).any():
            title = f"{title}; {_spent(found, given, int(np.argmin(others)))}"
    else:
        title = (
            f"{when}{'no' if when else 'No'} place fine-tunes {noun} within what is asked; {named(found, shown)} "
            f"comes nearest: {BINDING_WORDS[given.binding[shown]]}"
        )
    tokens = settings.number("tuning_tokens")
    limits = "".join(f", {rule}" for rule in _rules(settings, found))
    source = (
        f"{found.model}, {TUNINGS[method]}, {tokens:,.12g} million tokens in sequences of {SEQUENCE_TOKENS:,.0f}, "
        f"within {deadline:,.12g} h{limits}, {settings.sure} % sure, {settings.year}. Chips: Epoch AI (CC BY 4.0), "
        f"curated, release {release.name}."
    )
    return Finding(
        headline=title,
        figures=(
            Figure(
                name="cost_usd",
                label="Cost",
                value=float(cost[shown]) if np.isfinite(cost[shown]) else None,
                unit="USD",
                text=usd(float(cost[shown])),
                low=float(low[shown]) if np.isfinite(cost[shown]) else None,
                high=float(high[shown]) if np.isfinite(cost[shown]) else None,
                level=0.9,
                interval_text=wording.interval(usd(float(low[shown])), usd(float(high[shown]))),
                method=f"1,000 draws at {place}",
                n=DRAWS,
            ),
            Figure(
                name="hours",
                label="Time",
                value=float(hours[shown]),
                unit="h",
                text=_hours(float(hours[shown])),
                low=float(fast[shown]),
                high=float(slow[shown]),
                level=0.9,
                interval_text=wording.interval(_hours(float(fast[shown])), _hours(float(slow[shown]))),
                method=f"1,000 draws at {place}",
                n=DRAWS,
            ),
            Figure(
                name="probability_meets_requirement",
                label="Chance to meet all",
                value=float(given.probability[shown]),
                unit="1",
                text=chance(float(given.probability[shown])),
                method=f"share of 1,000 draws at {place}",
                n=DRAWS,
            ),
            Figure(
                name="chips",
                label="Chips",
                value=count if np.isfinite(count) else None,
                unit="",
                text=f"{count:g}" if np.isfinite(count) else "none hold it",
            ),
        ),
        exhibits=(
            _exhibit(
                found, given, order, meets=meets, best=best, title=title, source=source, sure=settings.sure
            ),
        ),
        settings_line=source,
        notes=(
            *(_ruled_out(settings, found, given) if best is None else ()),
            "A device of one's own is charged for the hours it works, of all hours of the "
            f"{settings.years:g} years it is kept; a rented chip by the hour.",
            "How fast devices of the edge fine-tune is poorly known: five published runs from two sources, 0.4 to 1.3 "
            "times the rate at which they read prompts.",
            "Accelerators train at 0.56 of their measured matrix rate (39 published runs, nine in ten between 0.41 "
            "and 0.71). Loading, evaluation and failed runs are not counted.",
            *(
                (
                    "Of a mixture of experts only the attention is adapted; no published run calibrates its speed.",
                )
                if found.work.mixture
                else ()
            ),
        ),
        method=(
            "Memory: weights (16 bits, or 4.127 bits with QLoRA), gradients and Adam states of what is trained, "
            "activations with checkpointing at micro-batch 2, and the runtime; split over several chips where one does "
            "not hold it (Rajbhandari et al. 2020; Korthikanti et al. 2022; Dettmers et al. 2023). Operations: 6 FLOP "
            "per active parameter and token in full, 4 with adapters, and 2 more for recomputing. Time is operations "
            "over the useful rate; cost is rent by the hour, or the device's share of its price for those hours and "
            "its electricity.",
        ),
        sources=sources,
    )


def _nearest(settings: PlacementSettings, found: Inputs, given: Tuned, order: NDArray[np.intp]) -> int:
    """Return the place that comes nearest: the likeliest, or that which misses by the least or has the most memory."""
    binding = np.array(given.binding)
    held = (binding != "capacity") & (binding != "rule")
    if not held.any():
        may = binding != "rule" if (binding != "rule").any() else np.ones(len(binding), dtype=bool)
        return int(np.argmax(np.where(may, found.places.memory_capacity_byte * found.places.most_chips, 0.0)))
    if given.probability.max() > 0:
        return int(order[0])
    over = np.median(given.hours, axis=1) / (settings.number("deadline") or np.inf)
    if settings.budget is not None:
        over = np.maximum(
            over, np.nan_to_num(np.median(given.cost_usd, axis=1) / settings.budget, nan=np.inf)
        )
    return int(np.argmin(np.where(held, over, np.inf)))


def _rules(settings: PlacementSettings, found: Inputs) -> list[str]:
    """Return what else is asked, in words."""
    asked = found.requirements
    told = [] if settings.budget is None else [f"at most {usd(settings.budget)}"]
    told += [RULES["stay"][asked.stay]] if asked.stay != "anywhere" else []
    return told + (["works offline"] if asked.offline else [])


def _ruled_out(settings: PlacementSettings, found: Inputs, given: Tuned) -> list[str]:
    """Return what each requirement alone rules out where nothing does all, and what comes nearest to it."""
    binding = np.array(given.binding)
    told, left = [], (binding != "rule") & (binding != "capacity")
    if (count := int((binding == "rule").sum())) > 0:
        told.append(f"Where texts may go rules out {count} of {len(binding)} places.")
    if (count := int((binding == "capacity").sum())) > 0:
        most = float(np.max(found.places.most_chips[binding == "capacity"]))
        split = f", even where up to {most:.0f} chips split the work" if most > 1 else ""
        told.append(f"Memory rules out {count} of {len(binding)} places{split}.")
    limits = (
        ("deadline", given.hours, settings.number("deadline"), _hours),
        ("budget", given.cost_usd, settings.budget, usd),
    )
    for name, draws, limit, words in limits:
        if not limit or not left.any():
            continue
        missed = left & ((draws <= limit).mean(axis=1) < settings.sure / 100)
        if not missed.any():
            continue
        middle = np.where(left, np.median(draws, axis=1), np.inf)
        i = int(np.nanargmin(middle))
        nearest = (
            f"; nearest is {named(found, i)}: {words(float(middle[i]))}" if missed.sum() == left.sum() else ""
        )
        told.append(
            f"The {name} ({words(float(limit))}) alone rules out {int(missed.sum())} of the "
            f"{wording.counted(int(left.sum()), 'place')} that are left{nearest}."
        )
    return told


def _hours(value: float) -> str:
    if value < 1 / 60:
        return f"{wording.significant(3600 * value)} s"
    if value < 1:
        return f"{wording.significant(60 * value)} min"
    return f"{wording.significant(value)} h" if value < 72 else f"{wording.significant(value / 24)} days"


def _exhibit(
    found: Inputs,
    given: Tuned,
    order: NDArray[np.intp],
    *,
    meets: NDArray[np.bool_],
    best: int | None,
    title: str,
    source: str,
    sure: int,
) -> Exhibit:
    low, cost, high = interval(given.cost_usd, level=0.9)
    fast, hours, slow = interval(given.hours, level=0.9)
    known = [float(value) for value in cost if np.isfinite(value) and value > 0]
    axis = log_axis("Cost of the fine-tuning", known or [1.0, 10.0], usd)
    bars = []
    for i in map(int, order):
        held = given.binding[i] not in ("rule", "capacity")
        priced = held and np.isfinite(cost[i]) and cost[i] > 0
        money = usd(float(cost[i])) if np.isfinite(cost[i]) else "price unknown"
        several = 1 < given.chips[i] < np.inf and found.words[i] != SERVER_ROOM
        count = f"{given.chips[i]:g} × " if several else ""
        told = f"{money}, {count}{_hours(float(hours[i]))}"
        bars.append(
            Bar(
                label=wording.sentence_case(found.places.name[i]),
                value=float(cost[i]) if priced else axis.low,
                text=told if held else BINDING_WORDS[given.binding[i]],
                role=ROLES[found.places.kind[i]] if meets[i] else "context",
                emphasised=i == best,
            )
        )

    def number(value: float) -> float | None:
        return float(value) if np.isfinite(value) else None

    columns = [
        Column(name="place", label="Place", kind="text"),
        Column(name="word", label="In a link", kind="text"),
        Column(name="kind", label="Kind", kind="text"),
        Column(name="chips", label="Chips"),
        *(
            Column(name=name, label=label, unit=unit)
            for name, label, unit in (
                ("hours", "Time", "h"),
                ("hours_low", "Time, low", "h"),
                ("hours_high", "Time, high", "h"),
                ("cost_usd", "Cost", "USD"),
                ("cost_usd_low", "Cost, low", "USD"),
                ("cost_usd_high", "Cost, high", "USD"),
                ("energy_kwh", "Energy", "kWh"),
                ("probability_meets_requirement", "Chance to meet all", "1"),
            )
        ),
        Column(name="binding", label="What binds", kind="text"),
    ]
    energy = np.median(given.energy_j, axis=1) / 3.6e6
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle="Median cost of the whole fine-tuning by place, log scale; grey where the chance to meet all "
            f"that is asked is below {sure} %.",
            alt=f"{title}.",
            source=source,
            x=axis,
            base=axis.low,
            bars=tuple(bars),
        ),
        table=Table(
            columns=tuple(columns),
            rows=tuple(
                (
                    wording.sentence_case(found.places.name[i]),
                    found.words[i],
                    KIND_WORDS[found.places.kind[i]],
                    number(given.chips[i]),
                    *(number(values[i]) for values in (hours, fast, slow, cost, low, high, energy)),
                    float(given.probability[i]),
                    given.binding[i],
                )
                for i in map(int, order)
            ),
        ),
    )
