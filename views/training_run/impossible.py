"""The finding of a run that cannot be done: why, and what was asked for."""

import re
from dataclasses import dataclass

from analysis.training_run.device_memory import DeviceMemory
from charts.chart import Bar, BarChart
from views import wording
from views.axes import log_axis
from views.result import Exhibit, Source
from views.table import Getter, column, table
from views.training_run.inputs import sequences
from views.training_run.parts import memory_chart
from views.training_run.settings import TrainingRunSettings
from views.view import Finding


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """What was asked for, in words, and its number; the reason it cannot be has none."""

    words: str
    number: int | None


COLUMNS: tuple[Getter[_Asked], ...] = (
    column("asked", lambda asked: asked.words, label="Asked for", kind="text"),
    column("number", lambda asked: asked.number, label="Number"),
)


def headline_of(problem: str) -> str:
    """Return why a run cannot be done: the problem without what to do about it."""
    reason = re.split(r"[.;] ", problem.rstrip("."))[0]
    return wording.sentence_case(reason)


def asked_for(settings: TrainingRunSettings) -> tuple[tuple[str, int], ...]:
    """Return what the reader asked for in numbers, the degrees of a plan by hand among them."""
    numbers = [
        ("Accelerators", settings.accelerators),
        ("Sequences in a batch", sequences(settings)),
        ("Tokens in a sequence", settings.sequence),
    ]
    if settings.plan == "manual":
        numbers += [
            ("Tensor parallel", settings.tensor),
            ("Pipeline parallel", settings.pipeline),
            ("Context parallel", settings.context),
            ("Interleave", settings.interleave),
            ("Micro-batch", settings.micro_batch),
        ]
    return tuple(numbers)


def impossible(
    problem: str,
    *,
    settings: TrainingRunSettings,
    words: str,
    sources: tuple[Source, ...],
    memory: DeviceMemory | None = None,
    capacity_byte: float = 0.0,
) -> Finding:
    """Return the finding: the problem as a sentence, over the memory it would take or the numbers asked for."""
    sentence, headline = f"{wording.sentence_case(problem.rstrip('.'))}.", headline_of(problem)
    if memory is not None:
        exhibit = memory_chart(memory, title=headline, capacity_byte=capacity_byte, source=words)
    else:
        exhibit = _asked_exhibit(settings, headline=headline, sentence=sentence, words=words)
    return Finding(
        headline=headline,
        figures=(),
        exhibits=(exhibit,),
        settings_line=words,
        notes=(sentence,),
        sources=sources,
    )


def _asked_exhibit(settings: TrainingRunSettings, *, headline: str, sentence: str, words: str) -> Exhibit:
    numbers = asked_for(settings)
    asked = [_Asked(words=name, number=number) for name, number in numbers]
    return Exhibit(
        chart=BarChart(
            title=headline,
            subtitle="What was asked for.",
            alt=f"{headline}.",
            source=words,
            x=log_axis(
                "Number", [1.0, *(float(number) for _, number in numbers)], word=lambda value: f"{value:,.0f}"
            ),
            base=1.0,
            bars=tuple(
                Bar(label=name, value=float(number), text=f"{number:,}", role="context")
                for name, number in numbers
            ),
        ),
        table=table(COLUMNS, [*asked, _Asked(words=sentence, number=None)]),
    )
