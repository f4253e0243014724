"""Test-time reasoning: what an answer of so many tokens moves and costs, short or long."""

from collections.abc import Iterator
from dataclasses import replace

from analysis.cost_of_tokens.answers import Answer, answer
from analysis.serving.tables import model
from analysis.serving.times import by_name
from charts.chart import Line
from views import wording, written
from views.axes import log_axis
from views.cost_of_tokens.answer import PriceAnswer
from views.cost_of_tokens.words import usd
from views.exhibits import ValueAxis, xy_exhibit
from views.result import Exhibit
from views.table import Getter, stated_columns, table

LENGTHS = (500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)

COLUMNS: tuple[Getter[Answer], ...] = stated_columns(written.toml(__file__, name="columns.toml")["answers"])


def answers_of(prices: PriceAnswer) -> Iterator[Answer]:
    """Yield answers of each length at the speed on the best accelerator, those that it can write."""
    for length in LENGTHS:
        tried = prices.candidates(replace(prices.settings, answer=length))
        if tried is not None and prices.best is not None:
            factors = by_name(model().factors)
            one = answer(tried, prices.best, factors=factors, terms=prices.terms)
            if one is not None:
                yield replace(one, usd=prices.anchor * one.usd)


def answers_exhibit(prices: PriceAnswer, *, source: str) -> Exhibit | None:
    """Return what an answer costs by its length; None where fewer than two can be written."""
    made = tuple(answers_of(prices))
    if len(made) < 2:
        return None
    first, last = made[0], made[-1]
    longer, costlier = last.tokens / first.tokens, last.usd / first.usd
    return xy_exhibit(
        (
            Line(
                series="Every token as cheap as in the shortest",
                role="context",
                x=(first.tokens, last.tokens),
                y=(first.usd, first.usd * longer),
                dash="dotted",
            ),
            Line(
                series="An answer",
                role="memory",
                x=tuple(one.tokens for one in made),
                y=tuple(one.usd for one in made),
                end_label=("An answer", usd(last.usd)),
                hover=tuple(
                    f"{one.tokens:,.0f} tokens: {usd(one.usd)}, {wording.quantity(one.read_byte, 'byte')} read, "
                    f"{wording.significant(one.seconds / 60)} minutes"
                    for one in made
                ),
            ),
        ),
        title=f"An answer of {last.tokens:,.0f} tokens costs {usd(last.usd)}: {wording.multiple(longer)} the tokens, "
        f"{wording.multiple(costlier)} the cost",
        subtitle=f"On the {prices.leader.short} at {prices.settings.speed} tokens/s, where the longest reads "
        f"{wording.quantity(last.read_byte, 'byte')} from memory. Dotted: if each token cost as much as in the "
        "shortest answer.",
        source=source,
        x=log_axis("Answer [tokens]", [one.tokens for one in made], word=lambda value: f"{value:,.0f}"),
        y=ValueAxis(title="Cost of an answer [$]", word=usd, log=True),
        numbers=table(COLUMNS, made),
    )
