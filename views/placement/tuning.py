"""Fine-tuning as the work: where it runs best, within its deadline and at the least cost."""

from collections.abc import Callable

import numpy as np

from analysis.fine_tuning.memory import Method
from analysis.placement.answers import Spans
from analysis.placement.luck import DRAWS
from analysis.placement.tuning import SEQUENCE_TOKENS, Tuned, TuningTask, nearest_tuning, tuned
from data.releases import Release
from views import wording
from views.chips.linked import matmul_rates
from views.placement.asked import FIRST_YEAR
from views.placement.inputs import PlacementInputs, inputs_of, model_of
from views.placement.naming import at_place, named
from views.placement.options import TUNINGS
from views.placement.ruled_out import RULES
from views.placement.settings import PlacementSettings
from views.placement.table import BINDING_WORDS, chance, usd
from views.placement.tuning_exhibit import TunedPlaces, hours, tuning_exhibit
from views.result import Figure, Source
from views.view import Finding

METHODS: dict[str, Method] = {"full": "full", "lora": "lora", "qlora": "qlora"}
METHOD_WORDS = {"full": "all weights", "lora": "LoRA", "qlora": "QLoRA"}
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
    best = done.cheapest_of(np.ones(len(inputs.names), dtype=bool))
    tunings = TunedPlaces(inputs=inputs, tuned=done, best=best)
    shown = best if best is not None else nearest_tuning(inputs.question, task, done=done)
    title = _headline(settings, tunings, shown=shown)
    source = _settings_line(settings, release, inputs=inputs)
    return Finding(
        headline=title,
        figures=_figures(done, shown, place=inputs.names[shown]),
        exhibits=(tuning_exhibit(tunings, title=title, source=source, sure=settings.sure),),
        settings_line=source,
        notes=(
            *(_ruled_out(inputs, task, done=done) if best is None else ()),
            *_notes(settings, mixture=inputs.question.work.mixture),
        ),
        method=METHOD,
        sources=sources,
    )


def _headline(settings: PlacementSettings, tunings: TunedPlaces, *, shown: int) -> str:
    """Return where it costs least, and what the other side costs; else what comes nearest."""
    inputs, done, best = tunings.inputs, tunings.tuned, tunings.best
    noun = f"{inputs.model} with {METHOD_WORDS[settings.usual('tuning')]}"
    when = f"In {settings.year} " if settings.year > FIRST_YEAR else ""
    if best is None:
        return (
            f"{when}{'no' if when else 'No'} place fine-tunes {noun} within what is asked; {named(inputs, shown)} "
            f"comes nearest: {BINDING_WORDS[done.binding[shown]]}"
        )
    rented = inputs.question.rented
    title = f"{when}{'fine' if when else 'Fine'}-tuning {noun} costs least {_spent(tunings, best)}"
    other = done.cheapest_of(rented != rented[best])
    return title if other is None else f"{title}; {_spent(tunings, other)}"


def _spent(tunings: TunedPlaces, i: int) -> str:
    """Return a place with the median cost and hours of the work there."""
    inputs, done = tunings.inputs, tunings.tuned
    where = at_place(inputs, i)
    if tunings.several(i):
        chip = inputs.names[i].removeprefix("cloud ").rpartition(" (")[-1].rstrip(")")
        side = "in the cloud" if inputs.question.rented[i] else "in edge servers"
        where = f"on {float(done.chips[i]):g} × {chip} {side}"
    cost, time = (float(np.median(values[i])) for values in (done.cost_usd, done.hours))
    return f"{where}: {usd(cost)} in {hours(time)}"


def _settings_line(settings: PlacementSettings, release: Release, *, inputs: PlacementInputs) -> str:
    limits = "".join(f", {rule}" for rule in _rules(settings, inputs))
    return (
        f"{inputs.model}, {TUNINGS[settings.usual('tuning')]}, {settings.number('tuning_tokens'):,.12g} million "
        f"tokens in sequences of {SEQUENCE_TOKENS:,.0f}, within {settings.number('deadline'):,.12g} h{limits}, "
        f"{settings.sure} % sure, {settings.year}. Chips: Epoch AI (CC BY 4.0), "
        f"curated, release {release.name}."
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
            label="Chance to meet all",
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
        ),
    )


def _notes(settings: PlacementSettings, *, mixture: bool) -> tuple[str, ...]:
    """Return how it is charged, and what is poorly known."""
    only_attention = (
        "Of a mixture of experts only the attention is adapted; no published run calibrates its speed."
    )
    return (
        "A device of one's own is charged for the hours it works, of all hours of the "
        f"{settings.years:g} years it is kept; a rented chip by the hour.",
        "How fast devices of the edge fine-tune is poorly known: five published runs from two sources, 0.4 to 1.3 "
        "times the rate at which they read prompts.",
        "Accelerators train at 0.56 of their measured matrix rate (39 published runs, nine in ten between 0.41 "
        "and 0.71). Loading, evaluation and failed runs are not counted.",
        *((only_attention,) if mixture else ()),
    )


def _ruled_out(inputs: PlacementInputs, task: TuningTask, *, done: Tuned) -> list[str]:
    """Return what each requirement alone rules out where nothing does all, and what comes nearest to it."""
    lines, left, places = [], ~done.ruled_out & ~done.too_small, len(done.binding)
    if (count := int(done.ruled_out.sum())) > 0:
        lines.append(f"Where texts may go rules out {count} of {places} places.")
    if (count := int(done.too_small.sum())) > 0:
        most = float(np.max(inputs.question.places.most_chips[done.too_small]))
        split = f", even where up to {most:.0f} chips split the work" if most > 1 else ""
        lines.append(f"Memory rules out {count} of {places} places{split}.")
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
            f"{wording.counted(int(left.sum()), 'place')} that are left{nearest}."
        )
    return lines
