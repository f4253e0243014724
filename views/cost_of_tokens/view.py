"""Finding of /cost-of-tokens: the cost of a million tokens at a speed, on the best accelerator."""

import math
from collections.abc import Iterator
from functools import partial
from statistics import median

from analysis.cost_of_tokens.measured_prices import whole_points
from analysis.serving.tables import measured_lengths
from data.releases import Release
from views import wording, written
from views.chips import rents
from views.cost_of_tokens import frontier
from views.cost_of_tokens import settings as choices
from views.cost_of_tokens.answer import PriceAnswer, between, usd
from views.cost_of_tokens.inputs import alike, published_costs
from views.cost_of_tokens.levers import levers_exhibit
from views.cost_of_tokens.years import rents_exhibit, years_exhibit
from views.exhibits import ValueAxis, empty_exhibit, stated_figure
from views.lazy_sequence import LazySequence
from views.result import Exhibit, Figure
from views.sources import ARCHITECTURES, EPOCH_AI, SERVING_TABLES
from views.table import column, finite
from views.view import Finding, View

SOURCES = (EPOCH_AI, SERVING_TABLES, ARCHITECTURES)
FURTHER = ("accelerator", "engine", "tuning", "price", "certainty", "contract", "utilization", "pue", "level")
"""Settings in the settings line only if they differ from their default."""
TEXTS = written.toml(__file__, name="words.toml")
FAR = 2.0
"""Factor between list price and cost above which the difference is explained. [1]"""


def build(settings: choices.CostOfTokensSettings, release: Release) -> Finding:
    """Return the finding on the cost of a million tokens at the chosen speed."""
    answer = PriceAnswer(settings=settings, release=release.stands_on)
    words = _words(settings, release.words)
    if answer.best is None:
        return _nothing(answer, words=words)
    headline, subtitle = _headline(answer), _subtitle(answer)

    def exhibits() -> Iterator[Exhibit | None]:
        yield frontier.frontier_exhibit(answer, title=headline, subtitle=subtitle, source=words)
        for exhibit in (years_exhibit, frontier.accelerators_exhibit, levers_exhibit, rents_exhibit):
            yield exhibit(answer, source=words)

    return Finding(
        headline=headline,
        subtitle=subtitle,
        figures=tuple(figures(answer)),
        exhibits=LazySequence(exhibits),
        settings_line=words,
        notes=notes(answer),
        sure=LazySequence(lambda: sure(answer)),
        sources=SOURCES,
    )


_figure = partial(stated_figure, written.toml(__file__, name="figures.toml"))


def figures(answer: PriceAnswer) -> Iterator[Figure]:
    """Yield the figures of the finding."""
    settings, level, one = answer.settings, answer.level, answer.leader
    share = settings.answer / (settings.answer + settings.prompt)
    yield _figure(
        "usd_per_million",
        label=f"A million output tokens, {one.place.short}",
        value=one.usd,
        text=usd(one.usd),
        low=one.low,
        high=finite(one.high),
        level=level,
        interval_text=f"{wording.percent(level)}: {between(one.low, one.high)}",
        n=one.place.points,
    )
    blended, lengths = one.usd * share, f"{settings.prompt:,} in, {settings.answer:,} out"
    listed = answer.list_prices if answer.of_today else {}
    yield _figure(
        "usd_per_million_blended", value=blended, text=usd(blended), interval_text=lengths, key=not listed
    )
    if listed:
        middle = median(listed.values())
        yield _figure(
            "list_usd_per_million",
            value=middle,
            text=usd(middle),
            low=min(listed.values()),
            high=max(listed.values()),
            interval_text=_beside_list(answer),
            n=len(listed),
        )
    if answer.of_today and one.tokens_per_j > 0:
        yield _figure(
            "tokens_per_j",
            value=one.tokens_per_j,
            text=wording.significant(one.tokens_per_j),
            interval_text=f"{wording.significant(one.tokens_per_kj)} tokens/s per kW",
        )
    later, wanted = answer.later[settings.rents], answer.wanted_usd
    first = later.first_year(wanted, required_probability=int(settings.certainty) / 100)
    yield _figure(
        "first_year",
        label=f"First year at {usd(wanted)} or less" if math.isfinite(wanted) else "First year at any price",
        value=finite(first),
        text=f"{first:.0f}" if math.isfinite(first) else f"after {choices.LAST_YEAR}",
        interval_text=f"with {settings.certainty}% certainty",
    )
    last = float(later.middle[-1])
    low, high = (float(ends[-1]) for ends in answer.later_ends[settings.rents])
    yield _figure(
        "usd_per_million_2032",
        value=finite(last),
        text=usd(last),
        low=low,
        high=finite(high),
        level=level,
        interval_text=f"{wording.percent(level)}: {between(low, high)}",
    )


def _beside_list(answer: PriceAnswer) -> str:
    """Return text on the cost at the chosen rents, relative to list prices."""
    at = "at reserved rents " if answer.settings.contract == choices.RESERVED else ""
    return f"the cost {at}is {wording.times(answer.leader.usd / median(answer.list_prices.values()))} this"


def _list_words(answer: PriceAnswer) -> str:
    """Return sentences on the sources of list prices, and on their ratio to the cost at reserved rents."""
    read = wording.listed([*map(wording.month_words, sorted({one.seen_in for one in answer.list_prices}))])
    sellers = sorted({price.seller for price in answer.list_prices})
    whose = f"{sellers[0]}'s" if len(sellers) == 1 else f"the median of {len(sellers)} providers"
    ratio = answer.leader.usd * answer.to_reserved / median(answer.list_prices.values())
    at = "At reserved rents, our" if answer.to_reserved < 1 else "Our"
    why = TEXTS["above_list"] if ratio > FAR else TEXTS["below_list"] if ratio < 1 / FAR else ""
    return TEXTS["list"].format(whose=whose, read=read, at=at, ratio=wording.times(ratio)) + why


def _headline(answer: PriceAnswer) -> str:
    """Return a headline of at most twelve words on the cost of a million tokens."""
    settings, one, name = answer.settings, answer.leader, answer.inputs.model
    when, whose = "", f"the {one.place.short}"
    if not answer.of_today:
        when, whose = f" in {settings.year}", f"{one.place.short} successors"
    price = usd(one.usd)
    return wording.fitting(
        f"A million {name} tokens cost {price} on {whose} at {settings.speed} tokens/s{when}",
        f"{name}: {price} a million output tokens on {whose}{when}",
        f"{name}: {price} a million tokens on {whose}{when}",
        f"{name}: {price} a million output tokens{when}",
    )


def _subtitle(answer: PriceAnswer) -> str:
    place, ends = answer.leader.place, between(answer.leader.low, answer.leader.high)
    text = f"This price is modelled ({answer.settings.level}% interval {ends}).{_measured(answer)}"
    if answer.settings.accelerator == choices.ALL:
        text += f" The {place.short} is {_rank(answer)}."
    measured = place.points or place.other_points
    return text if measured else f"{text} No measurement of this model supports this price."


def _rank(answer: PriceAnswer) -> str:
    """Return the best accelerator's rank as text, with the chance that it is cheaper than the next one."""
    tier, next_best = answer.leader.place.tier, answer.runner_up
    if tier == 0:
        return "the cheapest"
    enough = f"with enough providers and measurements{', in another number format' if tier == 1 else ''}"
    if next_best is None:
        return f"the only accelerator {enough}"
    chance = wording.percent(round(answer.chance, 2))
    return f"{chance} likely to undercut the {next_best.place.short}, the next {enough}"


def _measured(answer: PriceAnswer) -> str:
    """Return a sentence on the best accelerator's measured prices at the nearest lower and higher speeds, if any."""
    prices, name = answer.measured(answer.comparable()), answer.leading.accelerator
    every = zip(prices.deployments.accelerator, prices.speed, prices.usd, strict=True)
    points = sorted((rate, price) for accelerator, rate, price in every if accelerator == name)
    slower = [f"{usd(price)} at a lower speed" for rate, price in points if rate < answer.terms.speed]
    faster = [f"{usd(price)} at a higher speed" for rate, price in points if rate >= answer.terms.speed]
    nearest = wording.listed([*slower[-1:], *faster[:1]])
    return f" Measurements on the {answer.leader.place.short} give {nearest}." if points else ""


def _words(settings: choices.CostOfTokensSettings, release: str) -> str:
    cached = f", {settings.cached}% of prompts cached" if settings.cached else ""
    drafts = f", {wording.counted(settings.drafts, 'draft token')}" if settings.drafts else ""
    when = "today" if settings.year == str(choices.TODAY) else settings.year
    return (
        f"{settings.shown('model')}, weights {wording.small_initial(choices.FORMATS[settings.format][0])}, "
        f"{settings.prompt:,} tokens in, {settings.answer:,} out{cached}{drafts}, at least {settings.speed} "
        f"tokens/s, first token within {settings.wait:g} s; {when}, rents "
        f"{wording.small_initial(rents.scenario_label(settings.rents))}. {settings.chosen_words(*FURTHER)}"
        f"Epoch AI (CC BY 4.0), price lists, measured points; {release}."
    )


def _nothing(answer: PriceAnswer, *, words: str) -> Finding:
    """Return a finding that no accelerator meets the settings, with advice on what to change."""
    settings, name = answer.settings, answer.inputs.model
    every = settings.accelerator == choices.ALL
    rented = "rented accelerator" if every else settings.shown("accelerator")
    if settings.contract == choices.RESERVED and not rents.contract_shares(answer.release):
        problem = "no_reserved_rents"
    elif not answer.inputs.places:
        problem = "no_rent"
    elif not answer.frontiers:
        problem = "too_late" if answer.fits else "too_large"
    else:
        problem = "too_fast"
    fastest = wording.significant(max((float(one.speed[-1]) for one in answer.frontiers), default=0.0))
    known = {"answer": answer, "name": name, "any": "any " * every, "rented": rented, "fastest": fastest}
    title, why = (text.format(**known) for text in TEXTS["problems"][problem])
    if answer.frontiers:
        exhibit = frontier.frontier_exhibit(answer, title=title, subtitle=why, source=words)
    else:
        axis = ValueAxis(title="Price [$]", word=usd, span=(0.0, 1.0))
        heading = column("accelerator", str, label="Accelerator", kind="text")
        exhibit = empty_exhibit(title, subtitle=why, source=words, axis=axis, columns=(heading,))
    return Finding(
        headline=title, subtitle=why, figures=(), exhibits=(exhibit,), settings_line=words, sources=SOURCES
    )


def notes(answer: PriceAnswer) -> tuple[str, ...]:
    """Return at most three caveats to show beside the chart."""
    made = wording.beyond_words(
        measured_lengths(), prompt=answer.settings.prompt, answer=answer.settings.answer, of="price"
    )
    if not answer.of_today:
        made.append(f"Figures for {answer.settings.year} follow trends and are not measurements.")
    at, points = answer.leading.place_of(answer.terms.speed), answer.measured(answer.comparable()).deployments
    load = median(points.concurrency) if len(points.concurrency) else math.inf
    if load < answer.leading.at.deployments.concurrency[at]:
        made.append(TEXTS["load"].format(load=load))
    return (*made, f"The price covers only rent, at {answer.settings.utilization}% utilization.")


def _deployment(answer: PriceAnswer) -> str:
    """Return a sentence on the deployment that the headline's price assumes."""
    at, d = answer.leading.place_of(answer.terms.speed), answer.leading.at.deployments
    how = wording.counted(int(d.tensor[at]), "accelerator")
    if d.data[at] > 1:
        how = f"{d.data[at]:.0f} accelerators that share the experts"
    apart = ("disaggregated prefill",) if d.disaggregated[at] else ()
    many = wording.counted(round(d.concurrency[at]), "concurrent request")
    parts = wording.listed([choices.ENGINES[d.engine[at]][0], *apart, many, how])
    return f"The price on the {answer.leader.place.short} assumes {parts}."


def sure(answer: PriceAnswer) -> Iterator[str]:
    """Yield sentences on what the price omits and assumes, and on the evidence for errors and rents."""
    place, listed, name = answer.leader.place.short, answer.leader.place.listed, answer.inputs.model
    yield TEXTS["omitted"]
    if rest := [f"the {answer.place(each).short}" for each in answer.cheaper]:
        yield TEXTS["cheaper"].format(rest=wording.listed(rest), best=place)
    yield _deployment(answer)
    measured = answer.measured(whole_points())
    if len(measured.at):
        yield TEXTS["error"].format(
            name=name,
            error=wording.percent(round(measured.median_error, 2)),
            points=wording.counted(len(measured.at), "measured point"),
            chips=wording.counted(len(set(measured.deployments.accelerator)), "accelerator"),
            formats=wording.counted(len(set(measured.deployments.format_name)), "number format"),
        )
    else:
        yield TEXTS["not_measured"].format(name=name)
        if answer.full_load and answer.of_today:
            price = usd(answer.leader.usd * answer.leader.tokens_per_s / answer.full_load)
            yield TEXTS["full_load"].format(best=place, price=price)
    if answer.settings.contract == choices.RESERVED and (shares := rents.contract_shares(answer.release)):
        ends = wording.interval(f"{min(shares):.2f}", f"{max(shares):.2f}")
        yield TEXTS["reserved"].format(share=median(shares), ends=ends)
    if twins := [each for each in alike(answer.settings.model) if each != name]:
        yield TEXTS["twins"].format(name=name, twins=wording.listed(twins))
    for row in published_costs(answer.settings) if answer.of_today else ():
        prompts = "including" if "prompts" in row["counts"] else "without"
        yield TEXTS["reported"].format(**row, usd=usd(row["output_million_tokens_usd"]), prompts=prompts)
    if answer.list_prices and answer.of_today:
        yield _list_words(answer)
    who, low, high = wording.counted(listed.providers, "provider"), usd(listed.low), usd(listed.high)
    out, ends = "rents out" if listed.providers == 1 else "rent out", f"for {low} to {high}"
    each = f"{who} {out} the {place}, {ends if listed.low < listed.high else f'at {low}'} an hour."
    yield f"{each} The median rents of different accelerators may come from different providers."


VIEW = View(
    settings=choices.CostOfTokensSettings, build=build, **written.page(__file__, path="/cost-of-tokens")
)
