"""The price of a million tokens against the speed of each user: each accelerator's frontier, with measured points."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.cost_of_tokens.frontier import DETAILED, Frontier
from charts.chart import Band, Line, Mark, Points, Role
from views import wording
from views.axes import log_axis
from views.cost_of_tokens.answer import PriceAnswer
from views.cost_of_tokens.measured_points import MeasuredPoint, measured_at
from views.cost_of_tokens.words import speed, usd
from views.exhibits import ValueAxis, xy_exhibit
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


def drawn(answer: PriceAnswer) -> list[Frontier]:
    """Return the frontiers that are drawn: the best, then others measured with the model, then the cheapest."""
    best = [answer.best] if answer.best else []
    rest = [one for one in answer.frontiers if one is not answer.best]
    return [*best, *sorted(rest, key=lambda one: not answer.known(one))][:SHOWN]


def roles(answer: PriceAnswer, shown: Sequence[Frontier]) -> dict[str, Role]:
    """Return the colour of each accelerator drawn: the best has the first, others keep theirs whatever their rank."""
    best, *rest = (one.accelerator for one in shown)
    listed = list(answer.inputs.places)
    return dict(zip((best, *sorted(rest, key=listed.index)), ROLES, strict=False))


def frontier_exhibit(answer: PriceAnswer, *, title: str, subtitle: str, source: str) -> Exhibit:
    """Return the frontiers as lines, the best with its interval, and measured points of the model."""
    shown = drawn(answer)
    role = roles(answer, shown)
    measured = [point for point in measured_at(answer.settings, answer.inputs) if point.accelerator in role]
    sure = _sure(answer)
    rows = [
        _Row(
            short=answer.place(one).short,
            known=answer.why_not(one) or "yes",
            frontier=one,
            at=at,
        )
        for one in answer.frontiers
        for at in range(len(one.speed))
    ]
    return xy_exhibit(
        (
            *_band(answer, sure, roles=role),
            *(_line(answer, one, role=role[one.accelerator]) for one in reversed(shown)),
            *_points(answer, measured, roles=role),
        ),
        title=title,
        subtitle=subtitle,
        source=source,
        x=log_axis(
            "Speed per user [tokens/s]",
            [*(rate for one in shown for rate in one.speed.tolist()), *(point.speed for point in measured)],
            word=lambda value: f"{value:,g}",
        ),
        y=ValueAxis(
            title="Price of a million output tokens [$]",
            word=usd,
            log=True,
            span=tuple(end for _, *ends in sure for end in ends),
        ),
        numbers=table(COLUMNS, rows),
    )


def _sure(answer: PriceAnswer) -> list[tuple[float, float, float]]:
    """Return speed, low and high end of the best accelerator's price where both are known; none without one."""
    if answer.best is None:
        return []
    priced = [(float(rate), *answer.best.usd_at(float(rate))) for rate in answer.best.speed]
    return [(rate, low, high) for rate, _, low, high in priced if np.isfinite(high)]


def _band(
    answer: PriceAnswer, sure: Sequence[tuple[float, float, float]], *, roles: dict[str, Role]
) -> Iterator[Mark]:
    if answer.best is not None and len(sure) > 1:
        rates, lows, highs = zip(*sure, strict=True)
        yield Band(
            series=f"{answer.settings.level} % interval, {answer.place(answer.best).short}",
            role=roles[answer.best.accelerator],
            strength="confidence",
            x=rates,
            low=lows,
            high=highs,
        )


def _line(answer: PriceAnswer, one: Frontier, *, role: Role) -> Line:
    name = answer.place(one).short
    return Line(
        series=", ".join(filter(None, (name, answer.why_not(one)))),
        role=role,
        x=tuple(one.speed.tolist()),
        y=tuple(one.usd.tolist()),
        dash="solid" if answer.known(one) else "dotted",
        end_label=(name,),
        hover=tuple(
            f"{name}: {usd(price)} at {speed(rate)}, {wording.counted(round(requests), 'request')} at once"
            for price, rate, requests in zip(one.usd, one.speed, one.at.deployments.concurrency, strict=True)
        ),
    )


def _points(
    answer: PriceAnswer, measured: Sequence[MeasuredPoint], *, roles: dict[str, Role]
) -> Iterator[Mark]:
    for accelerator, role in roles.items():
        own = [point for point in measured if point.accelerator == accelerator]
        if own:
            name = f"{answer.inputs.short(accelerator)}, measured"
            yield Points(
                series=name,
                role=role,
                x=tuple(point.speed for point in own),
                y=tuple(point.usd for point in own),
                names=(name,) * len(own),
                details=tuple((f"{usd(point.usd)} at {speed(point.speed)}", point.words) for point in own),
            )
