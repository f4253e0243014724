"""Notes on the answer of /training-run: omissions, uncertainty, and what would improve the run."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from statistics import median
from typing import Any

from analysis.training_run.candidates import NoPlanFits
from analysis.training_run.pace import EIGHT_IN_TEN
from analysis.training_run.plan_search import fastest_run
from analysis.training_run.published import error_sizes
from analysis.training_run.run import TrainingRun
from analysis.training_run.tables import calibration_sources, known, published_runs, unpaced_runs
from analysis.units import DAY_S, HOUR_S
from data.records import blind_tests
from data.standing import rows
from views import wording, written
from views.chips.rents import contract_shares
from views.training_run import words as phrases
from views.training_run.answer import Answer, held_out_by_source
from views.training_run.defaults import ASSUMED, PUBLISHED, USUAL_RUN, recipes
from views.training_run.inputs import RunInputs
from views.training_run.parts import PARTS

NEAR = 0.10
"""Highest median error of a kind of run that needs no warning. [1]"""
_NAMES = written.toml(__file__, name="names.toml")
KINDS, TEXTS = _NAMES["kinds"], _NAMES["texts"]
FAR_BEYOND = 2.0
"""Multiple of the largest published batch above which a batch gets a warning. [1]"""


def caveats(answer: Answer) -> Iterator[str]:
    """Yield the answer's caveats, one sentence each, most important first."""
    settings, inputs, used = answer.settings, answer.inputs, answer.used
    run = inputs.run
    if float(answer.run.goodput.work) < 0.5:
        yield TEXTS["failures"].format(save="save more often, " if settings.checkpoint else "")
    if used < run.accelerators:
        yield TEXTS["left_out"].format(out=run.accelerators - used, run=run, used=used)
    yield from filter(None, (_large_batch(run),))
    if settings.plan == PUBLISHED and answer.searched and settings.model in recipes():
        split = not math.isnan(recipes()[settings.model]["tensor_parallel"])
        why = "does not suit this run" if split else "is not published"
        yield f"The plan with which {inputs.name} was trained {why}, so this is the fastest plan."
    if inputs.tokens_basis == ASSUMED:
        tokens = phrases.tokens_words(run.circumstances.tokens)
        yield TEXTS["tokens"].format(name=inputs.name, tokens=tokens, usual=USUAL_RUN)
    longer = [run.error for run in known(answer.release.stands_on) if run.basis != "speed"]
    yield TEXTS["whole_runs"].format(count=len(longer), longer=phrases.percent(median(longer)))


def _own_run(answer: Answer) -> str | None:
    """Return sentences on the hours of the model's own run, and on the data behind them. None if not published."""
    inputs, release, settings = answer.inputs, answer.release.stands_on, answer.settings
    if not math.isfinite(inputs.published_s) or inputs.tokens_basis != "as published":
        return None
    own = next(run for run in known(release) if run.run_id == recipes()[settings.model]["run_id"])
    all_s = inputs.published_s, answer.used * answer.run.seconds, inputs.published_s / (1 + own.error)
    reported, here, without = (phrases.short_hours(seconds / HOUR_S) for seconds in all_s)
    paced = any(run.source_id == own.source_id for run in unpaced_runs(release))
    told = ["own_run", "paced" if paced else "not_paced"]
    told += ["constants"] * (own.source_id in calibration_sources())
    told += ["own_failures"] * (own.run == USUAL_RUN and settings.hours_per_failure is None)
    chip = phrases.chip_words(inputs.run.machine.chip.name)
    text = " ".join(TEXTS[name] for name in told)
    return text.format(name=inputs.name, chip=chip, reported=reported, here=here, without=without)


def _large_batch(run: TrainingRun) -> str | None:
    """Return a warning if the batch is much larger than published ones, otherwise None."""
    largest = max(rows("training_recipes", "run_id").values(), key=batch_of)
    if run.batch_token < FAR_BEYOND * batch_of(largest):
        return None
    batch, most = (phrases.tokens_words(tokens) for tokens in (run.batch_token, batch_of(largest)))
    times = wording.multiple(run.batch_token / batch_of(largest))
    return TEXTS["large_batch"].format(batch=batch, times=times, most=most, run=largest["run"])


def batch_of(recipe: Mapping[str, Any]) -> float:
    """Return the number of tokens in a recipe's batch. [token]"""
    return recipe["global_batch"] * recipe["sequence_tokens"]


def sure(answer: Answer) -> Iterator[str]:
    """Yield sentences on the uncertainty: errors on published runs, the search for plans, and assumptions."""
    machine, recipe = answer.inputs.run.machine, recipes().get(answer.settings.model)
    yield _how_sure(answer)
    yield from filter(None, (_own_run(answer),))
    yield TEXTS["blind"].format_map(blind_tests("training")["all"])
    if recipe is not None and recipe["provenance"] == "unverified":
        yield f"The recipe of {answer.inputs.name} comes from a secondary source; we did not check the original source."
    yield _pace(answer.inputs)
    if answer.inputs.price.listed and (shares := contract_shares(answer.release.stands_on)):
        usd = phrases.money_words(answer.cost.cost_usd * median(shares))
        yield TEXTS["reserved"].format(share=median(shares), usd=usd)
    if answer.searched:
        yield f"This plan is the fastest of {answer.tried:,} plausible plans."
    if machine.assumed:
        yield f"For the {machine.chip.name}, we assume: {'; '.join(machine.assumed)}."


def _how_sure(answer: Answer) -> str:
    if answer.kind is None:
        name = answer.inputs.run.machine.chip.name
        return f"We know of no published run on the {name}, so take this result as a rough guide."
    sizes = error_sizes(published_runs(answer.release.stands_on), kind=answer.kind)
    rough = ", so take this result as a rough guide" if not len(sizes) or median(sizes) > NEAR else ""
    error = phrases.percent(median(sizes)) if len(sizes) else "not known"
    whole = held_out_by_source()
    like = TEXTS["like"].format(count=len(sizes), kind=KINDS[answer.kind], error=error, rough=rough)
    return f"{TEXTS['by_source'].format(error=phrases.percent(whole.size), errors=whole)} {like}"


def _pace(inputs: RunInputs) -> str:
    runs = f"Comparable published runs with software from {phrases.date_words(inputs.software_year)}"
    off = inputs.pace.share - 1
    if abs(off) < 0.005:
        return f"{runs} are as fast as the sum of their modelled parts implies."
    than = f"{phrases.percent(abs(off))} {'faster' if off > 0 else 'slower'}"
    return f"{runs} are {than} than the sum of their modelled parts implies, so we adjust the predicted time."


def changes(answer: Answer) -> Iterator[str | None]:
    """Yield sentences on what would change the answer, most useful first. They are slow to compute."""
    yield _what_helps(answer)
    yield _newer_software(answer.inputs, seconds=answer.run.seconds)


def _what_helps(answer: Answer) -> str:
    part, seconds = PARTS[answer.run.overhead], answer.run.seconds
    if answer.searched:
        return advice_words(answer.inputs.run, part=answer.run.overhead, noun=part.name, seconds=seconds)
    against = f"To reduce {part.name}, {part.advice(searched=False)}."
    try:
        searched_s = fastest_run(answer.inputs.run)[1].seconds
    except NoPlanFits:
        return against
    if searched_s >= seconds:
        return against
    change = phrases.change_of_days(searched_s / DAY_S, then=seconds / DAY_S)
    return f"{against} On the fastest plan, the run would take {change}."


def _newer_software(inputs: RunInputs, *, seconds: float) -> str | None:
    """Return a sentence on the effect of the newest known software. None if it is not much newer than the run's."""
    if inputs.newer is None or inputs.run.machine.early_kernels or inputs.newer[1].share == 1:
        return None
    newest, gain = inputs.newer
    low, high = (seconds / bound / DAY_S for bound in reversed(gain.bounds(EIGHT_IN_TEN)))
    days, ends = phrases.days_words(seconds / gain.share / DAY_S), phrases.range_of_days(low, high)
    new, old = phrases.date_words(newest), phrases.date_words(inputs.software_year)
    return TEXTS["newer_software"].format(new=new, old=old, days=days, ends=ends)


WORTH_SAYING = 0.99
"""Maximum ratio of the new to the old duration for a change to be reported. [1]"""
NUMBERS = written.toml(__file__, name="changes.toml")
"""Numbers of the chip, machine or circumstances that may improve, keyed by name: field, new value and text."""


def _in_words(words: str, value: Any) -> str:
    """Return the text of a change, with its value in plain and common units."""
    if value is None:
        return words
    sizes = {"byte": wording.quantity(value, "byte"), "byte_per_s": wording.quantity(value, "byte/s")}
    gbit, minutes = wording.significant(value * 8 / 1e9, 3), wording.significant(value / 60)
    return words.format(value=value, gbit=gbit, minutes=minutes, **sizes)


def _changed(run: TrainingRun, name: str) -> tuple[str, TrainingRun]:
    """Return the text of a change, and the changed run."""
    if name == "batch":
        tokens = wording.significant(2 * run.batch_token / 1e6, 3)
        words = f"a batch of {tokens}M tokens"
        return words, replace(run, global_batch=2 * run.global_batch)
    number = NUMBERS[name]
    of, attribute = number["at"].split(".")
    part = run.machine.chip if of == "chip" else getattr(run, of)
    better = number.get("to")
    if "times" in number:
        better = max(number["times"] * getattr(part, attribute), number.get("least", 0))
    changed: dict[str, Any] = {attribute: better}
    words = _in_words(number["words"], better)
    if of == "chip":
        return words, replace(run, machine=run.machine.with_chip(**changed))
    return words, replace(run, **{of: replace(part, **changed)})


def changes_that_help(run: TrainingRun, *, part: str, seconds: float) -> tuple[tuple[str, float], ...]:
    """Return the changes to one part of the time that shorten the run, with the new durations. [s]

    Each duration is that of its own fastest plan; the shortest comes first. A faster network is suggested for
    tensor-parallel communication only if more chips share a layer than a scale-up domain has.
    """
    gains = []
    for name in PARTS[part].changes:
        words, changed = _changed(run, name)
        if changed == run:
            continue
        try:
            best, outlook = fastest_run(changed)
        except NoPlanFits:
            continue
        within = best.plan.one("tensor_parallel") <= run.machine.chip.domain_size
        if part == "tensor_s" and name == "network" and within:
            continue
        if outlook.seconds < WORTH_SAYING * seconds:
            gains.append((words, outlook.seconds))
    return tuple(sorted(gains, key=lambda gain: gain[1]))


def advice_words(run: TrainingRun, *, part: str, noun: str, seconds: float) -> str:
    """Return a sentence on changes that would reduce a part of the time, and on the resulting durations."""
    gains = changes_that_help(run, part=part, seconds=seconds)
    if not gains:
        return f"None of the single changes tried against {noun} saves 1% of the time."
    effects = wording.listed([f"{words} ({phrases.days_words(length / DAY_S)})" for words, length in gains])
    return f"To reduce {noun}, try {effects}."
