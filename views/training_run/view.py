"""Finding of /training-run: the duration and cost of the run, and what limits it."""

from collections.abc import Iterator
from functools import partial

from analysis.refusal import Refusal
from analysis.training_run.candidates import NoPlanFits
from analysis.training_run.device_memory import USABLE_SHARE, fits, lacking_words
from analysis.training_run.pace import EIGHT_IN_TEN
from analysis.training_run.plans import Plans
from data.releases import Release
from data.standing import rows
from views import wording, written
from views.exhibits import stated_figure
from views.lazy_sequence import LazySequence
from views.result import Exhibit, Figure
from views.settings import definitions
from views.training_run import words as phrases
from views.training_run.answer import Answer
from views.training_run.defaults import CUSTOM, accelerators, architectures
from views.training_run.exhibits import exchange_exhibit, goodput_exhibit, later_exhibit, length_exhibit
from views.training_run.impossible import PATH, SOURCES, impossible
from views.training_run.inputs import CHIPS_TIME, DEGREES, RunInputs, chosen_plan, inputs_of, sequences
from views.training_run.notes import caveats, changes, sure
from views.training_run.parts import PARTS, memory_exhibit, time_exhibit
from views.training_run.settings import TrainingRunSettings
from views.view import Finding, View

_figure = partial(stated_figure, written.toml(__file__, name="figures.toml"))


def figures(answer: Answer) -> Iterator[Figure]:
    """Yield the run's figures: the three key figures, and those for tests of claims."""
    inputs, run, cost = answer.inputs, answer.run, answer.cost
    low, high = inputs.pace.bounds(EIGHT_IN_TEN)
    energy, limit_share = cost.energy_gwh, run.shares[run.overhead]
    megawatts = f"{wording.significant(energy * 1e3)} MWh"
    energy_words = megawatts if energy < 1 else f"{wording.significant(energy)} GWh"
    goodput, memory_byte = float(run.goodput.work), float(answer.memory.total_byte)
    least, most = (cost.cost_usd * end for end in answer.cost_bounds)
    known, each = most > least, f"${inputs.price.usd:.2f} an hour each"
    ends = wording.at_level(0.9, low=phrases.money_words(least), high=phrases.money_words(most))
    yield _days(answer)
    yield _figure(
        "cost_usd",
        value=cost.cost_usd,
        text=phrases.money_words(cost.cost_usd),
        low=least if known else None,
        high=most if known else None,
        level=0.9 if known else None,
        interval_text=f"{ends}{', on demand' * inputs.price.listed}" if known else each,
        method=f"accelerator-hours including spares × price: {inputs.price.basis}",
    )
    power_words = f"{inputs.power_w:,.0f} W each, PUE {answer.settings.pue:g}"
    yield _figure("energy_j", value=cost.energy_j, text=energy_words, interval_text=power_words)
    yield _figure("mfu", value=run.mfu, text=phrases.percent(run.mfu))
    label = f"Pace of comparable runs with software from {phrases.date_words(inputs.software_year)}"
    share = inputs.pace.share
    yield _figure("pace", label=label, value=share, text=wording.times(share), low=low, high=high)
    yield _figure("goodput", value=goodput, text=phrases.percent(goodput))
    label = PARTS[run.overhead].label
    yield _figure("limit_share", label=label, value=limit_share, text=phrases.percent(limit_share))
    yield _figure("memory_byte", value=memory_byte, text=wording.quantity(memory_byte, "byte"))
    yield _figure("accelerators", value=float(answer.used), text=f"{answer.used:,}")
    yield _figure("steps", value=run.steps, text=wording.significant(run.steps, 3))
    critical = inputs.run.critical_token
    text = f"{wording.significant(critical / 1e6, 3)} million tokens"
    yield _figure("critical_batch_token", value=critical, text=text)


def _days(answer: Answer) -> Figure:
    """Return the duration as a figure, with an 80% range if there are comparable published runs."""
    days = answer.cost.days
    low = high = None
    interval_text = "no comparable run"
    if answer.kind is not None:
        low, high = (days * end for end in answer.time_bounds(EIGHT_IN_TEN))
        interval_text = phrases.range_of_days(low, high)
    text = phrases.days_words(days)
    return _figure("days", value=days, text=text, low=low, high=high, interval_text=interval_text)


MOST_NOTES = 3
"""Maximum number of notes beside the chart."""
MANY_ACCELERATORS = 65_536
MANY_SEQUENCES = 32_768
LONG_SEQUENCE = 32_768
"""Sequence length from which sequences are split over devices in at least three ways. [token]"""
MANY_WAYS = 150
"""Number of ways to split experts and sequences that counts as many."""

IN_WORDS = frozenset(
    {"release", "plan", "tokens", "batch", "sequence", "precision", "expert_overlap", "software", *DEGREES}
)
FURTHER = tuple(name for name in definitions(TrainingRunSettings) if name not in IN_WORDS)
"""Settings that the settings line contains only if they differ from their default."""


def build(settings: TrainingRunSettings, release: Release) -> Finding:
    """Return the finding on the run's duration, cost and limits, and on the effect of more accelerators."""
    data_words = _data_words(settings, release)
    chip = phrases.chip_words(accelerators()[settings.accelerator])
    try:
        inputs = inputs_of(settings, release)
    except Refusal as problem:
        headline = f"No training run on the {chip} with these choices"
        return impossible(problem, headline=headline, settings=settings, words=data_words)
    words = f"{_batch_words(inputs)}{_software_words(settings, inputs)} {data_words}"
    many = wording.counted(inputs.run.accelerators, "accelerator")
    try:
        plan, tried = chosen_plan(settings, inputs.run)
    except NoPlanFits as problem:
        headline = f"No plan fits {inputs.name} on {phrases.many_words(inputs.run.accelerators, chip)}"
        if problem.leanest is None:
            headline = f"No plan splits this batch over {many}"
        return impossible(
            problem, headline=headline, settings=settings, words=words, inputs=inputs, memory=problem.leanest
        )
    except Refusal as problem:
        headline = f"This plan does not split {many}"
        return impossible(problem, headline=headline, settings=settings, words=words, inputs=inputs)
    answer = Answer(settings=settings, release=release, inputs=inputs, plan=plan, tried=tried)
    plan_words = f"{_plan_words(plan)}. {words}"
    if not fits(answer.memory, inputs.run.machine):
        return _too_large(answer, words=plan_words)
    return _finding(answer, chip=chip, words=words, plan_words=plan_words)


def _data_words(settings: TrainingRunSettings, release: Release) -> str:
    return f"{settings.chosen_words(*FURTHER)}{wording.sentence_case(release.words)}."


def _too_large(answer: Answer, *, words: str) -> Finding:
    machine = answer.inputs.run.machine
    needed_byte = float(answer.memory.total_byte)
    times = wording.multiple(max(needed_byte / (USABLE_SHARE * machine.chip.memory_capacity_byte), 1.01))
    remedy = "recompute more, split more, or use the fastest plan"
    return impossible(
        Refusal(f"this plan needs {lacking_words(needed_byte, machine)}", remedy=remedy),
        headline=f"This plan needs {times} the available memory",
        settings=answer.settings,
        words=words,
        inputs=answer.inputs,
        memory=answer.memory,
    )


def _finding(answer: Answer, *, chip: str, words: str, plan_words: str) -> Finding:
    settings, inputs, release, run = answer.settings, answer.inputs, answer.release, answer.run
    data_words, others = _data_words(settings, release), f"Each point has its own fastest plan. {words}"
    notes, numbers = tuple(caveats(answer)), tuple(figures(answer))
    days = numbers[0]
    ends = "" if days.low is None else f" ({wording.number_words(days.interval_text, beside=days.text)})"
    limited = f"limited by {'compute' if run.is_compute_bound else PARTS[run.overhead].name}"
    train = "trains" if answer.used == 1 else "train"
    many = phrases.many_words(answer.used, chip)
    whole = f"{wording.sentence_case(many)} {train} {inputs.name} in {days.text}"
    if days.text == phrases.FOREVER:
        whole = f"{inputs.name} takes {days.text} on {many}"
    headline = wording.fitting(f"{whole}, {limited}", f"Training {inputs.name} takes {days.text}, {limited}")

    def exhibits() -> Iterator[Exhibit | None]:
        capacity_byte = inputs.run.machine.chip.memory_capacity_byte
        yield time_exhibit(
            run, headline=headline, whole=f"{days.text}{ends}", source=plan_words, searched=answer.searched
        )
        yield memory_exhibit(answer.memory, capacity_byte=capacity_byte, source=plan_words)
        yield length_exhibit(answer.by_number, source=others)
        yield goodput_exhibit(inputs.run, used=answer.used, source=data_words)
        yield exchange_exhibit(inputs.run, source=data_words)
        bounds = answer.cost_bounds
        yield later_exhibit(
            release, inputs, used=answer.used, rents=settings.rents, source=others, bounds=bounds
        )

    return Finding(
        headline=headline,
        subtitle=_subtitle(answer, days=days),
        figures=numbers,
        exhibits=LazySequence(exhibits),
        settings_line=plan_words,
        notes=notes[:MOST_NOTES],
        sure=(*sure(answer), *notes[MOST_NOTES:]),
        changes=LazySequence(lambda: changes(answer)),
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
    precision = definitions(TrainingRunSettings)["precision"].shown(inputs.run.machine.precision)
    return (
        f"{phrases.tokens_words(inputs.run.circumstances.tokens)} in batches of "
        f"{phrases.short_tokens(inputs.run.batch_token)}, sequences of {inputs.run.model.sequence_length:,}, "
        f"{precision}."
    )


def _software_words(settings: TrainingRunSettings, inputs: RunInputs) -> str:
    hidden, of = inputs.run.machine.expert_overlap, settings.software
    dated = "" if of == CHIPS_TIME else f" Software from {wording.month_words(of)}."
    return (f" {phrases.percent(hidden)} of expert communication is overlapped." if hidden else "") + dated


def _subtitle(answer: Answer, *, days: Figure) -> str:
    """Return a subtitle: what the range covers, the share of matmuls, and the largest overhead."""
    run, overhead = answer.run, answer.run.overhead
    work, ends = phrases.percent(run.compute_share), days.interval_text
    judged = f"The 80% range of training without pauses, tests or repeats, from comparable runs, is {ends}"
    return (
        f"{'No comparable run has been published' if days.low is None else judged}. Matmuls and attention take "
        f"{work} of the time; the largest overhead is {PARTS[overhead].name} ({phrases.percent(run.shares[overhead])})."
    )


def expensive(settings: TrainingRunSettings) -> bool:
    """Return whether there are so many plans to evaluate that the answer may take more than half a second.

    The search halves the accelerators repeatedly, and splits experts and long sequences in powers of two.
    """
    number = min(settings.accelerators, settings.available or settings.accelerators)
    sequence = settings.number("sequence")
    if number > MANY_ACCELERATORS or sequence >= LONG_SEQUENCE or sequences(settings) > MANY_SEQUENCES:
        return True
    experts = settings.experts
    if settings.model != CUSTOM:
        with settings.reading():
            experts = int(rows("architectures", "name")[architectures()[settings.model]]["n_experts"]) or 1
    splits = 2 if sequence >= LONG_SEQUENCE // 2 else 1
    return number.bit_length() * splits * (experts & -experts).bit_length() > MANY_WAYS


VIEW = View(
    settings=TrainingRunSettings, build=build, expensive=expensive, **written.page(__file__, path=PATH)
)
