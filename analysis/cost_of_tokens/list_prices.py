"""List prices of API providers for a workload."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from analysis.cost_of_tokens.candidates import Work


@dataclass(frozen=True, kw_only=True)
class ListPrice:
    """A provider's list price of a model per million prompt, cached prompt and output tokens. [USD]

    ``seen_in`` is the year or day on which the price list was read.
    """

    row_id: str
    seller: str
    seen_in: str
    input_usd: float
    cached_usd: float
    output_usd: float

    def usd_per_million(self, work: Work) -> float:
        """Return the price of a workload, including prompts, per million output tokens. [USD]"""
        read = work.prompt_tokens - work.cached_tokens
        return (
            self.output_usd
            + (read * self.input_usd + work.cached_tokens * self.cached_usd) / work.output_tokens
        )


def list_prices(rows: Iterable[Mapping[str, Any]], *, model: str) -> tuple[ListPrice, ...]:
    """Return today's list prices of a model. Cached tokens cost the full price if no cached price is listed."""
    return tuple(
        ListPrice(
            row_id=str(row["row_id"]),
            seller=str(row["seller"]),
            seen_in=str(row["seen_in"]),
            input_usd=row["input_million_tokens_usd"],
            cached_usd=row["input_million_tokens_usd"]
            if math.isnan(row["cached_million_tokens_usd"])
            else row["cached_million_tokens_usd"],
            output_usd=row["output_million_tokens_usd"],
        )
        for row in rows
        if row["model"] == model and pd.isna(row["valid_until"])
    )
