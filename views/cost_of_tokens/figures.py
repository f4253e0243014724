"""The key figures: the price at the speed, its blend with prompts, tokens per joule, and when a price is possible."""

from collections.abc import Iterator

from views import wording
from views.chips import rents
from views.cost_of_tokens.answer import PriceAnswer
from views.cost_of_tokens.settings import LAST_YEAR, TODAY
from views.cost_of_tokens.words import between, usd, year
from views.result import Figure

METHOD = "rent over output tokens of the rented hours in use; serving model corrected by measured points"


def figures(answer: PriceAnswer) -> Iterator[Figure]:
    """Yield the figures of a finding."""
    settings, level, one = answer.settings, answer.level, answer.leader
    share = settings.answer / (settings.answer + settings.prompt)
    yield Figure(
        name="usd_per_million",
        label=f"A million output tokens, {one.short}",
        value=one.usd,
        unit="USD",
        text=usd(one.usd),
        low=one.low,
        high=_finite(one.high),
        level=level,
        interval_text=f"{wording.percent(level)}: {between(one.low, one.high)}",
        method=METHOD,
        n=one.points,
    )
    yield Figure(
        name="usd_per_million_blended",
        label="A million tokens, prompts included",
        value=one.usd * share,
        unit="USD",
        text=usd(one.usd * share),
        interval_text=f"{settings.prompt:,} in, {settings.answer:,} out",
        method=f"price of the output spread over prompt and answer alike; {METHOD}",
    )
    if settings.year == str(TODAY) and one.tokens_per_j > 0:
        yield Figure(
            name="tokens_per_j",
            label="Output tokens per joule",
            value=one.tokens_per_j,
            unit="1/J",
            text=wording.significant(one.tokens_per_j),
            interval_text=f"{wording.significant(1000 * one.tokens_per_j)} tokens/s per kW",
            method="tokens a second over the power of chip and server at work, times PUE",
            key=False,
        )
    later = answer.later.get(settings.rents)
    if later is None:
        return
    first = later.first_year(answer.wanted_usd, sure=int(settings.certainty) / 100)
    yield Figure(
        name="first_year",
        label=f"When {usd(answer.wanted_usd)} becomes possible",
        value=_finite(first),
        unit="year",
        text=year(first),
        interval_text=f"with {settings.certainty} % certainty, rents "
        f"{wording.small_initial(rents.brief(settings.rents))}",
        method="first year in which so large a share of draws of trends, rents and errors costs so much at most",
    )
    last, (low, high) = float(later.middle[-1]), (float(ends[-1]) for ends in later.interval(level))
    yield Figure(
        name="usd_per_million_2032",
        label=f"The same in {LAST_YEAR}",
        value=_finite(last),
        unit="USD",
        text=usd(last),
        low=low,
        high=_finite(high),
        level=level,
        interval_text=f"{wording.percent(level)}: {between(low, high)}",
        method="the accelerator's successors along the trends of flagships; model and software held",
        key=False,
    )


def _finite(value: float) -> float | None:
    """Return a value, None where there is none."""
    return value if value < float("inf") else None
