"""The time of exchanging a gigabyte, by the number of accelerators."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from analysis.hardware import collectives
from analysis.training_run.layer_time import SUSTAINED
from charts.chart import Line, Role, XYChart
from views import wording
from views.axes import log_axis
from views.result import Exhibit
from views.table import Getter, column, table
from views.training_run.inputs import RunInputs
from views.training_run.words import count, short_count

MESSAGE_BYTE = 1e9
KINDS: Mapping[str, Role] = {
    "Ring all-reduce": "compute",
    "Tree all-reduce": "links",
    "All-to-all": "edge",
    "Everyone sends all to everyone": "context",
}
"""Kinds of exchange with their roles; the last is drawn for comparison only."""


@dataclass(frozen=True, kw_only=True)
class _Group:
    """A number of accelerators, and how long each kind of exchange takes them. [s]"""

    accelerators: float
    seconds: Mapping[str, float]


def _kind_column(kind: str) -> Getter[_Group]:
    name = kind.lower().replace("-", "_").replace(" ", "_")
    return column(f"{name}_s", lambda group: group.seconds[kind], label=kind, unit="s")


COLUMNS: tuple[Getter[_Group], ...] = (
    column("accelerators", lambda group: group.accelerators, label="Accelerators"),
    *(_kind_column(kind) for kind in KINDS),
)


def exchange_exhibit(inputs: RunInputs, *, source: str) -> Exhibit:
    """Return the time of exchanging a gigabyte against the number of accelerators."""
    machine = inputs.machine
    ranks = np.array([2.0**k for k in range(1, 18)])
    rate = collectives.group_bandwidth(
        ranks=ranks,
        stride=1,
        domain_size=machine.chip.domain_size,
        link_byte_per_s=machine.chip.link_bandwidth_byte_per_s * SUSTAINED.link,
        network_byte_per_s=machine.chip.network_bandwidth_byte_per_s * SUSTAINED.network,
    )
    outside = machine.chip.network_bandwidth_byte_per_s * SUSTAINED.network
    flat = np.where(ranks <= machine.chip.domain_size, rate, outside)
    latency = SUSTAINED.latency_s
    series = {
        "Ring all-reduce": collectives.ring_all_reduce_s(
            MESSAGE_BYTE, ranks=ranks, bandwidth=rate, latency_s=latency
        ),
        "Tree all-reduce": collectives.tree_all_reduce_s(
            MESSAGE_BYTE, ranks=ranks, bandwidth=rate, latency_s=latency
        ),
        "All-to-all": collectives.all_to_all_s(MESSAGE_BYTE, ranks=ranks, bandwidth=flat, latency_s=latency),
        "Everyone sends all to everyone": (ranks - 1) * MESSAGE_BYTE / flat,
    }
    grows = float(series["Tree all-reduce"][-1] / series["Tree all-reduce"][4])
    title = (
        f"From 32 to {count(ranks[-1])} accelerators a tree all-reduce takes {wording.multiple(grows)} as long: "
        "exchange does not grow with the square"
    )
    return Exhibit(
        chart=XYChart(
            title=title,
            subtitle="Time to exchange 1 GB from each, log scales; a ring's hops add up, a tree's do not.",
            alt=title,
            source=source,
            x=log_axis("Accelerators", [2.0, float(ranks[-1]) * 12], word=short_count),
            y=log_axis(
                "Time [s]",
                [value for times in series.values() for value in times.tolist()],
                word=lambda value: wording.significant(value, 1),
            ),
            marks=tuple(
                Line(
                    series=name,
                    role=KINDS[name],
                    x=tuple(ranks.tolist()),
                    y=tuple(times.tolist()),
                    dash="dotted" if KINDS[name] == "context" else "solid",
                    end_label=(name.replace("Everyone sends all to everyone", "All to everyone"),),
                )
                for name, times in series.items()
            ),
        ),
        table=table(
            COLUMNS,
            [
                _Group(
                    accelerators=float(number),
                    seconds={name: float(times[i]) for name, times in series.items()},
                )
                for i, number in enumerate(ranks)
            ],
        ),
    )
