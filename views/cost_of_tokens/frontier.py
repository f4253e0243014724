"""Exhibits of price by speed per user, and of accelerators at the chosen speed."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from analysis.cost_of_tokens.frontier import DETAILED, Frontier
from analysis.serving.tables import measured_points
from charts.chart import Band, Bar, Line, Points, Role
from views import wording, written
from views.axes import log_axis
from views.cost_of_tokens.answer import PriceAnswer, Served, between, usd
from views.exhibits import ValueAxis, bar_exhibit, xy_exhibit
from views.result import Exhibit
from views.table import Getter, stated_columns, table

CEILING = 30.0
"""Multiple of the headline's price above which prices are not drawn. [1]"""
_COLUMNS = written.toml(__file__, name="columns.toml")
ROLES: Mapping[str, Role] = _COLUMNS["colours"]
"""Colour role of each accelerator, the same on every page. Rare ones share grey."""


def speed_words(value: float) -> str:
    """Return a speed with its unit as text: 30 tokens/s."""
    return f"{wording.significant(value)} tokens/s" if value < 995 else f"{value:,.0f} tokens/s"


def drawn(answer: PriceAnswer) -> list[Frontier]:
    """Return the frontiers to draw: the best, and then others, those with equally good evidence first."""
    best = [answer.best] if answer.best else []
    rest = [one for one in answer.frontiers if one is not answer.best]
    return [*best, *sorted(rest, key=lambda one: bool(answer.why_not(one)))][:DETAILED]


def frontier_exhibit(answer: PriceAnswer, *, title: str, subtitle: str, source: str) -> Exhibit:
    """Return an exhibit of the frontiers, with the best one's interval and the measured points."""
    shown = drawn(answer)
    roles: dict[str, Role] = {one.accelerator: ROLES.get(answer.place(one).short, "context") for one in shown}
    least = min((float(one.usd.min()) for one in shown), default=1.0)
    ceiling = CEILING * max(least, answer.leader.usd if answer.served else 0.0)
    band = _band(answer, role=roles[shown[0].accelerator], ceiling=ceiling)
    measured = list(_measured(answer, roles, ceiling=ceiling))
    lines = [_line(answer, one, role=roles[one.accelerator], ceiling=ceiling) for one in reversed(shown)]
    speeds = [rate for mark in (*lines, *measured) for rate in mark.x]
    by_evidence = sorted(answer.frontiers, key=lambda one: bool(answer.why_not(one)))
    return xy_exhibit(
        (
            *((band,) if len(band.x) > 1 else ()),
            *lines,
            *measured,
            *_chosen_speed(answer, roles, low=least, high=ceiling),
        ),
        title=title,
        subtitle=subtitle,
        source=f"{source} The chart ends at {usd(ceiling)}; the table has all points.",
        x=log_axis("Speed per user [tokens/s]", speeds, word=lambda value: f"{value:,g}"),
        y=ValueAxis(
            title="Cost of a million output tokens [$]", word=usd, log=True, span=(*band.low, *band.high)
        ),
        numbers=table(
            _point_columns(answer), [(one, at) for one in by_evidence for at in range(len(one.speed))]
        ),
    )


def _point_columns(answer: PriceAnswer) -> tuple[Getter[tuple[Frontier, int]], ...]:
    """Return the table columns for points. Each point is a frontier and an index along it."""
    return stated_columns(
        _COLUMNS["frontier"],
        accelerator=lambda point: answer.place(point[0]).short,
        speed_tokens_per_s=lambda point: float(point[0].speed[point[1]]),
        usd_per_million=lambda point: float(point[0].usd[point[1]]),
        first_token_s=lambda point: float(point[0].first_s[point[1]]),
        requests=lambda point: float(point[0].at.deployments.concurrency[point[1]]),
        tensor=lambda point: float(point[0].at.deployments.tensor[point[1]]),
        data=lambda point: float(point[0].at.deployments.data[point[1]]),
        software=lambda point: point[0].at.deployments.engine[point[1]],
        measured=lambda point: answer.why_not(point[0]) or "yes",
    )


def _chosen_speed(
    answer: PriceAnswer, roles: Mapping[str, Role], *, low: float, high: float
) -> tuple[Line, Points] | tuple[()]:
    """Return marks at the chosen speed and at the headline's price. Empty if the speed is not reached."""
    if not answer.served:
        return ()
    speed, best = float(answer.settings.speed), answer.leader
    name = f"{best.place.short} at {speed_words(speed)}"
    rule = Line(series=speed_words(speed), role="context", x=(speed, speed), y=(low, high), dash="dotted")
    return rule, Points(
        series=name,
        role=roles.get(answer.leading.accelerator, "context"),
        x=(speed,),
        y=(best.usd,),
        names=(name,),
        details=((usd(best.usd),),),
        marked=((0, f"{usd(best.usd)}, modelled"),),
    )


def _band(answer: PriceAnswer, *, role: Role, ceiling: float) -> Band:
    """Return the interval of the best accelerator's price as a band, where both bounds are known."""
    best = answer.best
    priced = [(rate, *answer.priced(best, speed=rate)) for rate in best.speed.tolist()] if best else []
    known = [(rate, low, high) for rate, _, low, high in priced if math.isfinite(high) and low < ceiling]
    return Band(
        series=f"{answer.settings.level}% interval, {answer.place(best).short}" if best else "",
        role=role,
        strength="confidence",
        x=tuple(rate for rate, _, _ in known),
        low=tuple(low for _, low, _ in known),
        high=tuple(min(high, ceiling) for _, _, high in known),
    )


def _line(answer: PriceAnswer, one: Frontier, *, role: Role, ceiling: float) -> Line:
    name, shown = answer.place(one).short, one.usd <= ceiling
    return Line(
        series=", ".join(filter(None, (name, answer.why_not(one)))),
        role=role,
        x=tuple(one.speed[shown].tolist()),
        y=tuple(one.usd[shown].tolist()),
        dash="dotted" if answer.why_not(one) else "solid",
        end_label=(name,),
        hover=tuple(
            f"{name}: {usd(price)} at {speed_words(rate)}, {wording.counted(round(requests), 'concurrent request')}"
            for price, rate, requests in zip(one.usd, one.speed, one.at.deployments.concurrency, strict=True)
            if price <= ceiling
        ),
    )


def _measured(answer: PriceAnswer, roles: Mapping[str, Role], *, ceiling: float) -> Iterator[Points]:
    """Yield the model's comparable measured points for each accelerator in the chart."""
    prices = answer.measured(answer.comparable())
    d, rows = prices.deployments, measured_points().rows.iloc[prices.at]
    software: Any = rows["software"] + " " + rows["software_version"].astype(str)
    for accelerator, role in roles.items():
        own = [i for i, name in enumerate(d.accelerator) if name == accelerator and prices.usd[i] <= ceiling]
        if not own:
            continue
        name = f"{answer.inputs.places[accelerator].short}, measured"
        yield Points(
            series=name,
            role=role,
            x=tuple(float(prices.speed[i]) for i in own),
            y=tuple(float(prices.usd[i]) for i in own),
            names=(name,) * len(own),
            details=tuple(
                (
                    f"{usd(prices.usd[i])} at {speed_words(prices.speed[i])}",
                    f"{software.iloc[i]}, {d.concurrency[i]:,.0f} requests on {d.all_chips[i]:.0f}",
                )
                for i in own
            ),
            marked=((max(range(len(own)), key=lambda at: prices.usd[own[at]]), name),),
            hollow=True,
        )


def accelerators_exhibit(answer: PriceAnswer, *, source: str) -> Exhibit:
    """Return an exhibit of the price on each accelerator at the chosen speed."""
    rows = sorted(answer.served.values(), key=lambda row: bool(row.why_not))
    best, speed = answer.leader, answer.settings.speed
    other = answer.runner_up
    second = f" and {usd(other.usd)} on the {other.place.short}" if other else ""
    ends = [value for row in rows for value in (row.usd, row.low, row.high) if 0 < value < float("inf")]

    def details(row: Served) -> Iterator[str]:
        providers = wording.counted(row.place.listed.providers, "provider")
        yield f"{row.tokens_per_s:,.0f} tokens/s each at ${row.rent.value:.2f} an hour, {providers}"
        yield f"{wording.counted(row.place.points, 'measured point')} of the model"
        if answer.of_today and row.tokens_per_j > 0:
            yield f"{wording.significant(row.tokens_per_j)} tokens per joule"
        yield between(row.low, row.high)

    return bar_exhibit(
        rows,
        lambda row: Bar(
            label=row.place.short,
            value=row.usd,
            low=row.low,
            high=min(row.high, max(ends)),
            text=", ".join(filter(None, (usd(row.usd), row.why_not))),
            role="context" if row.why_not else "memory",
            emphasised=row is best,
            detail=tuple(details(row)),
        ),
        title=f"At {speed} tokens/s, a million output tokens cost {usd(best.usd)} on the {best.place.short}{second}",
        subtitle="Dots show the cost of a million output tokens on each accelerator, with its "
        f"{answer.settings.level}% interval. Accelerators in grey were not measured with this model and number format, "
        "or are offered by fewer than three providers.",
        source=source,
        axis=ValueAxis(title="Cost of a million output tokens [$]", word=usd, log=True),
        dots=True,
        columns=stated_columns(_COLUMNS["accelerators"]),
    )
