"""What accelerators ask at the speed side by side: price with its interval, and the energy of a token."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.cost_of_tokens.frontier import Frontier
from charts.chart import Bar, BarChart
from data.by_release import kept_by_release
from data.releases import load
from views import wording
from views.axes import linear_axis, log_axis
from views.cost_of_tokens.found import Found
from views.cost_of_tokens.words import between, usd
from views.result import Exhibit
from views.table import Getter, column, table

SERVER_POWER = 1.5
"""Power of an accelerator with its share of the server over its own: NVIDIA DGX H100, 10.2 kW for eight of 700 W."""


@kept_by_release(4)
def _watts(release: str) -> dict[str, float]:
    rows: Any = load(release).accelerators
    return {row["name"]: float(row["power_w"]) for row in rows.to_dict("records")}


@dataclass(frozen=True, kw_only=True)
class Served:
    """An accelerator at the speed: price with its interval, tokens a second and a joule, rent. [USD, 1/s, 1/J, USD/h]

    ``why_not`` says why it does not carry the headline, empty where it may.
    """

    short: str
    usd: float
    low: float
    high: float
    tokens_per_s: float
    tokens_per_j: float
    rent_usd_per_hour: float
    rent_low: float
    rent_high: float
    providers: int
    points: int
    first_s: float
    why_not: str


COLUMNS: tuple[Getter[Served], ...] = (
    column("accelerator", lambda one: one.short, label="Accelerator", kind="text"),
    column("usd_per_million", lambda one: one.usd, label="Million output tokens", unit="USD"),
    column("low_usd", lambda one: one.low, label="From", unit="USD"),
    column("high_usd", lambda one: one.high, label="to", unit="USD"),
    column("tokens_per_s", lambda one: one.tokens_per_s, label="Speed of each", unit="tokens/s"),
    column("tokens_per_j", lambda one: one.tokens_per_j, label="Tokens per joule", unit="1/J"),
    column("tokens_per_s_per_kw", lambda one: 1000 * one.tokens_per_j, label="Tokens/s per kW", unit="1/kJ"),
    column("first_token_s", lambda one: one.first_s, label="First token", unit="s"),
    column("rent_usd_per_hour", lambda one: one.rent_usd_per_hour, label="Rent", unit="USD/h"),
    column("rent_low", lambda one: one.rent_low, label="Cheapest provider", unit="USD/h"),
    column("rent_high", lambda one: one.rent_high, label="Most expensive provider", unit="USD/h"),
    column("providers", lambda one: one.providers, label="Providers"),
    column("measured_points", lambda one: one.points, label="Measured points in the format"),
)


def served(found: Found, frontier: Frontier) -> Served:
    """Return an accelerator at the speed asked for; power is that of chip and server while they work."""
    place, at = found.place(frontier), frontier.place_of(found.speed)
    price, low, high = frontier.usd_at(found.speed)
    rent = float(frontier.at.usd_per_hour[at])
    rate = rent * 1e6 / (3600 * price * found.limits["utilization"])
    watt = SERVER_POWER * _watts(found.inputs.release).get(frontier.accelerator, np.nan) * found.settings.pue
    scale = rent / place.listed.middle
    return Served(
        short=place.short,
        usd=price,
        low=low,
        high=high,
        tokens_per_s=rate,
        tokens_per_j=rate / watt,
        rent_usd_per_hour=rent,
        rent_low=scale * place.listed.low,
        rent_high=scale * place.listed.high,
        providers=place.listed.providers,
        points=place.points,
        first_s=float(frontier.first_s[at]),
        why_not=found.why_not(frontier),
    )


def accelerators_exhibit(found: Found, *, source: str) -> Exhibit | None:
    """Return the price on each accelerator at the speed; None where none is as fast."""
    rows = [served(found, one) for one in found.able]
    if not rows or found.best is None:
        return None
    best = found.place(found.best).short
    others = [row for row in rows if row.short != best and not row.why_not]
    second = f", on the next measured, the {others[0].short}, {usd(others[0].usd)}" if others else ""
    title = (
        f"At {found.settings.speed} tokens/s a million tokens cost {usd(found.best.usd_at(found.speed)[0])} on the "
        f"{best}{second}"
    )
    ends = [value for row in rows for value in (row.usd, row.low, row.high) if 0 < value < float("inf")]
    top = max(ends)
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle=f"Price of a million output tokens. Lines: {found.settings.level} % interval of speeds. Grey: not "
            "measured with this model and format, or rented by fewer than three providers.",
            alt=f"{title}.",
            source=source,
            x=log_axis("Price of a million output tokens [$]", ends, word=usd),
            base=min(ends),
            dots=True,
            bars=tuple(
                Bar(
                    label=row.short,
                    value=row.usd,
                    low=row.low,
                    high=min(row.high, top),
                    text=f"{usd(row.usd)}{f', {row.why_not}' if row.why_not else ''}",
                    role="context" if row.why_not else "memory",
                    emphasised=row.short == best,
                    detail=(
                        f"{row.tokens_per_s:,.0f} tokens/s each at ${row.rent_usd_per_hour:.2f} an hour, "
                        f"{wording.counted(row.providers, 'provider')}",
                        f"{wording.counted(row.points, 'measured point')} of the model",
                        between(row.low, row.high),
                    ),
                )
                for row in rows
            ),
        ),
        table=table(COLUMNS, rows),
    )


def energy_exhibit(found: Found, *, source: str) -> Exhibit | None:
    """Return tokens per joule of each accelerator at the speed; None where none is as fast."""
    rows = sorted(
        (row for row in (served(found, one) for one in found.able) if row.tokens_per_j > 0),
        key=lambda row: -row.tokens_per_j,
    )
    if not rows or found.settings.year != "2026":
        return None
    known = next((row for row in rows if not row.why_not), rows[0])
    which = "" if known is rows[0] else "Of those measured and widely rented, "
    title = wording.sentence_case(
        f"{which}the {known.short} gives the most tokens per joule: {wording.significant(known.tokens_per_j)}"
    )
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle=f"Output tokens per joule at {found.settings.speed} tokens/s, with the energy of prompts; chip "
            f"and server at work, PUE {found.settings.pue:g}. Times 1,000 gives tokens a second per kW.",
            alt=f"{title}.",
            source=source,
            x=linear_axis(
                "Tokens per joule", [0.0, rows[0].tokens_per_j], word=lambda value: f"{value:,.3g}"
            ),
            base=0.0,
            bars=tuple(
                Bar(
                    label=row.short,
                    value=row.tokens_per_j,
                    text=wording.significant(row.tokens_per_j) + (f", {row.why_not}" if row.why_not else ""),
                    role="context" if row.why_not else "edge",
                    emphasised=row is known,
                )
                for row in rows
            ),
        ),
        table=table(COLUMNS, rows),
    )
