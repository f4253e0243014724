"""What a reader must know beside the answer of /training-run: what would help, what was left out, how sure it is."""

from collections.abc import Sequence

from analysis.training_run.critical_batch import token_overhead
from analysis.training_run.more_accelerators import RunOnNumber, critical_token, gains_little, makes_slower
from analysis.training_run.outlook import RunOutlook
from analysis.training_run.published import KINDS, kind_of
from analysis.units import DAY_S
from views import wording
from views.training_run.advice import advice_words
from views.training_run.choices import chip_kind
from views.training_run.inputs import Inputs
from views.training_run.measured import errors, range_words
from views.training_run.parts import PARTS, advice, named
from views.training_run.settings import TrainingRunSettings
from views.training_run.words import days_words, percent, tokens_words

NEAR = 0.10
"""Median error up to which a kind of run needs no warning."""
FAR_BEYOND = 2.0
"""Times its critical size from which a batch is called too large."""


def run_kind(settings: TrainingRunSettings, found: Inputs, *, used: int) -> str | None:
    """Return the kind of published runs that this run is held against; None where there are none."""
    return kind_of(
        chip_kind=chip_kind(found.machine.chip.name),
        precision=settings.precision,
        sequence_token=found.model.sequence_length,
        accelerators=used,
        experts=found.model.n_experts,
    )


def notes(
    settings: TrainingRunSettings,
    found: Inputs,
    run: RunOutlook,
    *,
    used: int,
    tried: int,
    limit: str,
    steps: Sequence[RunOnNumber],
    release: str,
    searched_s: float | None,
) -> tuple[str, ...]:
    """Return the notes, the most useful first; ``searched_s`` is the searched plan's length beside one by hand. [s]"""
    told: list[str | None] = [
        _what_helps(settings, found, run, limit=limit, searched_s=searched_s),
        f"The plan is the fastest of {tried:,} that were tried." if settings.plan == "auto" else None,
        _how_sure(settings, found, used=used, release=release),
        _tokens(found),
        _batch(found),
    ]
    if used < found.accelerators:
        told.append(
            f"{found.accelerators - used:,} of {found.accelerators:,} accelerators are left out, and not paid for: a "
            f"batch of {found.global_batch:,} sequences, failures included, is done sooner on {used:,}."
        )
    if settings.available and settings.available < settings.accelerators:
        told.append(
            f"Only {settings.available:,} of the {settings.accelerators:,} accelerators wanted are available."
        )
    if found.assumed:
        told.append(f"Assumed for the {found.machine.chip.name}: {'; '.join(found.assumed)}.")
    told.append(_doubling(steps, used=used))
    if float(run.goodput.work) < 0.5:
        told.append(_lost_to_failures(settings))
    return tuple(note for note in told if note)


def _explained(part: str) -> str:
    """Return a part's name with its plain words: the pipeline bubble, stages that wait for work."""
    return f"{named(part)} ({PARTS[part][2]})"


def _what_helps(
    settings: TrainingRunSettings, found: Inputs, run: RunOutlook, *, limit: str, searched_s: float | None
) -> str:
    if settings.plan == "auto":
        return advice_words(
            found, part=limit, noun=_explained(limit), seconds=run.seconds, overlap=settings.overlap / 100
        )
    told = f"Against {_explained(limit)}: {advice(limit, searched=False)}."
    if searched_s is None or searched_s >= run.seconds:
        return told
    return (
        f"{told} With plan=auto the run takes {days_words(searched_s / DAY_S)} instead of "
        f"{days_words(run.seconds / DAY_S)}."
    )


def _how_sure(settings: TrainingRunSettings, found: Inputs, *, used: int, release: str) -> str:
    kind = run_kind(settings, found, used=used)
    error = errors(release).get(kind or "")
    if error is None:
        name = found.machine.chip.name
        return f"No published run on the {name} was at hand to hold this against: take it as a rough guide."
    against = (
        f"On published runs of its kind ({error.kind}) the model is {percent(error.size)} off at the median: "
        f"{range_words(error)}"
    )
    if error.high < 0 or error.low > 0:
        against += f", so published runs of its kind were {'faster' if error.high < 0 else 'slower'}"
    near = kind in KINDS[:2] or error.size < NEAR
    return f"{against}." if near else f"{against}. Take this as a rough guide."


def _tokens(found: Inputs) -> str | None:
    if found.tokens_basis != "assumed":
        return None
    return (
        f"How many tokens {found.name[:1].lower() + found.name[1:] if found.name == 'This model' else found.name} was "
        f"trained on is not in our table: {tokens_words(found.circumstances.tokens)}, as Llama 3.1 405B, are assumed."
    )


def _batch(found: Inputs) -> str | None:
    token = found.global_batch * found.model.sequence_length
    critical = critical_token(found.model, tokens=found.circumstances.tokens)
    if token < FAR_BEYOND * critical:
        return None
    more = float(
        token_overhead(token, critical_token=critical) / token_overhead(critical, critical_token=critical)
    )
    return (
        f"A batch of {tokens_words(token)} is {wording.multiple(token / critical)} its critical size "
        f"({tokens_words(critical)}, Kaplan 2020): to the same loss it needs about {wording.multiple(more)} the tokens "
        "of a batch of that size, and the time here counts the tokens as given."
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
    save = "save more often, " if settings.checkpoint > 0 else ""
    return f"More than half of the time is lost to failures: {save}restart faster or take fewer accelerators."
