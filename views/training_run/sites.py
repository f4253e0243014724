"""A run spread over sites far apart: how long they wait for each other."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from analysis.training_run.outlook import exchange_s, waiting_share
from charts.chart import Axis, Line, Role, Tick, XYChart
from views import wording
from views.axes import log_axis
from views.result import Exhibit
from views.table import Getter, column, table
from views.training_run.inputs import RunInputs
from views.training_run.words import percent

LINKS_GBIT_PER_S: tuple[tuple[float, Role], ...] = (
    (1, "context"),
    (10, "edge"),
    (100, "links"),
    (1000, "compute"),
)


@dataclass(frozen=True, kw_only=True)
class _Meeting:
    """The steps between two meetings, and the share of time spent waiting by the rate of the link. [Gbit/s]"""

    local_steps: float
    waiting: Mapping[float, float]


def _link_column(gbit: float) -> Getter[_Meeting]:
    return column(
        f"waiting_at_{gbit:.0f}_gbit_per_s",
        lambda meeting: meeting.waiting[gbit],
        label=f"Waiting at {gbit:,.0f} Gbit/s",
        unit="1",
    )


COLUMNS: tuple[Getter[_Meeting], ...] = (
    column("local_steps", lambda meeting: meeting.local_steps, label="Steps between syncs"),
    *(_link_column(gbit) for gbit, _ in LINKS_GBIT_PER_S),
)


def sites_exhibit(inputs: RunInputs, *, step_s: float, source: str) -> Exhibit | None:
    """Return the share of time spent waiting against the local steps, by link; None for a single site."""
    circumstances = inputs.circumstances
    if circumstances.sites < 2:
        return None
    steps = np.array([1.0, 2, 5, 10, 20, 50, 100, 200, 500, 1000])

    def share(byte_per_s: float, local_steps: np.ndarray) -> np.ndarray:
        wait = exchange_s(
            inputs.model.counted.total, sites=circumstances.sites, wide_area_byte_per_s=byte_per_s
        )
        return waiting_share(step_s=step_s, local_steps=local_steps, exchange_s=wait)

    waits = {gbit: share(gbit * 1e9 / 8, steps) for gbit, _ in LINKS_GBIT_PER_S}
    own = float(share(circumstances.wide_area_byte_per_s, np.array([float(circumstances.local_steps)]))[0])
    title = (
        f"{circumstances.sites} sites that sync every {wording.counted(circumstances.local_steps, 'step')} over "
        f"{wording.significant(circumstances.wide_area_byte_per_s * 8 / 1e9)} Gbit/s spend {percent(own)} of "
        "their time waiting"
    )
    return Exhibit(
        chart=XYChart(
            title=title,
            subtitle=(
                "Share of time spent averaging 16-bit weights over a ring of sites, by local steps and link. The "
                "effect of fewer syncs on the loss is not counted (DiLoCo, arXiv:2311.08105, found little up to 500)."
            ),
            alt=title,
            source=source,
            x=log_axis("Steps between syncs", [1.0, 6000.0], word=lambda value: f"{value:,.0f}"),
            y=Axis(
                title="Time spent waiting [%]",
                low=0,
                high=104,
                ticks=tuple(Tick(value=value, label=f"{value} %") for value in range(0, 101, 20)),
            ),
            marks=tuple(
                Line(
                    series=f"{gbit:,.0f} Gbit/s",
                    role=role,
                    x=tuple(steps.tolist()),
                    y=tuple((100 * waits[gbit]).tolist()),
                    end_label=(f"{gbit:,.0f} Gbit/s",),
                )
                for gbit, role in LINKS_GBIT_PER_S
            ),
        ),
        table=table(
            COLUMNS,
            [
                _Meeting(
                    local_steps=float(number),
                    waiting={gbit: float(wait[i]) for gbit, wait in waits.items()},
                )
                for i, number in enumerate(steps)
            ],
        ),
    )
