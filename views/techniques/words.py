"""What techniques are worth, do and do not do, in a reader's words."""

import math
from collections.abc import Sequence

from analysis.techniques.catalogue import TECHNIQUES
from analysis.techniques.setup import Phase, Setup
from analysis.techniques.worth import LEAST_CHANGE, Bill, Worth
from views import wording
from views.techniques.evidence import EVIDENCE
from views.techniques.measures import MEASURES
from views.techniques.settings import TechniquesSettings

BINDS = {
    "memory": "Memory bandwidth is the limit",
    "compute": "Compute is the limit",
    "links": "Traffic between chips is the limit",
}

OTHER_PART_BINDS = {
    "weights": "Reading the KV cache is the limit here, which smaller weights do not shorten; the weights' own part "
    "is limited by compute, or too short to count.",
    "cache": "Reading the weights is the limit here, which a smaller cache does not shorten; the cache's own part is "
    "too short to count.",
}
"""Why a technique saves no time in decode although reading binds: what is read is the other part."""


def ends_words(worth: Worth) -> str:
    """Return the interval of the worth: 5.2–6.4 years; no upper end where growth may be none."""
    if not math.isfinite(worth.high) or not math.isfinite(worth.low):
        return "no upper end: the chips may not have grown at all"
    low, high = wording.duration(worth.low), wording.duration(worth.high)
    if worth.low >= 0:
        return wording.interval(low, high)
    number, _, unit = low.partition(" ")
    return f"{number} to {high}" if high.endswith(f" {unit}") else f"{low} to {high}"


def brief_ends_words(worth: Worth) -> str:
    """Return the interval in as few words as fit below a key figure: 5.2–6.4 years, no upper end."""
    return ends_words(worth).split(":")[0]


def measure_words(settings: TechniquesSettings) -> str:
    """Return what is measured, in words."""
    return time_words(settings) if settings.measure == "time" else MEASURES[settings.measure].words


def time_words(settings: TechniquesSettings) -> str:
    """Return how time is meant: with several requests at once it is that of a token over all of them."""
    several = settings.batch > 1 or "batching" in settings.chosen
    return "time per token over all requests" if several and settings.phase != "training" else "time"


def joined(labels: Sequence[str]) -> str:
    """Return the labels as they stand in a sentence: A, b and c."""
    words = [labels[0], *map(wording.small_initial, labels[1:])]
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def idle_words(name: str, *, phase: Phase, before: Bill, setup: Setup, measure: str) -> str:
    """Return why a technique does nothing here: not for this phase, nothing to act on, or something else binds."""
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
    """Return what a technique does not do in this phase, or why it costs here; empty where there is nothing to say."""
    evidence = EVIDENCE[name]
    if evidence.costly and saving < 1 - LEAST_CHANGE:
        return evidence.costly
    return evidence.limit if phase in evidence.limit_phases else ""


def change_words(saving: float, words: str) -> str:
    """Return what becomes of a measure: time falls 3.7×, memory grows 1.05×."""
    verb = ("fall" if saving > 1 else "grow") + ("" if words == "operations" else "s")
    return f"{words} {verb} {wording.times(max(saving, 1 / saving))}"
