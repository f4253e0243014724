"""What limits this training run?"""

from collections.abc import Iterator

from analysis.cost import run_cost
from analysis.training_run.candidates import NoPlanFits
from analysis.training_run.device_memory import USABLE_SHARE, device_memory, fits, lacking_words
from analysis.training_run.more_accelerators import runs_by_number
from analysis.training_run.outlook import RunOutlook, outlook
from analysis.training_run.plans import Plans
from data.releases import Release
from views import wording, written
from views.on_demand import OnDemand
from views.result import Exhibit, Figure
from views.sources import CURATION, EPOCH_AI, TRAINING_TABLES
from views.training_run.choices import accelerators
from views.training_run.chosen_plan import chosen_plan
from views.training_run.dear import dear
from views.training_run.exchange import exchange_exhibit
from views.training_run.figures import figures
from views.training_run.goodput import goodput_exhibit
from views.training_run.impossible import impossible
from views.training_run.inputs import RunInputs, inputs_of
from views.training_run.measured import kinds_exhibit, measured_exhibit
from views.training_run.notes import caveats, changes, run_kind, sure
from views.training_run.parts import WORK, memory_exhibit, named, time_exhibit
from views.training_run.scaling import scaling_exhibit
from views.training_run.settings import TrainingRunSettings
from views.training_run.sites import sites_exhibit
from views.training_run.software import CHIPS_TIME
from views.training_run.words import chip_words, days_words, many_words, percent, tokens_words
from views.training_run.years import later_exhibit
from views.view import Finding, View

SOURCES = (EPOCH_AI, CURATION, TRAINING_TABLES)
MOST_NOTES = 3
"""So many notes stand beside the chart at most."""


FURTHER = (
    *(
        "model",
        "accelerator",
        "accelerators",
        "compute",
        "ramp_from",
        "ramp_tokens",
        "layers",
        "hidden",
        "heads",
    ),
    *(
        "vocabulary",
        "experts",
        "active_experts",
        "precision",
        "peak",
        "bandwidth",
        "memory",
        "link",
        "network",
    ),
    *(
        "domain",
        "jitter",
        "storage",
        "available",
        "overlap",
        "hours_per_failure",
        "restart",
        "spares",
        "checkpoint",
    ),
    *("saving", "price", "rents", "power", "pue", "sites", "local_steps", "wide_area"),
)
"""The settings that the line of settings names only where they are off their default."""


def build(settings: TrainingRunSettings, release: Release) -> Finding:
    """Return how long the run takes, what it costs, what limits it, and what more accelerators would do."""
    data_words = f"{settings.chosen_words(*FURTHER)}Release {release.name}."
    chip = chip_words(accelerators()[settings.accelerator])
    try:
        inputs = inputs_of(settings, release)
    except (ValueError, LookupError) as problem:
        return impossible(
            str(problem),
            headline=f"No training run on the {chip} with these choices",
            settings=settings,
            words=data_words,
            sources=SOURCES,
        )
    overlap = settings.overlap / 100
    words = f"{_batch_words(inputs)}{_software_words(settings, inputs)} {data_words}"
    try:
        chosen = chosen_plan(settings, inputs)
    except NoPlanFits as problem:
        many = wording.counted(inputs.accelerators, "accelerator")
        return impossible(
            str(problem),
            headline=f"No plan fits {inputs.name} on {many_words(inputs.accelerators, chip)}"
            if problem.leanest is not None
            else f"No plan splits this batch over {many}",
            settings=settings,
            words=words,
            sources=SOURCES,
            inputs=inputs,
            memory=problem.leanest,
        )
    except ValueError as problem:
        return impossible(
            str(problem),
            headline=f"This plan does not split {wording.counted(inputs.accelerators, 'accelerator')}",
            settings=settings,
            words=words,
            sources=SOURCES,
            inputs=inputs,
        )
    plan, used = chosen.plan, chosen.used
    memory = device_memory(inputs.model, inputs.machine, plans=plan, global_batch=inputs.global_batch)
    others = f"Each point on its own fastest plan. {words}"
    words = f"{_plan_words(plan)}. {words}"
    if not fits(memory, inputs.machine):
        needed, usable = float(memory.total_byte), USABLE_SHARE * inputs.machine.chip.memory_capacity_byte
        return impossible(
            f"this plan needs {lacking_words(needed, inputs.machine)}; recompute more, split further, or use the "
            "fastest plan",
            headline=f"This plan needs {wording.multiple(max(needed / usable, 1.01))} the memory there is",
            settings=settings,
            words=words,
            sources=SOURCES,
            inputs=inputs,
            memory=memory,
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
    limit, frozen = _limit(run), release.stands_on
    headline = f"{inputs.name} on {many_words(used, chip)} takes {days_words(cost.days)}"
    told = caveats(settings, inputs, run=run, used=used)
    found = figures(
        inputs,
        run=run,
        cost=cost,
        used=used,
        memory=memory,
        limit=limit,
        settings=settings,
        release=frozen,
    )
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
        yield later_exhibit(
            release, inputs, accelerators=used, overlap=overlap, rents=settings.rents, source=others
        )
        yield measured_exhibit(frozen, source=data_words)
        yield kinds_exhibit(frozen, kind=run_kind(settings, inputs, used=used), source=data_words)

    return Finding(
        headline=headline,
        subtitle=_subtitle(run, limit=limit, published=found[0]),
        figures=found,
        exhibits=OnDemand(exhibits),
        settings_line=words,
        notes=told[:MOST_NOTES],
        sure=(
            *sure(settings, inputs, used=used, tried=chosen.tried, release=frozen),
            *told[MOST_NOTES:],
        ),
        changes=OnDemand(lambda: changes(settings, inputs, run=run, used=used, limit=limit, steps=more)),
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
        f"{tokens_words(inputs.circumstances.tokens)} in batches of {tokens_words(token).removesuffix(' tokens')}, "
        f"sequences of {inputs.model.sequence_length:,}."
    )


def _software_words(settings: TrainingRunSettings, inputs: RunInputs) -> str:
    """Return what is asked of the software, where that is not as it comes."""
    hidden, of = inputs.machine.expert_overlap, settings.software
    dated = "" if of == CHIPS_TIME else f" Software of {wording.month_words(of)}."
    return (f" {percent(hidden)} of the exchange between experts overlapped." if hidden else "") + dated


def _limit(run: RunOutlook) -> str:
    """Return the largest part of the wall clock that is no matrix work."""
    return max((name for name in run.shares if name not in WORK), key=lambda name: run.shares[name])


def _subtitle(run: RunOutlook, *, limit: str, published: Figure) -> str:
    """Return the interval by the errors on published runs, the share of matrix work, and what else takes time."""
    work = percent(sum(run.shares[name] for name in WORK))
    judged = f"{wording.sentence_case(published.interval_text)}, judged by published runs like it"
    return (
        f"{'No published run to check it by' if published.low is None else judged}. {wording.sentence_case(work)} of "
        f"the time is matrix products and attention; the largest other part is {named(limit)} "
        f"({percent(run.shares[limit])})."
    )


VIEW = View(
    path="/training-run",
    title="Training run",
    question="What limits this training run?",
    settings=TrainingRunSettings,
    build=build,
    method=written.method(__file__),
    leads_to=("/model-errors",),
    dear=dear,
)
