"""What will a million tokens cost, at which speed, by year?"""

from collections.abc import Iterator

from charts.chart import BarChart
from data.releases import Release
from views import wording, written
from views.axes import linear_axis
from views.chips import rents
from views.cost_of_tokens.answers import answers_exhibit
from views.cost_of_tokens.energy import accelerators_exhibit, energy_exhibit
from views.cost_of_tokens.figures import figures
from views.cost_of_tokens.found import Found, found
from views.cost_of_tokens.frontier import frontier_exhibit
from views.cost_of_tokens.inputs import inputs_of
from views.cost_of_tokens.levers import levers_exhibit
from views.cost_of_tokens.measured import measured_exhibit
from views.cost_of_tokens.notes import changes, notes, sure
from views.cost_of_tokens.rents import rents_exhibit
from views.cost_of_tokens.settings import ALL, FORMATS, TODAY, CostOfTokensSettings
from views.cost_of_tokens.words import between, usd
from views.cost_of_tokens.years import years_exhibit
from views.on_demand import OnDemand
from views.result import Column, Exhibit, Table
from views.sources import ARCHITECTURES, EPOCH_AI, SERVING_TABLES
from views.view import Finding, View

SOURCES = (EPOCH_AI, SERVING_TABLES, ARCHITECTURES)


def build(settings: CostOfTokensSettings, release: Release) -> Finding:
    """Return what a million tokens cost at the speed, and on what."""
    name = release.stands_on
    inputs = inputs_of(settings, name)
    made = found(settings, inputs)
    words = f"{_words(settings)} Data: Epoch AI (CC BY 4.0), price lists, measured points; release {release.name}."
    if made.best is None:
        return _nothing(made, words=words)
    later = made.later()
    today = float(later.middle[0]) if later is not None else made.best.usd_at(made.speed)[0]
    wanted = settings.price or today / 2
    headline = _headline(made)
    subtitle = _subtitle(made)

    def exhibits() -> Iterator[Exhibit | None]:
        yield frontier_exhibit(made, title=headline, subtitle=subtitle, source=words)
        yield years_exhibit(made, wanted_usd=wanted, source=words)
        yield accelerators_exhibit(made, source=words)
        yield levers_exhibit(made, source=words)
        yield answers_exhibit(made, source=words)
        yield energy_exhibit(made, source=words)
        yield rents_exhibit(made, source=words)
        yield measured_exhibit(made, source=words)

    return Finding(
        headline=headline,
        subtitle=subtitle,
        figures=figures(made, later, wanted_usd=wanted),
        exhibits=OnDemand(exhibits),
        settings_line=words,
        notes=notes(made),
        sure=OnDemand(lambda: iter(sure(made))),
        changes=OnDemand(lambda: iter(changes(made))),
        sources=SOURCES,
    )


def _headline(made: Found) -> str:
    """Return the finding in twelve words: what a million tokens cost, on what, at which speed."""
    settings, best = made.settings, made.best
    if best is None:
        return ""
    price, short = usd(best.usd_at(made.speed)[0]), made.place(best).short
    when = "" if settings.year == str(TODAY) else f" in {settings.year}"
    whose = f"{short}" if settings.year == str(TODAY) else f"{short} successors"
    name, most = made.inputs.model, 12
    said = (
        f"A million {name} tokens cost {price} on {whose} at {settings.speed} tokens/s{when}",
        f"{name}: {price} a million tokens on {whose}{when}",
        f"{name}: {price} a million tokens{when}",
    )
    return next((words for words in said if len(words.split()) <= most), said[-1])


def _subtitle(made: Found) -> str:
    best = made.best
    if best is None:
        return ""
    _, low, high = best.usd_at(made.speed)
    rest = made.cheaper
    more = (
        " Computed cheaper, but not measured so or rented by few: "
        f"{wording.listed([made.place(one).short for one in rest])}."
        if rest
        else ""
    )
    place = made.place(best)
    measured = place.points or place.other_points
    known = "" if measured else " It rests on no measurement of this model."
    rule = (
        "The cheapest measured with this model and format"
        if place.points
        else "The cheapest measured, in another format"
        if measured
        else "The cheapest"
    )
    return (
        f"{made.settings.level} %: {between(low, high)}, for speeds but not rents. {rule}, at its median rent with "
        f"{made.settings.utilization} % of rented hours in use.{known}{more}"
    )


def _words(settings: CostOfTokensSettings) -> str:
    cached = f", {settings.cached} % of prompts cached" if settings.cached else ""
    drafts = f", {wording.counted(settings.drafts, 'draft token')}" if settings.drafts else ""
    when = "today" if settings.year == str(TODAY) else settings.year
    return (
        f"{settings.shown('model')}, weights {wording.small_initial(FORMATS[settings.format][0])}, "
        f"{settings.prompt:,} tokens in, {settings.answer:,} out{cached}{drafts}, at least {settings.speed} "
        "tokens/s, first "
        f"token within {settings.wait:g} s; {when}, rents "
        f"{wording.small_initial(rents.scenario_label(settings.rents))}."
    )


def _where(settings: CostOfTokensSettings) -> str:
    return "any accelerator for rent" if settings.accelerator == ALL else settings.shown("accelerator")


def _nothing(made: Found, *, words: str) -> Finding:
    """Return that no accelerator does what is asked, and what would."""
    settings = made.settings
    fastest = max((float(one.speed[-1]) for one in made.frontiers), default=0.0)
    if not made.inputs.places:
        headline = f"Release {made.inputs.release} has no {settings.shown('accelerator')} for rent"
        why = "Choose another accelerator or a newer release."
    elif not made.frontiers and made.held:
        headline = f"{made.inputs.model}: no first token within {settings.wait:g} s on {_where(settings)}"
        why = "Choose a longer wait, a shorter prompt or another accelerator."
    elif not made.frontiers:
        headline = f"{made.inputs.model} does not fit on {_where(settings)}"
        why = "Choose another accelerator, fewer bits a weight or a shorter prompt."
    else:
        headline = f"No accelerator for rent serves {made.inputs.model} at {settings.speed} tokens/s"
        why = (
            f"The fastest reaches {wording.significant(fastest)} tokens/s; ask for less, or for draft tokens."
        )
    exhibit = (
        frontier_exhibit(made, title=headline, subtitle=why, source=words)
        if made.frontiers
        else Exhibit(
            chart=BarChart(
                title=headline,
                subtitle=why,
                alt=f"{headline}.",
                source=words,
                x=linear_axis("Price [$]", [0.0, 1.0], word=usd),
                base=0.0,
            ),
            table=Table(columns=(Column(name="accelerator", label="Accelerator", kind="text"),), rows=()),
        )
    )
    return Finding(
        headline=headline,
        subtitle=why,
        figures=(),
        exhibits=(exhibit,),
        settings_line=words,
        sources=SOURCES,
    )


VIEW = View(
    path="/cost-of-tokens",
    title="Cost of tokens",
    question="What will a million tokens cost, at which speed, by year?",
    settings=CostOfTokensSettings,
    build=build,
    leads_to=("/model-errors", "/placement", "/latency-floor"),
    method=written.method(__file__),
)
