"""What is said beside the answer of /training-run: what was left out, how sure it is, and what would help."""

from collections.abc import Iterator, Sequence

from analysis.training_run.candidates import NoPlanFits
from analysis.training_run.critical_batch import token_overhead
from analysis.training_run.more_accelerators import RunOnNumber, critical_token, gains_little, makes_slower
from analysis.training_run.outlook import RunOutlook
from analysis.training_run.pace import EIGHT_IN_TEN
from analysis.training_run.published import KINDS, kind_of
from analysis.units import DAY_S
from views import wording
from views.training_run.advice import advice_words
from views.training_run.choices import chip_kind
from views.training_run.chosen_plan import searched
from views.training_run.inputs import RunInputs
from views.training_run.measured import errors, range_words
from views.training_run.parts import PARTS, advice, named
from views.training_run.settings import TrainingRunSettings
from views.training_run.software import date_words
from views.training_run.words import days_words, percent, range_of_days, tokens_words

NEAR = 0.10
"""Median error up to which a kind of run needs no warning."""
FAR_BEYOND = 2.0
"""Times its critical size from which a batch is called too large."""


def run_kind(settings: TrainingRunSettings, inputs: RunInputs, *, used: int) -> str | None:
    """Return the kind of published runs that this run is held against; None where there are none."""
    return kind_of(
        chip_kind=chip_kind(inputs.machine.chip.name),
        precision=settings.precision,
        sequence_token=inputs.model.sequence_length,
        accelerators=used,
        experts=inputs.model.n_experts,
    )


def caveats(
    settings: TrainingRunSettings, inputs: RunInputs, *, run: RunOutlook, used: int
) -> tuple[str, ...]:
    """Return what a reader must know, one sentence each, the most important first."""
    lines: list[str | None] = []
    if float(run.goodput.work) < 0.5:
        lines.append(_lost_to_failures(settings))
    if used < inputs.accelerators:
        lines.append(
            f"{inputs.accelerators - used:,} of {inputs.accelerators:,} accelerators are left out, and not paid for: "
            f"with a batch of {inputs.global_batch:,} sequences the run ends sooner on {used:,}, failures included."
        )
    lines += [_batch(inputs), _tokens(inputs)]
    if settings.available and settings.available < settings.accelerators:
        lines.append(
            f"Only {settings.available:,} of the {settings.accelerators:,} accelerators wanted are available."
        )
    return tuple(line for line in lines if line)


def sure(
    settings: TrainingRunSettings, inputs: RunInputs, *, used: int, tried: int, release: str
) -> tuple[str, ...]:
    """Return how sure the answer is: the errors against published runs, what was tried, and what is assumed."""
    lines = [_how_sure(settings, inputs, used=used, release=release)]
    lines.append(_pace(inputs))
    if settings.plan == "auto":
        lines.append(f"The plan is the fastest of {tried:,} worth trying.")
    if inputs.assumed:
        lines.append(f"Assumed for the {inputs.machine.chip.name}: {'; '.join(inputs.assumed)}.")
    return tuple(lines)


def changes(
    settings: TrainingRunSettings,
    inputs: RunInputs,
    *,
    run: RunOutlook,
    used: int,
    limit: str,
    steps: Sequence[RunOnNumber],
) -> Iterator[str | None]:
    """Yield what would change the answer, the most useful first: it costs time, so only where it is read."""
    yield _what_helps(settings, inputs, run=run, limit=limit)
    yield _newer_software(inputs, seconds=run.seconds)
    yield _doubling(steps, used=used)


def _explained(part: str) -> str:
    """Return a part's name with its plain words: the pipeline bubble, stages that wait for work."""
    return f"{named(part)} ({PARTS[part][2]})"


def _what_helps(settings: TrainingRunSettings, inputs: RunInputs, *, run: RunOutlook, limit: str) -> str:
    if settings.plan == "auto":
        return advice_words(
            inputs, part=limit, noun=_explained(limit), seconds=run.seconds, overlap=settings.overlap / 100
        )
    against = f"Against {_explained(limit)}: {advice(limit, searched=False)}."
    try:
        searched_s = searched(inputs, overlap=settings.overlap / 100)[2].seconds
    except NoPlanFits:
        return against
    if searched_s >= run.seconds:
        return against
    return (
        f"{against} On the fastest plan the run takes {days_words(searched_s / DAY_S)} instead of "
        f"{days_words(run.seconds / DAY_S)}."
    )


def _newer_software(inputs: RunInputs, *, seconds: float) -> str | None:
    """Return what the newest software known would do, with the range that published runs leave it."""
    if inputs.newer is None or inputs.machine.early_kernels:
        return None
    newest, gain = inputs.newer
    low, high = (seconds / bound / DAY_S for bound in reversed(gain.bounds(EIGHT_IN_TEN)))
    days, ends = days_words(seconds / gain.share / DAY_S), range_of_days(low, high)
    return (
        f"With software of {date_words(newest)} instead of {date_words(inputs.software_year)}: {days} ({ends} in eight "
        "of ten cases, by what published runs gained from newer software)."
    )


def _pace(inputs: RunInputs) -> str:
    """Return by how much the time is moved by published runs, and the software that is assumed."""
    year = date_words(inputs.software_year)
    off = inputs.pace.share - 1
    if abs(off) < 0.005:
        return f"Published runs alike are as fast as their parts add up to, with software of {year}."
    than = f"{percent(abs(off))} {'faster' if off > 0 else 'slower'}"
    return (
        f"Published runs alike are {than} than their parts add up to, with software of {year}; the time here is moved "
        "by as much."
    )


def _how_sure(settings: TrainingRunSettings, inputs: RunInputs, *, used: int, release: str) -> str:
    kind = run_kind(settings, inputs, used=used)
    error = errors(release).get(kind or "")
    if error is None:
        name = inputs.machine.chip.name
        return f"We have no published run on the {name} to check this against, so take it as a rough guide."
    against = (
        f"On published runs of its kind ({error.kind}), each predicted without its model on that chip, the median "
        f"error is {percent(error.size)}: {range_words(error)}"
    )
    if error.high < 0 or error.low > 0:
        against += f", so published runs of its kind were {'faster' if error.high < 0 else 'slower'}"
    near = kind in KINDS[:2] or error.size < NEAR
    return f"{against}." if near else f"{against}. Take this as a rough guide."


def _tokens(inputs: RunInputs) -> str | None:
    if inputs.tokens_basis != "assumed":
        return None
    name = "this model" if inputs.name == "This model" else inputs.name
    return (
        f"How many tokens {name} was trained on is not in our table, so "
        f"{tokens_words(inputs.circumstances.tokens)} are assumed, as for Llama 3.1 405B."
    )


def _batch(inputs: RunInputs) -> str | None:
    token = inputs.global_batch * inputs.model.sequence_length
    critical = critical_token(inputs.model, tokens=inputs.circumstances.tokens)
    if token < FAR_BEYOND * critical:
        return None
    more = float(
        token_overhead(token, critical_token=critical) / token_overhead(critical, critical_token=critical)
    )
    return (
        f"A batch of {tokens_words(token)} is {wording.multiple(token / critical)} its critical size "
        f"({tokens_words(critical)}, Kaplan 2020), so the same loss needs about {wording.multiple(more)} the tokens, "
        "which the time here does not count."
    )


def _doubling(steps: Sequence[RunOnNumber], *, used: int) -> str | None:
    """Return what doubling the accelerators does where this run is past gaining half as much again from it."""
    slower = makes_slower(steps)
    if slower and slower <= used:
        return f"Doubling {slower:,} accelerators makes the run slower; this run uses {used:,}."
    little = gains_little(steps)
    if little and little <= used:
        return f"Doubling {little:,} accelerators makes the run less than 1.5 times faster; this run uses {used:,}."
    return None


def _lost_to_failures(settings: TrainingRunSettings) -> str:
    save = "save more often, " if settings.checkpoint else ""
    return f"More than half of the time is lost to failures: {save}restart faster or use fewer accelerators."
