"""What moves the price: each lever alone, at the speed, on the best accelerator."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from analysis.cost_of_tokens.answers import shifted
from analysis.cost_of_tokens.candidates import Candidates
from analysis.cost_of_tokens.sweep import usd_at_speed
from analysis.model.architecture import Architecture
from analysis.serving.factors import by_name
from analysis.serving.tables import model
from charts.chart import Bar, BarChart
from data.by_release import kept_by_release
from views import wording
from views.axes import log_axis
from views.cost_of_tokens.found import Found
from views.cost_of_tokens.inputs import built, in_year
from views.cost_of_tokens.settings import CostOfTokensSettings
from views.cost_of_tokens.words import usd
from views.result import Exhibit
from views.table import Getter, column, table


@dataclass(frozen=True, kw_only=True)
class Lever:
    """What is changed, and the price then. [USD]"""

    label: str
    usd: float
    times: float


COLUMNS: tuple[Getter[Lever], ...] = (
    column("change", lambda lever: lever.label, label="Change", kind="text"),
    column("usd_per_million", lambda lever: lever.usd, label="Million output tokens", unit="USD"),
    column("times", lambda lever: lever.times, label="Relative to as chosen", unit="x"),
)


def _tried(
    found: Found, settings: CostOfTokensSettings, *, shape: Architecture | None = None
) -> Candidates | None:
    """Return the candidates of the best accelerator under other settings."""
    if found.best is None:
        return None
    name = found.best.accelerator
    today = built(settings, {name: found.inputs.places[name]}, shape=shape)
    return None if today is None else in_year(settings, found.inputs.release, today=today)


def price(
    found: Found, settings: CostOfTokensSettings, *, shape: Architecture | None = None, batch: float = 0.0
) -> float:
    """Return the least price on the best accelerator under other settings, corrected as at the speed chosen. [USD]

    With the settings chosen it is the price of the headline: all are scaled by one factor to that.
    """
    return anchor(found) * _price(found, settings, shape=shape, batch=batch)


@kept_by_release(16)
def anchor(found: Found) -> float:
    """Return the headline's price over that of the swept plans, which carry the correction of one deployment. [1]"""
    own = _price(found, found.settings)
    if found.best is None or not np.isfinite(own):
        return 1.0
    return found.best.usd_at(found.speed)[0] / own


def _price(
    found: Found, settings: CostOfTokensSettings, *, shape: Architecture | None = None, batch: float = 0.0
) -> float:
    tried, best = _tried(found, settings, shape=shape), found.best
    if tried is None or best is None:
        return float("inf")
    swept = shifted(
        tried,
        best,
        factors=by_name(model().factors),
        speed=float(settings.speed),
        first_s=settings.wait,
        utilization=settings.utilization / 100,
    )
    if batch:
        return float(swept.usd[0].min())
    return float(usd_at_speed(swept, tokens_per_s=float(settings.speed))[0].min())


def levers(found: Found) -> tuple[Lever, ...]:
    """Return every lever that changes something and what it comes to, as chosen first."""
    base = price(found, found.settings)

    def made() -> Iterator[tuple[str, float]]:
        settings, listed = found.settings, found.place(found.best).listed if found.best else None

        def other(**changes: object) -> float:
            return price(found, replace(settings, **changes))  # type: ignore[arg-type]

        yield "As chosen", base
        yield "Half the speed", other(speed=max(settings.speed // 2, 1))
        yield "Twice the speed", other(speed=settings.speed * 2)
        yield "One request at a time", price(found, settings, batch=1.0)
        if settings.utilization != 90:
            yield "90 % of rented hours in use", other(utilization=90)
        if settings.utilization != 20:
            yield "20 % of rented hours in use", other(utilization=20)
        if listed is not None:
            yield f"At the cheapest provider, {_rent(listed.low)}", base * listed.low / listed.middle
            yield f"At the most expensive provider, {_rent(listed.high)}", base * listed.high / listed.middle
        for word, label in (("bf16", "16-bit weights"), ("fp8", "8-bit weights"), ("fp4", "4-bit weights")):
            if word != settings.format:
                yield label, other(format=word)
        if settings.drafts != 2:
            yield "2 draft tokens a step", other(drafts=2)
        if settings.cached < 90:
            yield "90 % of the prompt in the cache", other(cached=90)
        yield "Prompts eight times as long", other(prompt=settings.prompt * 8)
        shape = found.inputs.shape
        if shape.is_mixture:
            dense = replace(shape, n_active_experts=shape.n_experts)
            yield "Every expert active, as in a dense model", price(found, settings, shape=dense)

    return tuple(
        Lever(label=label, usd=value, times=value / base)
        for label, value in made()
        if label == "As chosen" or abs(value / base - 1) > 0.005
    )


def _rent(value: float) -> str:
    return f"${value:.2f} an hour"


def levers_exhibit(found: Found, *, source: str) -> Exhibit | None:
    """Return the price with each lever pulled alone; None where no accelerator reaches the speed."""
    if found.best is None:
        return None
    pulled = levers(found)
    told = [one for one in pulled if one.usd < float("inf")]
    if not told:
        return None
    worst, best = max(told, key=lambda one: one.times), min(told, key=lambda one: one.times)
    title = (
        f"What moves the price most: {wording.small_initial(worst.label)} ({wording.multiple(worst.times)}), "
        f"{wording.small_initial(best.label)} ({wording.times(best.times)})"
    )
    ends = [one.usd for one in told]
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle=f"Price of a million output tokens on the {found.place(found.best).short} when one thing "
            "changes and the rest stays as chosen.",
            alt=f"{title}.",
            source=source,
            x=log_axis("Price of a million output tokens [$]", ends, word=usd),
            base=min(ends),
            dots=True,
            bars=tuple(
                Bar(
                    label=one.label,
                    value=one.usd if one.usd < float("inf") else max(ends),
                    text=usd(one.usd) if one.usd < float("inf") else "does not reach the speed",
                    role="memory" if at == 0 else "compute" if one.times < 1 else "context",
                    emphasised=at == 0,
                    absent=not one.usd < float("inf"),
                )
                for at, one in enumerate(pulled)
            ),
        ),
        table=table(COLUMNS, pulled),
    )
