"""The key figures: the price at the speed, its blend with prompts, tokens per joule, and when a price is possible."""

import math
from collections.abc import Iterator
from functools import partial

from views import wording, written
from views.chips import rents
from views.cost_of_tokens.answer import PriceAnswer
from views.cost_of_tokens.settings import LAST_YEAR, TODAY
from views.cost_of_tokens.words import between, usd
from views.exhibits import stated_figure
from views.result import Figure
from views.table import finite

_figure = partial(stated_figure, written.toml(__file__, name="figures.toml"))


def figures(answer: PriceAnswer) -> Iterator[Figure]:
    """Yield the figures of a finding."""
    settings, level, one = answer.settings, answer.level, answer.leader
    share = settings.answer / (settings.answer + settings.prompt)
    yield _figure(
        "usd_per_million",
        label=f"A million output tokens, {one.short}",
        value=one.usd,
        text=usd(one.usd),
        low=one.low,
        high=finite(one.high),
        level=level,
        interval_text=f"{wording.percent(level)}: {between(one.low, one.high)}",
        n=one.place.points,
    )
    yield _figure(
        "usd_per_million_blended",
        value=one.usd * share,
        text=usd(one.usd * share),
        interval_text=f"{settings.prompt:,} in, {settings.answer:,} out",
    )
    if settings.year == str(TODAY) and one.tokens_per_j > 0:
        yield _figure(
            "tokens_per_j",
            value=one.tokens_per_j,
            text=wording.significant(one.tokens_per_j),
            interval_text=f"{wording.significant(one.tokens_per_s_per_kw)} tokens/s per kW",
        )
    later = answer.later.get(settings.rents)
    if later is None:
        return
    first = later.first_year(answer.wanted_usd, sure=int(settings.certainty) / 100)
    wanted = answer.wanted_usd
    yield _figure(
        "first_year",
        label=f"When {usd(wanted)} becomes possible" if math.isfinite(wanted) else "First year at any price",
        value=finite(first),
        text=f"{first:.0f}" if math.isfinite(first) else f"after {LAST_YEAR}",
        interval_text=f"with {settings.certainty} % certainty, rents "
        f"{wording.small_initial(rents.brief(settings.rents))}",
    )
    last, (low, high) = float(later.middle[-1]), (float(ends[-1]) for ends in later.interval(level))
    yield _figure(
        "usd_per_million_2032",
        value=finite(last),
        text=usd(last),
        low=low,
        high=finite(high),
        level=level,
        interval_text=f"{wording.percent(level)}: {between(low, high)}",
    )
