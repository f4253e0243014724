"""What is known poorly of a fine-tuning, and what each limit rules out where no place does all."""

from collections.abc import Iterator

import numpy as np

from analysis.placement.tuning import SEQUENCE_TOKENS, Tuned, TuningTask
from views import wording
from views.placement.amounts import hours, usd
from views.placement.inputs import PlacementInputs


def sureness(years: float, *, mixture: bool) -> tuple[str, ...]:
    """Return how it is charged, and what is poorly known."""
    only_attention = (
        "Of a mixture of experts only the attention is adapted; no published run calibrates its speed."
    )
    return (
        "Owned hardware is charged for the hours it works, out of all hours of the "
        f"{years:g} years it is used; a rented chip by the hour.",
        f"Sequences are {SEQUENCE_TOKENS:,.0f} tokens long. How fast edge devices fine-tune is poorly known: five "
        "published runs from two sources, 0.4 to 1.3 times the rate at which they read prompts.",
        "Accelerators train at 0.56 of their measured matrix rate (39 published runs, nine in ten between 0.41 "
        "and 0.71). Loading, evaluation and failed runs are not counted.",
        *((only_attention,) if mixture else ()),
    )


def ruled_out(inputs: PlacementInputs, task: TuningTask, *, tuned: Tuned) -> Iterator[str]:
    """Yield what each requirement alone rules out where nothing does all, and what comes nearest to it."""
    left, places = ~tuned.ruled_out & ~tuned.too_small, len(tuned.binding)
    if count := int(tuned.ruled_out.sum()):
        yield f"Where data may go rules out {count} of {places} options."
    if count := int(tuned.too_small.sum()):
        most = float(np.max(inputs.question.places.most_chips[tuned.too_small]))
        split = f", even where up to {most:.0f} chips split the work" if most > 1 else ""
        yield f"Memory rules out {count} of {places} options{split}."
    limits = (
        ("deadline", tuned.hours, task.deadline_h, hours),
        ("budget", tuned.cost_usd, task.budget_usd, usd),
    )
    for name, draws, limit, words in limits:
        missed = left & ((draws <= (limit or np.inf)).mean(axis=1) < inputs.question.sure)
        if not limit or not missed.any():
            continue
        nearest = ""
        if missed.sum() == left.sum():
            median = np.where(left, np.median(draws, axis=1), np.inf)
            i = int(np.nanargmin(median))
            nearest = f"; nearest is {inputs.named(i)}: {words(float(median[i]))}"
        yield (
            f"The {name} ({words(float(limit))}) alone rules out {int(missed.sum())} of the "
            f"{wording.counted(int(left.sum()), 'option')} left{nearest}."
        )
