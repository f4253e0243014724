"""The price of a million tokens against the speed of each user: each accelerator's frontier, with measured points."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.cost_of_tokens.frontier import DETAILED, Frontier
from charts.chart import Band, Line, Mark, Points, Role, XYChart
from views import wording
from views.axes import log_axis
from views.cost_of_tokens.found import Found
from views.cost_of_tokens.measured_points import measured_at
from views.cost_of_tokens.words import speed, usd
from views.result import Exhibit
from views.table import Getter, column, table

SHOWN = DETAILED
ROLES: tuple[Role, ...] = ("memory", "compute", "links", "edge", "context")


@dataclass(frozen=True, kw_only=True)
class _Row:
    short: str
    known: str
    frontier: Frontier
    at: int


COLUMNS: tuple[Getter[_Row], ...] = (
    column("accelerator", lambda row: row.short, label="Accelerator", kind="text"),
    column(
        "speed_tokens_per_s",
        lambda row: float(row.frontier.speed[row.at]),
        label="Speed per user",
        unit="tokens/s",
    ),
    column(
        "usd_per_million",
        lambda row: float(row.frontier.usd[row.at]),
        label="Million output tokens",
        unit="USD",
    ),
    column("first_token_s", lambda row: float(row.frontier.first_s[row.at]), label="First token", unit="s"),
    column("requests", lambda row: _of(row, "concurrency"), label="Requests at once"),
    column("tensor", lambda row: _of(row, "tensor"), label="Tensor parallel"),
    column("data", lambda row: _of(row, "data"), label="Data and expert parallel"),
    column("software", lambda row: row.frontier.at.deployments.engine[row.at], label="Software", kind="text"),
    column("measured", lambda row: row.known, label="Measured and rented", kind="text"),
)


def _of(row: _Row, name: str) -> float:
    return float(getattr(row.frontier.at.deployments, name)[row.at])


def drawn(found: Found) -> list[Frontier]:
    """Return the frontiers that are drawn: the best, then others measured with the model, then the cheapest."""
    best = [found.best] if found.best else []
    rest = [one for one in found.frontiers if one is not found.best]
    return [*best, *sorted(rest, key=lambda one: not found.known(one))][:SHOWN]


def roles(found: Found, shown: Sequence[Frontier]) -> dict[str, Role]:
    """Return the colour of each accelerator drawn: the best has the first, others keep theirs whatever their rank."""
    best, *rest = (one.accelerator for one in shown)
    listed = list(found.inputs.places)
    return dict(zip((best, *sorted(rest, key=listed.index)), ROLES, strict=False))


def frontier_exhibit(found: Found, *, title: str, subtitle: str, source: str) -> Exhibit:
    """Return the frontiers as lines, the best with its interval, and measured points of the model."""
    shown = drawn(found)
    marks: list[Mark] = []
    measured = measured_at(found.settings, found.inputs)
    role = roles(found, shown)
    ends: list[float] = []
    speeds: list[float] = []
    if found.best is not None:
        of = found.best
        priced = [(float(rate), *of.usd_at(float(rate))) for rate in of.speed]
        sure = [(rate, low, high) for rate, _, low, high in priced if np.isfinite(high)]
        ends += [value for _, low, high in sure for value in (low, high)]
        if len(sure) > 1:
            marks.append(
                Band(
                    series=f"{found.settings.level} % interval, {found.place(of).short}",
                    role=role[of.accelerator],
                    strength="confidence",
                    x=tuple(rate for rate, _, _ in sure),
                    low=tuple(low for _, low, _ in sure),
                    high=tuple(high for _, _, high in sure),
                )
            )
    for one in reversed(shown):
        name = found.place(one).short
        ends += one.usd.tolist()
        speeds += one.speed.tolist()
        marks.append(
            Line(
                series=", ".join(filter(None, (name, found.why_not(one)))),
                role=role[one.accelerator],
                x=tuple(one.speed.tolist()),
                y=tuple(one.usd.tolist()),
                dash="solid" if found.known(one) else "dotted",
                end_label=(name,),
                hover=tuple(
                    f"{name}: {usd(price)} at {speed(rate)}, {wording.counted(round(requests), 'request')} at once"
                    for price, rate, requests in zip(
                        one.usd, one.speed, one.at.deployments.concurrency, strict=True
                    )
                ),
            )
        )
    for name, colour in role.items():
        own = [point for point in measured if point.accelerator == name]
        if own:
            ends += [point.usd for point in own]
            speeds += [point.speed for point in own]
            marks.append(
                Points(
                    series=f"{found.inputs.short(name)}, measured",
                    role=colour,
                    x=tuple(point.speed for point in own),
                    y=tuple(point.usd for point in own),
                    names=tuple(f"{found.inputs.short(name)}, measured" for _ in own),
                    details=tuple(
                        (f"{usd(point.usd)} at {speed(point.speed)}", point.words) for point in own
                    ),
                )
            )
    rows = [
        _Row(
            short=found.place(one).short,
            known=found.why_not(one) or "yes",
            frontier=one,
            at=at,
        )
        for one in found.frontiers
        for at in range(len(one.speed))
    ]
    return Exhibit(
        chart=XYChart(
            title=title,
            subtitle=subtitle,
            alt=f"{title}.",
            source=source,
            x=log_axis("Speed per user [tokens/s]", speeds, word=lambda value: f"{value:,g}"),
            y=log_axis("Price of a million output tokens [$]", ends, word=usd),
            marks=tuple(marks),
        ),
        table=table(COLUMNS, rows),
    )
