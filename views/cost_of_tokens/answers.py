"""Test-time reasoning: what an answer of so many tokens moves and costs, short or long."""

from dataclasses import replace

from analysis.cost_of_tokens.answers import Answer, answer
from analysis.serving.factors import by_name
from analysis.serving.tables import model
from charts.chart import Line, XYChart
from views import wording
from views.axes import log_axis
from views.cost_of_tokens.found import Found
from views.cost_of_tokens.inputs import built, in_year
from views.cost_of_tokens.levers import anchor
from views.cost_of_tokens.words import usd
from views.result import Exhibit
from views.table import Getter, column, table

LENGTHS = (500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)

COLUMNS: tuple[Getter[Answer], ...] = (
    column("answer_tokens", lambda one: one.tokens, label="Answer", unit="tokens"),
    column("usd", lambda one: one.usd, label="Cost of the answer", unit="USD"),
    column("seconds", lambda one: one.seconds, label="Time to write it", unit="s"),
    column(
        "read_byte",
        lambda one: one.weights_byte + one.cache_byte,
        label="Read from memory",
        unit="byte",
        kind="scientific",
    ),
    column(
        "weights_byte", lambda one: one.weights_byte, label="of it weights", unit="byte", kind="scientific"
    ),
    column("cache_byte", lambda one: one.cache_byte, label="of it cache", unit="byte", kind="scientific"),
    column("requests", lambda one: one.requests, label="Requests at once"),
)


def answers_of(found: Found) -> tuple[Answer, ...]:
    """Return answers of each length at the speed on the best accelerator, those that it can write."""
    if found.best is None:
        return ()
    name, made = found.best.accelerator, []
    for length in LENGTHS:
        settings = replace(found.settings, answer=length)
        today = built(settings, {name: found.inputs.places[name]})
        if today is None:
            continue
        one = answer(
            in_year(settings, found.inputs.release, today=today),
            found.best,
            factors=by_name(model().factors),
            speed=found.speed,
            **found.limits,
        )
        if one is not None:
            made.append(replace(one, usd=anchor(found) * one.usd))
    return tuple(made)


def answers_exhibit(found: Found, *, source: str) -> Exhibit | None:
    """Return what an answer costs by its length; None where fewer than two can be written."""
    made = answers_of(found)
    if found.best is None or len(made) < 2:
        return None
    first, last = made[0], made[-1]
    longer, costlier = last.tokens / first.tokens, last.usd / first.usd
    title = (
        f"An answer of {last.tokens:,.0f} tokens costs {usd(last.usd)}: {wording.multiple(longer)} the tokens, "
        f"{wording.multiple(costlier)} the cost"
    )
    bytes_words = wording.quantity(last.weights_byte + last.cache_byte, "byte")
    return Exhibit(
        chart=XYChart(
            title=title,
            subtitle=f"On the {found.place(found.best).short} at {found.settings.speed} tokens/s, where the "
            f"longest reads {bytes_words} from "
            "memory. Dotted: if each token cost as much as in the shortest answer.",
            alt=f"{title}.",
            source=source,
            x=log_axis("Answer [tokens]", [one.tokens for one in made], word=lambda value: f"{value:,.0f}"),
            y=log_axis("Cost of an answer [$]", [first.usd, last.usd, first.usd * longer], word=usd),
            marks=(
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
                        f"{one.tokens:,.0f} tokens: {usd(one.usd)}, "
                        f"{wording.quantity(one.weights_byte + one.cache_byte, 'byte')} read, "
                        f"{wording.significant(one.seconds / 60)} minutes"
                        for one in made
                    ),
                ),
            ),
        ),
        table=table(COLUMNS, made),
    )
