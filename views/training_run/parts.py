"""The parts of a run's time and memory: their names, what to do about each, and their charts."""

from collections.abc import Mapping
from dataclasses import dataclass

from analysis.training_run.device_memory import USABLE_SHARE, DeviceMemory
from analysis.training_run.outlook import RunOutlook
from charts.chart import Bar, BarChart, Role
from views import wording
from views.axes import linear_axis
from views.result import Exhibit
from views.table import Getter, column, table
from views.training_run.inputs import RunInputs

PARTS: Mapping[str, tuple[str, Role, str, str]] = {
    "matrix_s": ("Matrix products", "compute", "the matrix products themselves", "take faster or more chips"),
    "attention_s": (
        "Attention",
        "compute",
        "attention over the sequence",
        "shorten the sequence or its window",
    ),
    "memory_bound_s": (
        "Memory-bound work",
        "memory",
        "work that waits for memory bandwidth",
        "fuse kernels or take chips with more bandwidth",
    ),
    "tensor_s": (
        "Tensor-parallel exchange",
        "links",
        "between chips that share each layer",
        "use fewer of them or a faster chip link",
    ),
    "context_s": (
        "Context-parallel exchange",
        "links",
        "exchange of keys and values",
        "use fewer context-parallel chips or fewer key-value heads",
    ),
    "expert_s": (
        "Expert exchange",
        "links",
        "sending tokens to experts",
        "overlap it or keep experts inside a scale-up domain",
    ),
    "pipeline_s": (
        "Pipeline exchange",
        "links",
        "sending activations between stages",
        "overlap it or use fewer pieces",
    ),
    "data_s": (
        "Data-parallel exchange",
        "links",
        "exchange of gradients and weights",
        "overlap it, grow the batch or take a faster network",
    ),
    "imbalance_s": (
        "Uneven stages",
        "context",
        "waiting for the fullest stage",
        "choose a pipeline depth that divides the layers",
    ),
    "bubble_s": (
        "Pipeline bubble",
        "context",
        "stages that wait for work",
        "use fewer stages, more interleaving or a larger batch",
    ),
    "optimizer_s": ("Optimizer", "memory", "updating the weights", "split its states (ZeRO 1)"),
    "jitter_s": (
        "Waiting for the slowest",
        "context",
        "chips that wait at every step",
        "weed out slow chips and links",
    ),
    "wide_area": (
        "Exchange between sites",
        "links",
        "averaging weights over the sites",
        "take more local steps between syncs",
    ),
    "ramp": ("Batch ramp", "context", "the small batches of the ramp", "shorten the ramp"),
    "checkpoint": ("Checkpoints", "edge", "writing checkpoints", "write them in the background or faster"),
    "failure": (
        "Failures",
        "edge",
        "failures and restarts",
        "restart faster and take parts that fail less often",
    ),
}
"""Of each part of the time: its name, role, what it is in plain words, and what to change in a plan by hand."""

OUTSIDE: Mapping[str, str] = {
    "tensor_s": "a faster chip link, or more memory, so that fewer chips share a layer",
    "context_s": "a faster chip link or network, or fewer key-value heads",
    "expert_s": "software that overlaps it, a faster chip link or a larger scale-up domain",
    "pipeline_s": "a faster network, or more memory, so that there are fewer stages",
    "data_s": "a faster network or a larger batch",
    "imbalance_s": "a number of layers that splits more evenly",
    "bubble_s": "a larger batch, or more memory, so that there are fewer stages",
    "optimizer_s": "more memory bandwidth",
}
"""What to change where the plan is searched for: only what lies outside it; parts not named keep their advice."""
ONE_OF_ITS_KIND = ("bubble_s", "optimizer_s", "ramp")
"""Parts whose name takes an article in a sentence."""
WORK = ("matrix_s", "attention_s")


@dataclass(frozen=True, kw_only=True)
class _TimePart:
    """A part of the wall clock: its share, its time in the whole run [s], and what to do against it."""

    label: str
    share: float
    seconds: float
    to_change: str


@dataclass(frozen=True, kw_only=True)
class _MemoryPart:
    """What a part of an accelerator's memory holds. [byte]"""

    name: str
    size_byte: float


TIME_COLUMNS: tuple[Getter[_TimePart], ...] = (
    column("part", lambda part: part.label, label="Part", kind="text"),
    column("share", lambda part: part.share, label="Share of the wall clock", unit="1"),
    column("time_s", lambda part: part.seconds, label="In the whole run", unit="s", kind="scientific"),
    column("to_change", lambda part: part.to_change, label="What to change", kind="text"),
)
MEMORY_COLUMNS: tuple[Getter[_MemoryPart], ...] = (
    column("part", lambda part: part.name, label="Part", kind="text"),
    column("memory_byte", lambda part: part.size_byte, label="Memory", unit="byte", kind="scientific"),
)


def advice(part: str, *, searched: bool) -> str:
    """Return what to change against a part of the time; where the plan is ``searched``, only what lies outside it."""
    return OUTSIDE.get(part, PARTS[part][3]) if searched else PARTS[part][3]


def named(part: str) -> str:
    """Return a part's name, the chart's, as it stands in a sentence: tensor-parallel exchange, the pipeline bubble."""
    label = PARTS[part][0]
    return f"{'the ' if part in ONE_OF_ITS_KIND else ''}{wording.small_initial(label)}"


def time_exhibit(run: RunOutlook, *, headline: str, source: str, searched: bool) -> Exhibit:
    """Return the share of the wall clock that each part takes, the largest first."""
    shown = [(name, share) for name, share in run.shares.items() if share >= 0.0005]
    shown.sort(key=lambda item: -item[1])
    bars = tuple(
        Bar(
            label=PARTS[name][0],
            value=100 * share,
            text=f"{100 * share:.1f} %",
            role=PARTS[name][1],
            emphasised=name == shown[0][0],
            detail=(PARTS[name][2], f"what to change: {advice(name, searched=searched)}"),
        )
        for name, share in shown
    )
    top = max(bar.value for bar in bars)
    return Exhibit(
        chart=BarChart(
            title=headline,
            subtitle="Share of the wall clock by part; exchange counts only where it is not overlapped.",
            alt=f"{headline}.",
            source=source,
            x=linear_axis("Share of the wall clock [%]", [0.0, top * 1.1], word=lambda value: f"{value:g} %"),
            base=0.0,
            bars=bars,
        ),
        table=table(
            TIME_COLUMNS,
            [
                _TimePart(
                    label=PARTS[name][0],
                    share=share,
                    seconds=share * run.seconds,
                    to_change=advice(name, searched=searched),
                )
                for name, share in run.shares.items()
            ],
        ),
    )


def memory_exhibit(memory: DeviceMemory, inputs: RunInputs, *, source: str) -> Exhibit:
    """Return what the fullest accelerator holds, against what it can."""
    capacity = inputs.machine.chip.memory_capacity_byte
    total = float(memory.total_byte)
    title = f"The fullest accelerator holds {total / 1e9:,.0f} of {capacity / 1e9:,.0f} GB"
    return memory_chart(memory, title=title, capacity_byte=capacity, source=source)


def memory_chart(memory: DeviceMemory, *, title: str, capacity_byte: float, source: str) -> Exhibit:
    """Return memory by part under a title; the last bar is what can be filled."""
    roles: Mapping[str, Role] = {"activations": "memory", "working space": "context"}
    parts = {name: float(value) for name, value in memory.parts().items()}
    sizes = {**parts, "usable": USABLE_SHARE * capacity_byte}
    bars = tuple(
        Bar(
            label=wording.sentence_case("memory that can be filled" if name == "usable" else name),
            value=value / 1e9,
            text=f"{wording.significant(value / 1e9, 3)} GB",
            role="context" if name == "usable" else roles.get(name, "compute"),
            emphasised=name == "usable",
        )
        for name, value in sizes.items()
    )
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle="Memory of the fullest accelerator by what it holds.",
            alt=f"{title}.",
            source=source,
            x=linear_axis(
                "Memory [GB]",
                [0.0, max(bar.value for bar in bars) * 1.1],
                word=lambda value: f"{value:,g} GB",
            ),
            base=0.0,
            bars=bars,
        ),
        table=table(
            MEMORY_COLUMNS, [_MemoryPart(name=name, size_byte=value) for name, value in sizes.items()]
        ),
    )
