"""Finding on an impossible run: why it is impossible, the requested run, and alternatives."""

from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import urlencode

from analysis.refusal import Refusal
from analysis.training_run.candidates import NoPlanFits
from analysis.training_run.device_memory import USABLE_SHARE, DeviceMemory, needed_and_usable
from analysis.training_run.plan_search import fastest_run
from data.releases import latest
from views import wording
from views.exhibits import ValueAxis, empty_exhibit
from views.lazy_sequence import LazySequence
from views.result import Card, CardLink, Fact
from views.sources import CURATION, EPOCH_AI, TRAINING_TABLES
from views.table import column
from views.training_run.inputs import DEGREES, RunInputs
from views.training_run.parts import memory_exhibit
from views.training_run.settings import TrainingRunSettings
from views.view import LATEST, Finding, pinned

PATH = "/training-run"
SOURCES = (EPOCH_AI, CURATION, TRAINING_TABLES)
MOST_TRIED = 65_536
"""Maximum number of accelerators in the search for a plan that fits in memory."""


def impossible(
    problem: Refusal,
    *,
    headline: str,
    settings: TrainingRunSettings,
    words: str,
    inputs: RunInputs | None = None,
    memory: DeviceMemory | None = None,
) -> Finding:
    """Return a finding on the problem, the memory needed (if a plan is known), and an alternative."""
    reason = _sentence(problem.reason)
    if memory is not None and inputs is not None:
        capacity = inputs.run.machine.chip.memory_capacity_byte
        exhibit = memory_exhibit(memory, title=headline, capacity_byte=capacity, source=words)
    else:
        axis, columns = ValueAxis(title="Time [days]"), (column("part", str, label="Part", kind="text"),)
        exhibit = empty_exhibit(headline, subtitle=reason, source=words, axis=axis, columns=columns)

    def cards() -> Iterator[Card]:
        yield Card(
            name="way-out",
            title="What to choose instead",
            verdict="Impossible as chosen",
            tone="bad",
            facts=_facts(memory, inputs),
            text=_sentence(problem.remedy),
            links=way_out(settings, inputs),
        )

    return Finding(
        headline=headline,
        subtitle=reason,
        cards=LazySequence(cards),
        figures=(),
        exhibits=(exhibit,),
        settings_line=words,
        sources=SOURCES,
    )


def _sentence(text: str) -> str:
    return f"{wording.sentence_case(text.rstrip('.'))}."


def _facts(memory: DeviceMemory | None, inputs: RunInputs | None) -> tuple[Fact, ...]:
    if memory is None or inputs is None:
        return ()
    needed, usable, capacity = needed_and_usable(float(memory.total_byte), inputs.run.machine)
    return (
        Fact(label="Needed", text=f"{needed} GB", note="on the fullest accelerator"),
        Fact(
            label="Available", text=f"{usable} GB", note=f"{wording.percent(USABLE_SHARE)} of {capacity} GB"
        ),
    )


def way_out(settings: TrainingRunSettings, inputs: RunInputs | None) -> tuple[CardLink, ...]:
    """Return a link to an alternative, such as a plan that fits on more accelerators. Empty if there is none."""
    if inputs is None:
        if settings.precision == "fp8":
            return (_link(replace(settings, precision="fp16"), "Use 16-bit matmuls"),)
        if pinned(settings).release != pinned(replace(settings, release=LATEST)).release:
            return (_link(replace(settings, release=LATEST), "Use the newest data"),)
        return ()
    default = TrainingRunSettings()
    searched = replace(settings, plan="auto", **{name: getattr(default, name) for name in DEGREES})
    number = settings.accelerators
    while number <= max(MOST_TRIED, settings.accelerators):
        more = number > settings.accelerators
        other = replace(searched, accelerators=number, available=None if more else settings.available)
        try:
            fastest_run(replace(inputs.run, accelerators=min(number, other.available or number)))
        except NoPlanFits:
            number = 2 ** number.bit_length()
            continue
        on = f", on {number:,} accelerators" if more else ""
        return (_link(other, f"Use a plan that fits{on}"),)
    return ()


def _link(settings: TrainingRunSettings, text: str) -> CardLink:
    if settings.release == latest():
        settings = replace(settings, release=LATEST)
    settings = replace(settings, vs="")
    default = type(settings)().described()
    query = {name: value for name, value in settings.described().items() if value != default[name]}
    return CardLink(address=f"{PATH}?{urlencode(query)}" if query else PATH, text=text)
