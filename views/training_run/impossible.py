"""The finding of a run that cannot be done: why, what was asked for, and what to choose instead."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from analysis.training_run.candidates import NoPlanFits
from analysis.training_run.device_memory import USABLE_SHARE, DeviceMemory, needed_and_usable
from charts.chart import Bar, BarChart
from data.releases import latest
from views import wording
from views.axes import linear_axis
from views.on_demand import OnDemand
from views.result import Card, CardLink, Exhibit, Fact, Source
from views.table import Getter, column, table
from views.training_run.chosen_plan import AS_SEARCHED, searched
from views.training_run.inputs import RunInputs, sequences
from views.training_run.parts import memory_chart
from views.training_run.settings import DEGREES, TrainingRunSettings
from views.view import LATEST, Finding, pinned

PATH = "/training-run"
CHOICES = frozenset({"zero", "recompute"})
"""The degrees that are words."""
MOST_TRIED = 65_536
"""Up to so many accelerators a plan is looked for that fits."""


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """What was asked for, in words, and its number; the reason it cannot be has none."""

    words: str
    number: int | None


COLUMNS: tuple[Getter[_Asked], ...] = (
    column("asked", lambda asked: asked.words, label="Asked for", kind="text"),
    column("number", lambda asked: asked.number, label="Number"),
)


def asked_for(settings: TrainingRunSettings) -> tuple[tuple[str, int], ...]:
    """Return what the reader asked for in numbers, the degrees that a plan by hand gives among them."""
    numbers: list[tuple[str, int | None]] = [
        ("Accelerators", settings.accelerators),
        ("Sequences in a batch", sequences(settings)),
        ("Tokens in a sequence", settings.sequence),
    ]
    if settings.plan == "manual":
        numbers += [
            ("Tensor parallel", settings.tensor),
            ("Pipeline parallel", settings.pipeline),
            ("Context parallel", settings.context),
            ("Interleaving", settings.interleave),
            ("Micro-batch", settings.micro_batch),
        ]
    return tuple((name, number) for name, number in numbers if number is not None)


def impossible(
    problem: str,
    *,
    headline: str,
    settings: TrainingRunSettings,
    words: str,
    sources: tuple[Source, ...],
    inputs: RunInputs | None = None,
    memory: DeviceMemory | None = None,
) -> Finding:
    """Return the finding: the problem, over the memory it would take or the numbers asked for, and a way out."""
    reason, remedy = _parted(problem)
    if memory is not None and inputs is not None:
        capacity = inputs.machine.chip.memory_capacity_byte
        exhibit = memory_chart(memory, title=headline, capacity_byte=capacity, source=words)
    else:
        exhibit = _asked_exhibit(settings, headline=headline, sentence=reason, words=words)

    def cards() -> Iterator[Card]:
        yield Card(
            name="way-out",
            title="What to choose instead",
            verdict="Impossible as chosen",
            tone="bad",
            facts=_facts(memory, inputs),
            text=remedy,
            links=way_out(settings, inputs),
        )

    return Finding(
        headline=headline,
        subtitle=reason,
        cards=OnDemand(cards),
        figures=(),
        exhibits=(exhibit,),
        settings_line=words,
        sources=sources,
    )


def _parted(problem: str) -> tuple[str, str]:
    """Return why a run cannot be done, and what to do about it where that is said, each as a sentence."""
    reason, _, remedy = re.sub(r"[.;] ", "\n", problem.rstrip("."), count=1).partition("\n")
    return f"{wording.sentence_case(reason)}.", f"{wording.sentence_case(remedy)}." if remedy else ""


def _facts(memory: DeviceMemory | None, inputs: RunInputs | None) -> tuple[Fact, ...]:
    """Return the memory needed and available, where that is what lacks."""
    if memory is None or inputs is None:
        return ()
    needed, usable, capacity = needed_and_usable(float(memory.total_byte), inputs.machine)
    return (
        Fact(label="Needed", text=f"{needed} GB", note="on the fullest accelerator"),
        Fact(
            label="Available", text=f"{usable} GB", note=f"{wording.percent(USABLE_SHARE)} of {capacity} GB"
        ),
    )


def way_out(settings: TrainingRunSettings, inputs: RunInputs | None) -> tuple[CardLink, ...]:
    """Return a link to what can be done: a plan that fits, on more accelerators where it must be, or 16 bits."""
    if inputs is None:
        if settings.precision == "fp8":
            return (_link(replace(settings, precision="fp16"), "Use 16-bit products"),)
        if pinned(settings).release != pinned(replace(settings, release=LATEST)).release:
            return (_link(replace(settings, release=LATEST), "Use the newest data"),)
        return ()
    by_search = dict.fromkeys(CHOICES, AS_SEARCHED)
    number = settings.accelerators
    while number <= max(MOST_TRIED, settings.accelerators):
        other = replace(
            settings, accelerators=number, plan="auto", **dict.fromkeys(DEGREES - CHOICES), **by_search
        )
        if number > settings.accelerators:
            other = replace(other, available=None)
        try:
            limit = other.available or number
            searched(replace(inputs, accelerators=min(number, limit)), overlap=settings.overlap / 100)
        except NoPlanFits:
            number = 2 ** number.bit_length()
            continue
        if number == settings.accelerators:
            return (_link(other, "Use a plan that fits"),)
        return (_link(other, f"Use a plan that fits, on {number:,} accelerators"),)
    return ()


def _link(settings: TrainingRunSettings, text: str) -> CardLink:
    if settings.release == latest():
        settings = replace(settings, release=LATEST)
    default = type(settings)().described()
    query = {name: value for name, value in settings.described().items() if value != default[name]}
    return CardLink(address=f"{PATH}?{urlencode(query)}" if query else PATH, text=text)


def _asked_exhibit(settings: TrainingRunSettings, *, headline: str, sentence: str, words: str) -> Exhibit:
    numbers = asked_for(settings)
    asked = [_Asked(words=name, number=number) for name, number in numbers]
    return Exhibit(
        chart=BarChart(
            title=headline,
            subtitle="What was asked for.",
            alt=f"{headline}.",
            source=words,
            x=linear_axis(
                "Number", [0.0, *(float(number) for _, number in numbers)], word=lambda value: f"{value:,.0f}"
            ),
            base=0.0,
            bars=tuple(
                Bar(label=name, value=float(number), text=f"{number:,}", role="context")
                for name, number in numbers
            ),
        ),
        table=table(COLUMNS, [*asked, _Asked(words=sentence, number=None)]),
    )
