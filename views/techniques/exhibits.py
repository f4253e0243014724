"""What techniques save, in years of growth: the measures, the ranking, and before and after."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from analysis.techniques.catalogue import TECHNIQUES
from analysis.techniques.setup import Phase, Setup
from analysis.techniques.worth import Bill, years_of_growth
from charts.chart import Bar, BarChart
from views import wording
from views.axes import linear_axis
from views.result import Column, Exhibit, Table
from views.techniques.evidence import EVIDENCE


@dataclass(frozen=True, kw_only=True)
class Measure:
    """What is compared before and after: field of a bill, words, unit, brief words, and the growth it is counted in."""

    field: str
    words: str
    meaning: str
    unit: str
    brief: str
    metric: str = "memory-bandwidth"
    growth: str = "bandwidth"


MEASURES = {
    "time": Measure(field="time_s", words="time", meaning="time per token", unit="s", brief="time"),
    "bytes": Measure(
        field="moved_byte",
        words="traffic to memory",
        meaning="bytes to and from memory per token",
        unit="byte",
        brief="memory traffic",
    ),
    "memory": Measure(
        field="memory_byte",
        words="memory",
        meaning="memory held on a chip, in years of capacity growth",
        unit="byte",
        brief="memory",
        metric="memory-capacity",
        growth="capacity",
    ),
    "flop": Measure(
        field="flop", words="operations", meaning="operations per token", unit="FLOP", brief="operations"
    ),
    "links": Measure(
        field="link_byte",
        words="traffic between chips",
        meaning="bytes to other chips per token, training",
        unit="byte",
        brief="link traffic",
    ),
}


LEAST_CHANGE = 0.005
"""A smaller saving than this share counts as none."""

BINDS = {
    "memory": "Reading memory binds",
    "compute": "Computing binds",
    "links": "The exchange between chips binds",
}

OTHER_PART_BINDS = {
    "weights": "Reading the KV cache binds here, which smaller weights do not shorten; the weights' own part is "
    "limited by computing, or too short to count.",
    "cache": "Reading the weights binds here, which a smaller cache does not shorten; the cache's own part is too "
    "short to count.",
}
"""Why a technique saves no time in decode although reading binds: what is read is the other part."""


@dataclass(frozen=True, kw_only=True)
class Rate:
    """What a year of hardware brings: growth a year with its interval and level."""

    growth: float
    low: float
    high: float
    level: float


@dataclass(frozen=True, kw_only=True)
class Worth:
    """A saving (before over after) and its years of growth with their interval; ``high`` may be infinite."""

    saving: float
    years: float
    low: float
    high: float

    @property
    def nothing(self) -> bool:
        """Return whether the saving rounds to none."""
        return abs(self.saving - 1) < LEAST_CHANGE

    @property
    def ends(self) -> str:
        """Return the interval in words: 5.2–6.4 years; more than 5.2 years where growth may be none."""
        if not math.isfinite(self.high) or not math.isfinite(self.low):
            return "no upper end: the chips may not have grown at all"
        low, high = wording.significant(self.low), wording.significant(self.high)
        return f"{low} to {high} years" if self.low < 0 else f"{wording.interval(low, high)} years"

    @property
    def brief_ends(self) -> str:
        """Return the interval in as few words as fit below a key figure: 5.2–6.4."""
        return self.ends.split(":")[0].removesuffix(" years")

    @property
    def interval_text(self) -> str:
        """Return the interval in brackets, without its unit: (5.2–6.4)."""
        return f"({self.ends.removesuffix(' years')})"


def saving_of(before: Bill, after: Bill, measure: str) -> float:
    """Return how many times smaller the measure is afterwards; 1 where there was none of it."""
    field = MEASURES[measure].field
    was, now = float(getattr(before, field)), float(getattr(after, field))
    return was / now if was > 0 and now > 0 else 1.0


def worth(saving: float, rate: Rate) -> Worth:
    """Return the years of growth that a saving is worth, with the interval of the rate."""
    years = years_of_growth(saving, yearly_growth=rate.growth)
    ends = sorted(years_of_growth(saving, yearly_growth=growth) for growth in (rate.low, rate.high))
    return Worth(saving=saving, years=years, low=ends[0], high=ends[1])


def years_words(years: float) -> str:
    """Return a number of years: 5.7 years, 0.41 years, 1.0 year."""
    return f"{wording.significant(years)} years"


def empty_exhibit(headline: str, *, source: str) -> Exhibit:
    """Return a chart without bars, for choices that leave nothing to rank."""
    return Exhibit(
        chart=BarChart(
            title=headline,
            subtitle="Nothing can be ranked under these choices.",
            alt=headline,
            source=source,
            x=linear_axis("Years of growth", [0.0, 5.0], lambda value: f"{value:g}"),
            base=0.0,
        ),
        table=Table(columns=(Column(name="technique", label="Technique", kind="text"),), rows=()),
    )


def ranking_exhibit(
    singles: Mapping[str, Worth],
    *,
    chosen: tuple[str, ...],
    together: Worth,
    label: str,
    measure: str,
    phase: Phase,
    setup: Setup,
    rate: Rate,
    pairs: Mapping[str, tuple[Bill, Bill]],
    source: str,
) -> Exhibit:
    """Return every technique by its years, those chosen standing out, and the table of all of them."""
    what = MEASURES[measure]
    shown = sorted(
        (name for name, item in singles.items() if not item.nothing), key=lambda name: -singles[name].years
    )
    rows = [(EVIDENCE[name].label, singles[name], name in chosen) for name in shown]
    if len(chosen) > 1:
        rows.insert(0, (f"Together: {label}", together, True))
    ends = [0.0, 1.0]
    for _, item, _ in rows:
        ends += [end for end in (item.years, item.low, item.high) if math.isfinite(end)]
    title = (
        f"Of the techniques, {inside(EVIDENCE[shown[0]].label)} saves most {what.words} in {phase}: "
        f"{years_words(singles[shown[0]].years)} of {what.growth} growth"
        if shown and singles[shown[0]].saving > 1
        else f"No technique saves any {what.words} in {phase}"
    )
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle=f"Years of {what.growth} growth at {wording.times(rate.growth)} a year that bring the same "
            f"factor in {what.words}; whiskers: {wording.percent(rate.level)} interval of the rate. Below zero it "
            "costs.",
            alt=f"{title}.",
            source=source,
            x=linear_axis(f"Years of {what.growth} growth", ends, lambda value: f"{value:g}"),
            base=0.0,
            bars=tuple(
                Bar(
                    label=name,
                    value=item.years,
                    low=item.low if math.isfinite(item.low) else None,
                    high=item.high if math.isfinite(item.high) else None,
                    text=f"{years_words(item.years)}, {wording.times(item.saving)}",
                    role="memory" if own else "compute" if item.saving > 1 else "context",
                    emphasised=own,
                )
                for name, item, own in rows
            ),
        ),
        table=Table(
            columns=_columns(what),
            rows=_rows(singles, pairs, what, phase=phase, setup=setup, measure=measure),
        ),
    )


def inside(label: str) -> str:
    """Return a label as it stands inside a sentence: 4-bit weights, mixture of experts, but FlashAttention."""
    return label[0].lower() + label[1:] if label.split()[0][1:].islower() else label


def joined(labels: Sequence[str]) -> str:
    """Return the labels as they stand in a sentence: A, b and c."""
    words = [labels[0], *map(inside, labels[1:])]
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def idle_words(name: str, *, phase: Phase, before: Bill, setup: Setup, measure: str) -> str:
    """Return why a technique does nothing here: not for this phase, nothing to act on, or something else binds."""
    if phase not in TECHNIQUES[name].phases:
        return EVIDENCE[name].idle
    if setup.devices == 1 and {"sharding", "exchange", "links"} & set(TECHNIQUES[name].fixes):
        return "There is only one chip."
    if name == "memory-generation" and setup.hardware.memory_step == 1:
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


def _columns(what: Measure) -> tuple[Column, ...]:
    return (
        Column(name="technique", label="Technique", kind="text"),
        Column(name="saving", label=f"Saving of {what.words}", unit="x"),
        Column(name="years", label=f"Years of {what.growth} growth", unit="year"),
        Column(name="years_low", label="Low", unit="year"),
        Column(name="years_high", label="High", unit="year"),
        Column(name="memory_before_byte", label="Memory before", unit="byte", kind="scientific"),
        Column(name="memory_after_byte", label="Memory after", unit="byte", kind="scientific"),
        Column(name="activations_before_byte", label="Activations before", unit="byte", kind="scientific"),
        Column(name="activations_after_byte", label="Activations after", unit="byte", kind="scientific"),
        Column(name="moved_before_byte", label="Bytes before", unit="byte/token", kind="scientific"),
        Column(name="moved_after_byte", label="Bytes after", unit="byte/token", kind="scientific"),
        Column(name="flop_before", label="FLOP before", unit="FLOP/token", kind="scientific"),
        Column(name="flop_after", label="FLOP after", unit="FLOP/token", kind="scientific"),
        Column(name="time_before_s", label="Time before", unit="s/token", kind="scientific"),
        Column(name="time_after_s", label="Time after", unit="s/token", kind="scientific"),
        Column(name="costs", label="What it costs", kind="text"),
        Column(name="quality", label="Quality as published", kind="text"),
        Column(name="says", label="What it does not do here", kind="text"),
        Column(name="source", label="Source", kind="link"),
    )


def _rows(
    singles: Mapping[str, Worth],
    pairs: Mapping[str, tuple[Bill, Bill]],
    what: Measure,
    *,
    phase: Phase,
    setup: Setup,
    measure: str,
) -> tuple[tuple[str | float | None, ...], ...]:
    rows = []
    for name in sorted(singles, key=lambda name: -singles[name].years):
        item, (before, after), evidence = singles[name], pairs[name], EVIDENCE[name]
        reason = idle_words(name, phase=phase, before=before, setup=setup, measure=measure)
        says = [f"Nothing for the {what.words}. {reason}"] if item.nothing else []
        rows.append(
            (
                evidence.label,
                item.saving,
                item.years,
                item.low if math.isfinite(item.low) else None,
                item.high if math.isfinite(item.high) else None,
                before.memory_byte,
                after.memory_byte,
                before.activations_byte,
                after.activations_byte,
                before.moved_byte,
                after.moved_byte,
                before.flop,
                after.flop,
                before.time_s,
                after.time_s,
                evidence.costs,
                evidence.quality,
                " ".join([*says, limit_words(name, phase=phase, saving=item.saving)]).strip(),
                evidence.source,
            )
        )
    return tuple(rows)


def before_after_exhibit(before: Bill, after: Bill, *, label: str, time_words: str, source: str) -> Exhibit:
    """Return what the chosen techniques do to each measure, as factors of before."""
    savings = {name: saving_of(before, after, name) for name in MEASURES}
    words = {name: measure.words for name, measure in MEASURES.items()} | {"time": time_words}
    changed = [
        change_words(saving, words[name])
        for name, saving in savings.items()
        if abs(saving - 1) >= LEAST_CHANGE
    ]
    title = f"{label}: {', '.join(changed) or 'nothing changes here'}"
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle="Before over after, per token on one chip; 1× is no change, less is a cost.",
            alt=f"{title}.",
            source=source,
            x=linear_axis("Times less", [0.0, 1.0, *savings.values()], wording.multiple),
            base=1.0,
            bars=tuple(
                Bar(
                    label=wording.sentence_case(words[name]),
                    value=savings[name],
                    text=wording.times(savings[name]),
                    role="compute" if name == "flop" else "links" if name == "links" else "memory",
                    emphasised=name == "time",
                )
                for name in MEASURES
            ),
        ),
        table=Table(
            columns=(
                Column(name="measure", label="Measure", kind="text"),
                Column(name="unit", label="Unit", kind="text"),
                Column(name="before", label="Before", kind="scientific"),
                Column(name="after", label="After", kind="scientific"),
                Column(name="saving", label="Before over after", unit="x"),
            ),
            rows=tuple(
                (
                    wording.sentence_case(measure.words),
                    measure.unit,
                    float(getattr(before, measure.field)),
                    float(getattr(after, measure.field)),
                    savings[name],
                )
                for name, measure in MEASURES.items()
            ),
        ),
    )
