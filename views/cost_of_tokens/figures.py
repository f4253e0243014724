"""The key figures: the price at the speed, its blend with prompts, tokens per joule, and when a price is possible."""

from analysis.cost_of_tokens.later import LaterCost
from views import wording
from views.chips import rents
from views.cost_of_tokens.energy import served
from views.cost_of_tokens.found import Found
from views.cost_of_tokens.settings import LAST_YEAR, TODAY
from views.cost_of_tokens.words import between, usd, year
from views.result import Figure

METHOD = "rent over output tokens of the rented hours in use; serving model corrected by measured points"


def figures(found: Found, later: LaterCost | None, *, wanted_usd: float) -> tuple[Figure, ...]:
    """Return the figures of a finding; none where no accelerator reaches the speed."""
    if found.best is None:
        return ()
    settings, level = found.settings, int(found.settings.level) / 100
    one = served(found, found.best)
    share = settings.answer / (settings.answer + settings.prompt)
    points = one.points
    made = [
        Figure(
            name="usd_per_million",
            label=f"A million output tokens, {one.short}",
            value=one.usd,
            unit="USD",
            text=usd(one.usd),
            low=one.low,
            high=one.high if one.high < float("inf") else None,
            level=level,
            interval_text=f"{wording.percent(level)}: {between(one.low, one.high)}",
            method=METHOD,
            n=points,
        ),
        Figure(
            name="usd_per_million_blended",
            label="A million tokens, prompts included",
            value=one.usd * share,
            unit="USD",
            text=usd(one.usd * share),
            interval_text=f"{settings.prompt:,} in, {settings.answer:,} out",
            method=f"price of the output spread over prompt and answer alike; {METHOD}",
        ),
    ]
    if settings.year == str(TODAY) and one.tokens_per_j > 0:
        made.append(
            Figure(
                name="tokens_per_j",
                label="Output tokens per joule",
                value=one.tokens_per_j,
                unit="1/J",
                text=wording.significant(one.tokens_per_j),
                interval_text=f"{wording.significant(1000 * one.tokens_per_j)} tokens/s per kW",
                method="tokens a second over the power of chip and server at work, times PUE",
                key=False,
            )
        )
    if later is not None:
        first = later.first_year(wanted_usd, sure=int(settings.certainty) / 100)
        low, high = later.interval(level)
        made += [
            Figure(
                name="first_year",
                label=f"When {usd(wanted_usd)} becomes possible",
                value=first if first < float("inf") else None,
                unit="year",
                text=year(first),
                interval_text=f"with {settings.certainty} % certainty, rents {_brief(settings.rents)}",
                method="first year in which so large a share of draws of trends, rents and errors costs so much "
                "at most",
            ),
            Figure(
                name="usd_per_million_2032",
                label=f"The same in {LAST_YEAR}",
                value=float(later.middle[-1]) if later.middle[-1] < float("inf") else None,
                unit="USD",
                text=usd(float(later.middle[-1])),
                low=float(low[-1]),
                high=float(high[-1]) if high[-1] < float("inf") else None,
                level=level,
                interval_text=f"{wording.percent(level)}: {between(float(low[-1]), float(high[-1]))}",
                method="the accelerator's successors along the trends of flagships; model and software held",
                key=False,
            ),
        ]
    return tuple(made)


def _brief(word: str) -> str:
    return {rents.STEADY: "steady", rents.AS_LAST_YEAR: "as last year"}.get(word, "falling")
