"""Fine-tuning as the work: where it runs best, within its deadline and at the least cost."""

from collections.abc import Callable

import numpy as np

from analysis.arrays import BoolArray
from analysis.fine_tuning.memory import Method
from analysis.placement.answers import Spans
from analysis.placement.luck import DRAWS
from analysis.placement.tuning import SEQUENCE_TOKENS, Tuned, TuningTask, nearest_tuning, tuned
from data.releases import Release
from views import wording
from views.chips.linked import matmul_rates
from views.placement.chosen import of_class
from views.placement.inputs import PlacementInputs, inputs_of, model_of
from views.placement.naming import at_place, named
from views.placement.options import ANY, TUNINGS
from views.placement.ruled_out import RULES
from views.placement.settings import PlacementSettings
from views.placement.shortfall import Shortfall, apart, rule
from views.placement.table import chance, usd
from views.placement.tuning_exhibit import TunedPlaces, hours, tuning_exhibit
from views.placement.words import MOST_NOTES, ON, fitting, topic, when
from views.result import Card, Fact, Figure, Source
from views.view import Finding

METHODS: dict[str, Method] = {"full": "full", "lora": "lora", "qlora": "qlora"}
METHOD = (
    "Memory: weights (16 bits, or 4.127 bits with QLoRA), gradients and Adam states of what is trained, "
    "activations with checkpointing at micro-batch 2, and the runtime; split over several chips where one does "
    "not hold it (Rajbhandari et al. 2020; Korthikanti et al. 2022; Dettmers et al. 2023). Operations: 6 FLOP "
    "per active parameter and token in full, 4 with adapters, and 2 more for recomputing. Time is operations "
    "over the useful rate; cost is rent by the hour, or the device's share of its price for those hours and "
    "its electricity.",
)


def task_of(settings: PlacementSettings) -> TuningTask:
    """Return what is tuned how, and within which limits."""
    return TuningTask(
        model=model_of(settings)[1],
        method=METHODS[settings.usual("tuning")],
        tokens=settings.number("tuning_tokens") * 1e6,
        deadline_h=settings.number("deadline"),
        budget_usd=settings.budget,
        matmul_rates=matmul_rates(),
    )


def tuning_finding(settings: PlacementSettings, release: Release, *, sources: tuple[Source, ...]) -> Finding:
    """Return where a fine-tuning runs best: within its deadline, at the least cost."""
    inputs = inputs_of(PlacementSettings(**{**vars(settings), "format": "fp16"}), release)
    task = task_of(settings)
    done = tuned(inputs.question, task)
    among = of_class(inputs, settings.only)
    fixed = settings.only != ANY and bool(among.any())
    best = done.cheapest_of(among if fixed else np.ones(len(among), dtype=bool))
    shown = best
    if shown is None:
        shown = _likeliest(done, among) if fixed else nearest_tuning(inputs.question, task, done=done)
    tunings = TunedPlaces(inputs=inputs, tuned=done, best=best)
    lack = None if done.meets[shown] else _lack(settings, tunings, task=task, i=shown)
    told = _headline(settings, tunings, shown=shown, fixed=fixed, lack=lack)
    source = _settings_line(settings, release, inputs=inputs)
    out = _ruled_out(inputs, task, done=done) if best is None else []
    return Finding(
        headline=told,
        subtitle=_subtitle(settings, tunings, shown=shown, fixed=fixed, lack=lack),
        cards=(_card(settings, tunings, i=shown, lack=lack),),
        figures=_figures(done, shown, place=inputs.names[shown]),
        exhibits=(tuning_exhibit(tunings, title=told, source=source, sure=settings.sure),),
        settings_line=source,
        notes=tuple(out[:MOST_NOTES]),
        sure=_sureness(settings, mixture=inputs.question.work.mixture),
        changes=tuple(out[MOST_NOTES:]),
        method=METHOD,
        sources=sources,
    )


def _likeliest(done: Tuned, among: BoolArray) -> int:
    """Return the likeliest of the places that are marked; of equals one that holds the model, then the soonest."""
    at = np.flatnonzero(among)
    return int(at[np.lexsort((done.time.median[at], done.too_small[at], -done.probability[at]))[0]])


def _lack(settings: PlacementSettings, tunings: TunedPlaces, *, task: TuningTask, i: int) -> Shortfall:
    """Return why a place does not do a fine-tuning within its limits."""
    done, requirements = tunings.tuned, tunings.inputs.question.requirements
    if done.ruled_out[i]:
        return Shortfall(word="Ruled out", detail=rule(requirements))
    if done.too_small[i]:
        return Shortfall(word="Memory too small", detail="memory is too small")
    time, cost = float(done.time.median[i]), float(done.cost.median[i])
    if task.deadline_h and time > task.deadline_h:
        taken, allowed = apart(
            hours(time), hours(task.deadline_h), exact=(f"{time:.4g} h", f"{task.deadline_h:.4g} h")
        )
        return Shortfall(word="Too late", detail=f"{taken}, {allowed} allowed")
    if task.budget_usd and not cost <= task.budget_usd:
        if np.isnan(cost):
            return Shortfall(word="Price unknown", detail=f"price unknown, {usd(task.budget_usd)} allowed")
        paid, allowed = apart(
            usd(cost), usd(task.budget_usd), exact=(f"${cost:.4g}", f"${task.budget_usd:.4g}")
        )
        return Shortfall(word="Over budget", detail=f"{paid}, {allowed} allowed")
    likely = chance(float(done.probability[i]))
    return Shortfall(word="Not sure enough", detail=f"{likely} likely, {settings.sure} % required")


def _headline(
    settings: PlacementSettings, tunings: TunedPlaces, *, shown: int, fixed: bool, lack: Shortfall | None
) -> str:
    """Return where it costs least and how long it takes; of a class asked about, yes or no and why."""
    done = tunings.tuned
    cost, time = usd(float(done.cost.median[shown])), hours(float(done.time.median[shown]))
    if settings.only != ANY and not fixed:
        return f"{ON[settings.only]}: not known, the data holds none of {len(done.meets)}"
    if fixed:
        start = f"{ON[settings.only]}{when(settings)}"
        if lack is None:
            return fitting(f"{start}: yes, done in {time} for {cost}", f"{start}: yes, {time} for {cost}")
        longest = (f"{start}: no, it takes {lack.detail}",) if lack.word == "Too late" else ()
        word = wording.small_initial(lack.word)
        return fitting(*longest, f"{start}: no, {lack.detail}", f"{start}: no, {word}")
    start = topic(settings)
    if lack is None:
        wheres = _wheres(tunings, shown, counting=False)
        return fitting(*(f"{start}: {cost} in {time} {where}" for where in wheres))
    if lack.word in ("Ruled out", "Memory too small"):
        count = f"all {len(done.meets)} options"
        why = "memory is too small" if lack.word == "Memory too small" else lack.detail
        return fitting(
            f"{start}: {count} ruled out, {why}", f"{wording.sentence_case(count)} are ruled out: {why}"
        )
    return fitting(
        f"{start}: no option meets all targets; best {lack.detail}",
        f"{start}: no option meets all; best {lack.detail}",
        f"{start}: none meets all; best {lack.detail}",
        f"No option meets all{when(settings)}; best {lack.detail}",
        f"None meets all{when(settings)}; best {lack.detail}",
    )


def _subtitle(
    settings: PlacementSettings, tunings: TunedPlaces, *, shown: int, fixed: bool, lack: Shortfall | None
) -> str:
    inputs, done = tunings.inputs, tunings.tuned
    name, likely = wording.sentence_case(named(inputs, shown)), chance(float(done.probability[shown]))
    if lack is not None and not fixed:
        return f"{name} comes nearest, {likely} likely to meet every target: {lack.detail}."
    rented = inputs.question.rented
    if fixed:
        best = done.cheapest_of(np.ones(len(rented), dtype=bool))
        other = "no option meets every target" if best is None else f"cheapest: {_spent(tunings, best)}"
        return f"{name}: {likely} likely to meet every target, {settings.sure} % required; {other}."
    low, high = (usd(float(ends[shown])) for ends in (done.cost.low, done.cost.high))
    second = done.cheapest_of(rented != rented[shown])
    side = "no owned hardware" if rented[shown] else "no cloud"
    other = f"{side} meets every target" if second is None else _spent(tunings, second)
    return f"90 % interval {wording.interval(low, high)}; {other}."


def _wheres(tunings: TunedPlaces, i: int, *, counting: bool = True) -> tuple[str, ...]:
    """Return where a fine-tuning runs, in words from the longest to the shortest; with the count of chips or not."""
    inputs, name = tunings.inputs, tunings.inputs.names[i]
    count = f"{float(tunings.tuned.chips[i]):g} " if counting else ""
    if inputs.question.rented[i]:
        return (f"on {count if tunings.several(i) else ''}rented {name.removeprefix('cloud ')}",)
    if tunings.several(i):
        chip = name.rpartition(" (")[-1].rstrip(")")
        device = f"{count}× {chip}" if counting else chip
        return (f"on {device} in edge servers", f"on {device}")
    return (at_place(inputs, i), at_place(inputs, i).partition(" (")[0])


def _spent(tunings: TunedPlaces, i: int) -> str:
    """Return a place with the median cost and hours of the work there."""
    done = tunings.tuned
    return (
        f"{usd(float(done.cost.median[i]))} in {hours(float(done.time.median[i]))} {_wheres(tunings, i)[0]}"
    )


def _card(settings: PlacementSettings, tunings: TunedPlaces, *, i: int, lack: Shortfall | None) -> Card:
    """Return where to fine-tune, with its numbers."""
    done, model = tunings.tuned, tunings.inputs.model
    model = wording.small_initial(model) if model.startswith("A ") else model
    facts = []
    if not done.too_small[i]:
        for label, spans, word in (("Cost", done.cost, usd), ("Time", done.time, hours)):
            low, middle, high = (float(values[i]) for values in (spans.low, spans.median, spans.high))
            note = f"90 %: {wording.interval(word(low), word(high))}" if np.isfinite(middle) else ""
            facts.append(
                Fact(label=label, text=word(middle) if np.isfinite(middle) else "unknown", note=note)
            )
        facts.append(Fact(label="Chips", text=f"{float(done.chips[i]):g}"))
    likely = f"{chance(float(done.probability[i]))} likely"
    facts.append(Fact(label="Meets all targets", text=likely, note=f"{settings.sure} % required"))
    second = done.cheapest_of(np.arange(len(done.meets)) != i)
    start = "Runner-up" if lack is None else "Instead"
    if second is not None and lack is None and done.cost.median[second] < done.cost.median[i]:
        start = "Cheapest"
    return Card(
        name="verdict",
        title=f"Fine-tune {model} {_wheres(tunings, i)[0]}",
        verdict="Meets every target" if lack is None else lack.word,
        tone="good" if lack is None else "bad",
        facts=tuple(facts),
        text="No other option meets every target."
        if second is None
        else f"{start}: {_spent(tunings, second)}.",
    )


def _settings_line(settings: PlacementSettings, release: Release, *, inputs: PlacementInputs) -> str:
    limits = "".join(f", {rule}" for rule in _rules(settings, inputs))
    return (
        f"{inputs.model}, {TUNINGS[settings.usual('tuning')]}, {settings.number('tuning_tokens'):,.12g} million "
        f"tokens; within {settings.number('deadline'):,.12g} h{limits}, {settings.sure} % required; {settings.year}. "
        f"Epoch AI (CC BY 4.0) and curated data, release {release.name}."
    )


def _rules(settings: PlacementSettings, inputs: PlacementInputs) -> list[str]:
    """Return what else is asked, in words."""
    requirements = inputs.question.requirements
    rules = [] if settings.budget is None else [f"at most {usd(settings.budget)}"]
    rules += [RULES["stay"][requirements.stay]] if requirements.stay != "anywhere" else []
    return rules + (["works offline"] if requirements.offline else [])


def _figures(done: Tuned, i: int, *, place: str) -> tuple[Figure, ...]:
    priced, count = bool(np.isfinite(done.cost.median[i])), float(done.chips[i])

    def spanned(
        name: str, spans: Spans, *, label: str, unit: str, word: Callable[[float], str], known: bool
    ) -> Figure:
        low, value, high = (float(values[i]) for values in (spans.low, spans.median, spans.high))
        return Figure(
            name=name,
            label=label,
            value=value if known else None,
            unit=unit,
            text=word(value),
            low=low if known else None,
            high=high if known else None,
            level=0.9,
            interval_text=wording.interval(word(low), word(high)),
            method=f"1,000 draws at {place}",
            n=DRAWS,
        )

    return (
        spanned("cost_usd", done.cost, label="Cost", unit="USD", word=usd, known=priced),
        spanned("hours", done.time, label="Time", unit="h", word=hours, known=True),
        Figure(
            name="probability_meets_requirement",
            label="Meets all targets",
            value=float(done.probability[i]),
            unit="1",
            text=chance(float(done.probability[i])),
            method=f"share of 1,000 draws at {place}",
            n=DRAWS,
        ),
        Figure(
            name="chips",
            label="Chips",
            value=count if np.isfinite(count) else None,
            unit="",
            text=f"{count:g}" if np.isfinite(count) else "none hold it",
            key=False,
        ),
    )


def _sureness(settings: PlacementSettings, *, mixture: bool) -> tuple[str, ...]:
    """Return how it is charged, and what is poorly known."""
    only_attention = (
        "Of a mixture of experts only the attention is adapted; no published run calibrates its speed."
    )
    return (
        "Owned hardware is charged for the hours it works, out of all hours of the "
        f"{settings.years:g} years it is used; a rented chip by the hour.",
        f"Sequences are {SEQUENCE_TOKENS:,.0f} tokens long. How fast edge devices fine-tune is poorly known: five "
        "published runs from two sources, 0.4 to 1.3 times the rate at which they read prompts.",
        "Accelerators train at 0.56 of their measured matrix rate (39 published runs, nine in ten between 0.41 "
        "and 0.71). Loading, evaluation and failed runs are not counted.",
        *((only_attention,) if mixture else ()),
    )


def _ruled_out(inputs: PlacementInputs, task: TuningTask, *, done: Tuned) -> list[str]:
    """Return what each requirement alone rules out where nothing does all, and what comes nearest to it."""
    lines, left, places = [], ~done.ruled_out & ~done.too_small, len(done.binding)
    if (count := int(done.ruled_out.sum())) > 0:
        lines.append(f"Where data may go rules out {count} of {places} options.")
    if (count := int(done.too_small.sum())) > 0:
        most = float(np.max(inputs.question.places.most_chips[done.too_small]))
        split = f", even where up to {most:.0f} chips split the work" if most > 1 else ""
        lines.append(f"Memory rules out {count} of {places} options{split}.")
    limits = (
        ("deadline", done.hours, task.deadline_h, hours),
        ("budget", done.cost_usd, task.budget_usd, usd),
    )
    for name, draws, limit, words in limits:
        if not limit or not left.any():
            continue
        missed = left & ((draws <= limit).mean(axis=1) < inputs.question.sure)
        if not missed.any():
            continue
        middle = np.where(left, np.median(draws, axis=1), np.inf)
        i = int(np.nanargmin(middle))
        nearest = (
            f"; nearest is {named(inputs, i)}: {words(float(middle[i]))}"
            if missed.sum() == left.sum()
            else ""
        )
        lines.append(
            f"The {name} ({words(float(limit))}) alone rules out {int(missed.sum())} of the "
            f"{wording.counted(int(left.sum()), 'option')} left{nearest}."
        )
    return lines
