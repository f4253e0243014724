"""Text on the value of techniques, their effects and limits, and notes on the finding."""

import math
from collections.abc import Iterator

from analysis.techniques.catalogue import TECHNIQUES, before_and_after
from analysis.techniques.setup import Phase
from analysis.techniques.worth import LEAST_CHANGE, Bill, Worth, bill
from views import wording
from views.chips.linked import NAMES
from views.techniques.inputs import Effects
from views.techniques.settings import EVIDENCE, MEASURES, TechniquesSettings
from views.trend import words as trend_words

BINDS = {
    "memory": "Memory bandwidth is the limit",
    "compute": "Compute is the limit",
    "links": "Traffic between chips is the limit",
}

OTHER_PART_BINDS = {
    "weights": "The limit here is reading the KV cache, which smaller weights do not shorten. The weights' own part is "
    "limited by compute or too short to count.",
    "cache": "The limit here is reading the weights, which a smaller cache does not shorten. The cache's own "
    "part is too short to count.",
}
"""Why a technique saves no time in memory-bound decode, keyed by the part of the reads it reduces."""


def ends_words(worth: Worth, *, why: str = "") -> str:
    """Return the interval in years as text: 5.2–6.4 years. It has no upper bound if growth may be zero."""
    if not math.isfinite(worth.high) or not math.isfinite(worth.low):
        return f"no upper bound{why}"
    low, high = wording.duration(worth.low), wording.duration(worth.high)
    if worth.low >= 0:
        return wording.interval(low, high)
    return f"{wording.number_words(low, beside=high)} to {high}"


def measure_words(settings: TechniquesSettings) -> str:
    """Return the measure's name as text."""
    return time_words(settings) if settings.measure == "time" else MEASURES[settings.measure].words


def time_words(settings: TechniquesSettings) -> str:
    """Return the name of the time as text. With several requests, it is "time per token over all requests"."""
    several = settings.batch > 1 or "batching" in settings.chosen
    return "time per token over all requests" if several and settings.phase != "training" else "time"


def idle_words(effects: Effects, name: str, *, before: Bill) -> str:
    """Return text on what makes a technique ineffective, such as another bottleneck."""
    phase, measure = effects.settings.phase, effects.settings.measure
    setup = effects.setup
    if phase not in TECHNIQUES[name].phases:
        return EVIDENCE[name].idle
    if setup.devices == 1 and {"sharding", "exchange", "links"} & set(TECHNIQUES[name].fixes):
        return "There is only one chip."
    if name == "memory-generation" and setup.memory_step == 1:
        return EVIDENCE[name].idle
    part = next((item for item in ("weights", "cache") if item in TECHNIQUES[name].fixes), None)
    if part and phase == "decode" and before.bound_by == "memory" and measure == "time":
        return OTHER_PART_BINDS[part]
    return f"{BINDS[before.bound_by]} here, and {EVIDENCE[name].acts_on}."


def limit_words(name: str, *, phase: Phase, saving: float) -> str:
    """Return text on a technique's limits or costs in this phase. The text may be empty."""
    evidence = EVIDENCE[name]
    if evidence.costly and saving < 1 - LEAST_CHANGE:
        return evidence.costly
    return evidence.limit if phase in evidence.limit_phases else ""


def change_words(saving: float, words: str) -> str:
    """Return a measure's change as text: the time falls 3.7-fold, the memory grows 1.05×."""
    verb = ("fall" if saving > 1 else "grow") + ("" if words == "operations" else "s")
    times = wording.times(max(saving, 1 / saving))
    return f"the {words} {verb} {times.replace('×', '-fold') if saving > 1 else times}"


def notes(effects: Effects) -> tuple[str, ...]:
    """Return the caveat about batching: how long one request waits."""
    return tuple(_waiting(effects))


def sure(effects: Effects) -> Iterator[str]:
    """Yield sentences on the computation of the interval, and on what the estimate omits."""
    level = wording.percent(effects.year.level)
    method = trend_words.method(effects.growth).replace("organizations", "vendors")
    yield f"The {level} interval reflects only the uncertainty of the growth rate. It comes from a {method}."
    if max(effects.chips) > 1:
        yield _needs(effects)
        yield (
            "Times assume a single chip with enough memory for the model. Using several chips shortens times with and "
            "without a technique by the same factor, except for the time of communication."
        )
    yield "Savings are computed from the roofline, not measured, and real kernels achieve less."


def _needs(effects: Effects) -> str:
    """Return a sentence on how many chips the model needs with and without the techniques."""
    before, after = effects.chips
    needed = wording.counted(before, f"{NAMES[effects.settings.chip]} chip")
    capacity = wording.quantity(effects.capacity_byte, "byte")
    model = "Each copy of the model" if effects.settings.phase == "training" else "The model"
    label, them = ("techniques", "them") if len(effects.settings.chosen) > 1 else ("technique", "it")
    return f"{model} needs {needed} ({capacity} each) without the {label} and {after:,} with {them}."


def _waiting(effects: Effects) -> Iterator[str]:
    """Yield a sentence on how batching affects a single request."""
    chosen = effects.settings.chosen
    if "batching" not in chosen or effects.settings.phase != "decode":
        return
    pair = before_and_after(effects.setup, chosen, phase="decode")
    before, after = (bill(item, "decode").time_s * item.batch for item in pair)
    if after >= before:
        yield (
            f"One request waits {wording.times(after / before)} as long for each token in a batch of "
            f"{pair[1].batch:,} as on its own. The saving is in time over all requests."
        )
        return
    with_others = "" if len(chosen) == 1 else " and with the other techniques chosen"
    yield (
        f"In a batch of {pair[1].batch:,}{with_others}, one request gets each token {wording.times(before / after)} "
        "sooner than on its own without them. The rest of the saving is over all requests."
    )


def changes(effects: Effects) -> Iterator[str]:
    """Yield sentences on combining techniques, on techniques without effect, and on limits of techniques."""
    settings, together, before = effects.settings, effects.together.worth, effects.together.before
    worths = {name: item.worth for name, item in effects.singles.items()}
    if len(settings.chosen) > 1:
        yield (
            f"The separate savings multiply to {wording.times(effects.product)}; together they save "
            f"{wording.times(together.saving)}."
        )
    for name in settings.chosen:
        if worths[name].nothing:
            saves = "save" if EVIDENCE[name].plural else "saves"
            idle = idle_words(effects, name, before=before)
            yield f"{EVIDENCE[name].label} {saves} nothing in {settings.phase}. {idle}"
        if limit := limit_words(name, phase=settings.phase, saving=worths[name].saving):
            yield limit
    general = ("mixed-precision", "experts") if settings.phase == "training" else ("experts",)
    yield from (EVIDENCE[name].limit for name in general if name not in settings.chosen)
    if settings.measure == "time" and before.bound_by != "memory" and not together.nothing:
        yield (
            f"{BINDS[before.bound_by]} here, so more bandwidth alone would not save as much. The years only show how "
            "large the saving is."
        )
