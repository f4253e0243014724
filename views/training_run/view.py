"""What limits this training run?"""

from collections.abc import Iterator

from analysis.cost import RunCost, run_cost
from analysis.training_run.candidates import NoPlanFits
from analysis.training_run.device_memory import device_memory, fits, lacking_words
from analysis.training_run.fastest_run import fastest_run
from analysis.training_run.more_accelerators import runs_by_number
from analysis.training_run.outlook import RunOutlook, outlook
from analysis.training_run.plans import Plans
from data.releases import Release, latest, names
from views import wording
from views.on_demand import OnDemand
from views.result import Exhibit
from views.sources import CURATION, EPOCH_AI, TRAINING_TABLES
from views.training_run.dear import dear
from views.training_run.exchange import exchange_exhibit
from views.training_run.figures import figures
from views.training_run.goodput import goodput_exhibit
from views.training_run.impossible import impossible
from views.training_run.inputs import RunInputs, inputs_of, manual_plan
from views.training_run.measured import kinds_exhibit, measured_exhibit
from views.training_run.method import METHOD
from views.training_run.notes import notes, run_kind
from views.training_run.parts import WORK, memory_exhibit, named, time_exhibit
from views.training_run.scaling import scaling_exhibit
from views.training_run.settings import TrainingRunSettings
from views.training_run.sites import sites_exhibit
from views.training_run.words import days_words, percent, tokens_words
from views.training_run.years import later_exhibit
from views.view import Finding, View

SOURCES = (EPOCH_AI, CURATION, TRAINING_TABLES)


def build(settings: TrainingRunSettings, release: Release) -> Finding:
    """Return how long the run takes, what it costs, what limits it, and what more accelerators would do."""
    data_words = f"Chips: Epoch AI (CC BY 4.0), curated, release {release.name}."
    try:
        inputs = inputs_of(settings, release)
    except (ValueError, LookupError) as problem:
        return impossible(str(problem), settings=settings, words=data_words, sources=SOURCES)
    overlap = settings.overlap / 100
    try:
        if settings.plan == "manual":
            plan = manual_plan(settings, inputs)
            used, tried = inputs.accelerators, 1
        else:
            best, used, _ = fastest_run(
                inputs.model,
                inputs.machine,
                accelerators=inputs.accelerators,
                global_batch=inputs.global_batch,
                circumstances=inputs.circumstances,
                overlap=overlap,
            )
            plan, tried = best.plan, best.tried
    except ValueError as problem:
        return impossible(
            str(problem),
            settings=settings,
            words=f"{_batch_words(inputs)} {data_words}",
            sources=SOURCES,
            memory=problem.leanest if isinstance(problem, NoPlanFits) else None,
            capacity_byte=inputs.machine.chip.memory_capacity_byte,
        )
    memory = device_memory(inputs.model, inputs.machine, plans=plan, global_batch=inputs.global_batch)
    words = f"{_plan_words(plan)}. {_batch_words(inputs)} {data_words}"
    others = f"Each point on its own fastest plan. {_batch_words(inputs)} {data_words}"
    if not fits(memory, inputs.machine):
        return impossible(
            f"this plan needs {lacking_words(float(memory.total_byte), inputs.machine)}; recompute more, split "
            "further, or let plan=auto choose",
            settings=settings,
            words=words,
            sources=SOURCES,
            memory=memory,
            capacity_byte=inputs.machine.chip.memory_capacity_byte,
        )
    run = outlook(
        inputs.model,
        inputs.machine,
        plan=plan,
        global_batch=inputs.global_batch,
        circumstances=inputs.circumstances,
    )
    cost = run_cost(
        accelerators=used,
        seconds=run.seconds,
        power_w_per_accelerator=inputs.power_w,
        pue=settings.pue,
        usd_per_accelerator_hour=inputs.price_usd,
        spare_share=inputs.circumstances.spare_share,
    )
    limit, frozen = _limit(run), _frozen(release)
    headline = _headline(settings, inputs, run=run, cost=cost, used=used, limit=limit)
    more = OnDemand(
        lambda: iter(
            runs_by_number(
                inputs.model,
                inputs.machine,
                accelerators=used,
                global_batch=inputs.global_batch,
                circumstances=inputs.circumstances,
                overlap=overlap,
            )
        )
    )

    def exhibits() -> Iterator[Exhibit | None]:
        yield time_exhibit(run, headline=headline, source=words, searched=settings.plan == "auto")
        yield memory_exhibit(memory, inputs, source=words)
        yield scaling_exhibit(more, source=others)
        yield sites_exhibit(inputs, step_s=run.step_s, source=words)
        yield goodput_exhibit(inputs, used=used, source=data_words)
        yield exchange_exhibit(inputs, source=data_words)
        yield later_exhibit(release, inputs, accelerators=used, overlap=overlap, source=others)
        yield measured_exhibit(frozen, source=data_words)
        yield kinds_exhibit(frozen, kind=run_kind(settings, inputs, used=used), source=data_words)

    return Finding(
        headline=headline,
        figures=figures(
            inputs,
            run=run,
            cost=cost,
            used=used,
            memory=memory,
            limit=limit,
            settings=settings,
            release=frozen,
        ),
        exhibits=OnDemand(exhibits),
        settings_line=words,
        notes=OnDemand(
            lambda: notes(
                settings,
                inputs,
                run=run,
                used=used,
                tried=tried,
                limit=limit,
                steps=more,
                release=frozen,
                searched_s=_searched_s(inputs, overlap=overlap) if settings.plan == "manual" else None,
            )
        ),
        sources=SOURCES,
    )


def _plan_words(plan: Plans) -> str:
    names = ("tensor", "pipeline", "data", "context", "expert")
    degrees = {name: plan.one(f"{name}_parallel") for name in names}
    split = " × ".join(f"{name} {n:.0f}" for name, n in degrees.items() if n > 1 or name == "data")
    kinds = ("no recomputation", "selective recomputation", "full recomputation")
    return wording.sentence_case(
        f"{split}, interleaving {plan.one('interleave'):.0f}, micro-batch {plan.one('micro_batch'):.0f}, "
        f"ZeRO {plan.one('zero_stage'):.0f}, {kinds[int(plan.one('recompute'))]}"
    )


def _batch_words(inputs: RunInputs) -> str:
    token = inputs.global_batch * inputs.model.sequence_length
    return (
        f"{tokens_words(inputs.circumstances.tokens)} in batches of {tokens_words(token)}, sequences of "
        f"{inputs.model.sequence_length:,}."
    )


def _searched_s(inputs: RunInputs, *, overlap: float) -> float | None:
    """Return how long the run takes on the plan that the search finds; None where it finds none. [s]"""
    try:
        *_, run = fastest_run(
            inputs.model,
            inputs.machine,
            accelerators=inputs.accelerators,
            global_batch=inputs.global_batch,
            circumstances=inputs.circumstances,
            overlap=overlap,
        )
    except NoPlanFits:
        return None
    return run.seconds


def _limit(run: RunOutlook) -> str:
    """Return the largest part of the wall clock that is no matrix work."""
    return max((name for name in run.shares if name not in WORK), key=lambda name: run.shares[name])


def _headline(
    settings: TrainingRunSettings, inputs: RunInputs, *, run: RunOutlook, cost: RunCost, used: int, limit: str
) -> str:
    share = percent(run.shares[limit])
    work = percent(sum(run.shares[name] for name in WORK))
    return (
        f"{inputs.name} on {used:,} {inputs.machine.chip.name} takes {days_words(cost.days)} for "
        f"{tokens_words(inputs.circumstances.tokens)}: {work} of the time is matrix work, attention included; the "
        f"largest other part is {named(limit)} ({share})"
    )


def _frozen(release: Release) -> str:
    """Return the frozen release whose chips the published runs are checked on: a reader's export stands on one."""
    return release.name if release.name in names() else release.base or latest()


VIEW = View(
    path="/training-run",
    title="Training run",
    question="What limits this training run?",
    settings=TrainingRunSettings,
    build=build,
    method=METHOD,
    dear=dear,
)
