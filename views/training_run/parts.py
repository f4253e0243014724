"""Parts of a run's time and memory: their names, advice and charts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from analysis.training_run.device_memory import USABLE_SHARE, DeviceMemory
from analysis.training_run.outlook import RunOutlook
from analysis.units import DAY_S
from charts.chart import Bar, Role
from views import wording, written
from views.exhibits import ValueAxis, bar_exhibit
from views.result import Exhibit
from views.table import Getter, column, stated_columns
from views.training_run.words import days_words


@dataclass(frozen=True, kw_only=True)
class Part:
    """A part of a run's time: its name, a plain description, and advice.

    ``by_hand`` is advice for a manual plan; ``outside``, if it differs, is advice for a searched plan on other things.
    ``changes`` are the names of changes to try. ``article`` means that the name takes an article in a sentence. ``row``
    is the part's name in files and in sealed tests of claims, if that is not its label.
    """

    label: str
    role: Role
    meaning: str
    by_hand: str
    outside: str = ""
    article: bool = False
    changes: Sequence[str] = ()
    row: str = ""

    @property
    def name(self) -> str:
        """Return the label as used inside a sentence, such as “the pipeline bubble”."""
        return f"{'the ' * self.article}{wording.small_initial(self.label)}"

    def advice(self, *, searched: bool) -> str:
        """Return the advice. For a ``searched`` plan, the advice covers only what is outside the plan."""
        return self.outside or self.by_hand if searched else self.by_hand


PARTS = {name: Part(**part) for name, part in written.toml(__file__, name="parts.toml").items()}
"""Parts of the time, keyed by the names of shares in :class:`analysis.training_run.outlook.RunOutlook`."""
WHOLE, COMPUTE = "Whole run", "Compute: matmuls and attention"
LEAST_SHOWN = 0.0005
"""Share of the time below which a part appears only in the table. [1]"""


def time_exhibit(run: RunOutlook, *, headline: str, whole: str, source: str, searched: bool) -> Exhibit:
    """Return an exhibit of the run's total time (with the text ``whole``) and its parts, largest first."""
    shown = sorted(
        (name for name, share in run.shares.items() if share >= LEAST_SHOWN),
        key=lambda name: -run.shares[name],
    )
    stated = written.toml(__file__, name="columns.toml")["time"]
    stated["part"] |= {"words": {part.row: part.label for part in PARTS.values() if part.row}}
    columns = stated_columns(
        stated,
        part=lambda name: PARTS[name].row or PARTS[name].label,
        share=lambda name: run.shares[name],
        time_s=lambda name: run.shares[name] * run.seconds,
        to_change=lambda name: PARTS[name].advice(searched=searched),
    )
    totals, bound = {WHOLE: 1.0, COMPUTE: run.compute_share}, run.is_compute_bound

    def bar(name: str) -> Bar:
        share = totals.get(name) or run.shares[name]
        text = whole if name == WHOLE else f"{days_words(share * run.seconds / DAY_S)}, {100 * share:.1f}%"
        if name in totals:
            role: Role = "context" if name == WHOLE else "compute"
            return Bar(label=name, value=100 * share, text=text, role=role, emphasised=bound or name == WHOLE)
        return Bar(
            label=PARTS[name].label,
            value=100 * share,
            text=text,
            role=PARTS[name].role,
            emphasised=not bound and name == shown[0],
            detail=(PARTS[name].meaning, f"what to change: {PARTS[name].advice(searched=searched)}"),
        )

    return bar_exhibit(
        (WHOLE, COMPUTE, *shown),
        bar,
        title=headline,
        subtitle="Bars show shares of the run's time. Communication that overlaps with computation is not counted.",
        source=source,
        axis=ValueAxis(title="Share of the run [%]", word=lambda value: f"{value:g}%", span=(0.0, 100.0)),
        columns=columns,
        listed=tuple(run.shares),
    )


USABLE = "usable"
MEMORY_ROLES: Mapping[str, Role] = {"activations": "memory", "working space": "context", USABLE: "context"}


def memory_exhibit(memory: DeviceMemory, *, capacity_byte: float, source: str, title: str = "") -> Exhibit:
    """Return an exhibit of the fullest accelerator's memory by part. The last bar is the usable memory."""
    parts = {name: float(value) for name, value in memory.parts().items()}
    sizes = {**parts, USABLE: USABLE_SHARE * capacity_byte}
    filled = wording.significant(float(memory.total_byte) / 1e9)
    holds = f"The fullest accelerator uses {filled} of its {capacity_byte / 1e9:,.0f} GB of memory"
    columns: tuple[Getter[str], ...] = (
        column("part", lambda name: name, label="Part", kind="text"),
        column("memory_byte", lambda name: sizes[name], label="Memory", unit="byte", kind="scientific"),
    )
    return bar_exhibit(
        tuple(sizes),
        lambda name: Bar(
            label="Usable memory" if name == USABLE else wording.sentence_case(name),
            value=sizes[name] / 1e9,
            text=f"{wording.significant(sizes[name] / 1e9, 3)} GB",
            role=MEMORY_ROLES.get(name, "compute"),
            emphasised=name == USABLE,
        ),
        title=title or holds,
        subtitle="Bars show what fills the memory of the fullest accelerator.",
        source=source,
        axis=ValueAxis(
            title="Memory [GB]",
            word=lambda value: f"{value:,g} GB",
            span=(0.0, max(sizes.values()) / 1e9 * 1.1),
        ),
        columns=columns,
    )
