"""What is said beside a technique's worth: how many chips hold it, who waits, and what it does not do."""

import math

from analysis.techniques.catalogue import TECHNIQUES, before_and_after
from analysis.techniques.setup import Setup
from analysis.techniques.worth import Bill, bill
from views import wording
from views.chips.linked import NAMES
from views.techniques.evidence import EVIDENCE
from views.techniques.inputs import Effects
from views.techniques.measures import MEASURES
from views.techniques.settings import TechniquesSettings
from views.techniques.words import BINDS, idle_words, limit_words
from views.trend import words as trend_words


def notes(settings: TechniquesSettings, effects: Effects) -> tuple[str, ...]:
    """Return the caveats of one sentence each: chips needed, and what one request waits."""
    return (*needs(settings, effects), *waiting(settings, effects.setup))


def sure(settings: TechniquesSettings, effects: Effects) -> tuple[str, ...]:
    """Return how the interval was made, and what the estimate leaves out."""
    level = wording.percent(effects.year.level)
    made = f"The {level} interval is that of the growth rate alone, a {trend_words.method(effects.growth)}."
    upper = (
        ()
        if math.isfinite(effects.together.worth.high)
        else ("It has no upper end, because the chips may not have grown at all.",)
    )
    capacity = effects.capacity_byte
    split = any(chips_for(item, capacity) > 1 for item in (effects.together.before, effects.together.after))
    times = (
        "Times are those of one chip with enough memory; split over several, both sides shrink alike, except for the "
        "traffic between these chips.",
    )
    return (
        made,
        *upper,
        *(times if split else ()),
        "Savings are computed from the roofline, not measured; real kernels reach less of it.",
    )


def changes(settings: TechniquesSettings, effects: Effects) -> tuple[str, ...]:
    """Return what combining gives, what has no effect and why, and what the techniques do not do."""
    return combined(settings, effects)


def chips_for(bill: Bill, capacity: float) -> int:
    """Return how many chips hold what one is taken to hold. [chips]"""
    return max(1, math.ceil(bill.memory_byte / capacity - 1e-9))


def needs(settings: TechniquesSettings, effects: Effects) -> tuple[str, ...]:
    """Return how many chips hold what one is taken to hold; nothing where one is enough."""
    capacity = effects.capacity_byte
    was, now = (chips_for(item, capacity) for item in (effects.together.before, effects.together.after))
    if was == now == 1:
        return ()
    name = NAMES[settings.chip]
    counts = f"{was:,} before and {now:,} after" if was != now else f"{was:,} before and after"
    each = " for each copy of the model" if settings.phase == "training" else ""
    return (
        f"The model does not fit one {name} ({wording.quantity(capacity, 'byte')}): it needs {counts}{each}.",
    )


def waiting(settings: TechniquesSettings, setup: Setup) -> tuple[str, ...]:
    """Return what batching does to one request: it waits for the others."""
    if "batching" not in settings.chosen or settings.phase != "decode":
        return ()
    pair = before_and_after(setup, settings.chosen, phase="decode")
    was, now = (bill(item, "decode").time_s * item.batch for item in pair)
    if now >= was:
        wait = f"One request waits {wording.times(now / was)} as long for each token in a batch of {pair[1].batch:,} as"
        return (f"{wait} alone; the saving is in time over all requests.",)
    with_others = "" if len(settings.chosen) == 1 else " and with the other techniques chosen"
    return (
        f"In a batch of {pair[1].batch:,}{with_others}, one request gets each token {wording.times(was / now)} sooner "
        "than alone without them; the rest of the saving is over all requests.",
    )


def combined(settings: TechniquesSettings, effects: Effects) -> tuple[str, ...]:
    """Return what combining gives, what has no effect and why, and what the techniques do not do."""
    singles = {name: item.worth for name, item in effects.singles.items()}
    together, before = effects.together.worth, effects.together.before
    notes = []
    if len(settings.chosen) > 1:
        product = math.prod(singles[name].saving for name in settings.chosen)
        notes.append(
            f"The separate savings multiply to {wording.times(product)}; together they save "
            f"{wording.times(together.saving)}."
        )
    for name in settings.chosen:
        if singles[name].nothing:
            reason = idle_words(
                name, phase=settings.phase, before=before, setup=effects.setup, measure=settings.measure
            )
            notes.append(f"{EVIDENCE[name].label}, {settings.phase}: {reason}")
        if limit := limit_words(name, phase=settings.phase, saving=singles[name].saving):
            notes.append(limit)
    idle = [EVIDENCE[name].label for name in TECHNIQUES if singles[name].nothing]
    if idle:
        notes.append(
            f"No effect on the {MEASURES[settings.measure].words} in {settings.phase}: {', '.join(idle)}."
        )
    general = ("mixed-precision", "experts") if settings.phase == "training" else ("experts",)
    notes += [EVIDENCE[name].limit for name in general if name not in settings.chosen]
    if settings.measure == "time" and before.bound_by != "memory" and not together.nothing:
        notes.append(
            f"{BINDS[before.bound_by]} here, so more bandwidth alone would not give this saving; the years only say "
            "how large the factor is."
        )
    return tuple(notes)
