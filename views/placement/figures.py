"""The key figures of /placement: those of the place that the page is about."""

from collections.abc import Callable

import numpy as np

from analysis.placement.answers import Answers, Spans
from views import wording
from views.placement.buying import usd_a_month
from views.placement.inputs import PlacementInputs
from views.placement.table import chance, seconds, usd
from views.result import Figure


def figures(inputs: PlacementInputs, answers: Answers, *, i: int) -> tuple[Figure, ...]:
    """Return the key figures of the place at ``i``."""
    name = inputs.names[i]

    def spanned(
        key: str, spans: Spans, *, label: str, unit: str, word: Callable[[float], str], shown: bool = True
    ) -> Figure:
        low, value, high = float(spans.low[i]), float(spans.median[i]), float(spans.high[i])
        known = bool(np.isfinite(value) and answers.fits[i])
        return Figure(
            name=key,
            label=label,
            value=value if known else None,
            unit=unit,
            text=word(value) if known else "–",
            low=low if known else None,
            high=high if known else None,
            level=0.9 if known else None,
            interval_text=wording.interval(word(low), word(high)) if known else "",
            method=f"median and 90 % of 1,000 draws at {name}",
            n=1000,
            key=shown,
        )

    month = usd_a_month(inputs, 1.0)
    per_month = Spans(
        low=answers.cost_usd.low * month,
        median=answers.cost_usd.median * month,
        high=answers.cost_usd.high * month,
    )
    return (
        spanned("cost_usd_per_month", per_month, label="Cost a month", unit="USD", word=usd),
        spanned(
            "cost_usd_per_1000_requests",
            answers.cost_usd,
            label="Cost of 1,000 requests",
            unit="USD",
            word=usd,
            shown=False,
        ),
        spanned("time_to_first_token_s", answers.first_s, label="First token", unit="s", word=seconds),
        spanned(
            "time_per_output_token_s",
            answers.token_s,
            label="Time per token",
            unit="s",
            word=seconds,
            shown=False,
        ),
        Figure(
            name="probability_meets_requirement",
            label="Meets all targets",
            value=float(answers.probability[i]),
            unit="1",
            text=chance(float(answers.probability[i])),
            method=f"share of 1,000 draws at {name} in which every requirement is met",
            n=1000,
        ),
        spanned(
            "energy_j_per_request",
            answers.energy_j,
            label="Energy per request",
            unit="J",
            word=lambda value: f"{wording.significant(value)} J",
            shown=False,
        ),
        Figure(
            name="places_that_meet",
            label="Options that meet all targets",
            value=float(answers.meets.sum()),
            unit="",
            text=f"{int(answers.meets.sum())} of {len(inputs.names)}",
            key=False,
        ),
    )
