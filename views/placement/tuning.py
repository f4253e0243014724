"""Fine-tuning as the task: the cheapest place that meets the deadline."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import cast

from analysis.fine_tuning.memory import Method
from analysis.intervals import Estimate
from analysis.placement.tuning import SEQUENCE_TOKENS, Tuned, TuningTask, tuned
from data.releases import Release
from views import wording, written
from views.chips.linked import matmul_rates
from views.placement import figures
from views.placement import words as phrases
from views.placement.amounts import hours, limit_words, usd
from views.placement.answer import Answer, PlaceAnswer, common, with_rents
from views.placement.inputs import inputs_of, model_of
from views.placement.places import SERVER_ROOM
from views.placement.settings import WORDS, PlacementSettings
from views.result import Card, Exhibit, Fact, Figure, Source
from views.table import finite
from views.view import Finding
from views.wording import sentence_case, small_initial


@dataclass(frozen=True, kw_only=True, eq=False)
class TuningAt(PlaceAnswer):
    """Fine-tuning at one place: its number of chips (infinite if no number suffices), time and energy. [h, kWh]"""

    chips: float
    hours: Estimate
    energy_kwh: float
    per = ""

    @property
    def several(self) -> bool:
        """Return whether the number of chips must be stated."""
        return 1 < self.chips < math.inf and self.label.class_word != SERVER_ROOM

    def where(self, *, counting: bool = True, brief: bool = False) -> str:
        """Return text on where to fine-tune: on 4 rented H100, on 2 × L40S in edge servers."""
        device = self.label.device_of_year
        if self.label.rented:
            return f"on {f'{self.chips:g} ' if counting and self.several else ''}rented {device}"
        if self.several:
            return (
                f"on {f'{self.chips:g} × ' if counting else ''}{device}{'' if brief else ' in edge servers'}"
            )
        return f"{'in' if self.label.class_word == SERVER_ROOM else 'on'} {self.label.named(brief=brief)}"

    @property
    def cost_and_time(self) -> str:
        """Return the median cost, the median hours and the place as text."""
        return f"{usd(self.cost_usd.value)} in {hours(self.hours.value)} {self.where()}"


@dataclass(frozen=True, kw_only=True)
class TuningAnswer(Answer[TuningAt]):
    """Fine-tuning at every place under the settings, and at the selected place."""

    results: Tuned


def tuning_answer(settings: PlacementSettings, release: Release) -> TuningAnswer:
    """Return the results of fine-tuning under the settings."""
    task = TuningTask(
        model=model_of(settings)[1],
        method=cast(Method, settings.usual("tuning")),
        tokens=settings.number("tuning_tokens") * 1e6,
        deadline_h=settings.number("deadline"),
        budget_usd=settings.budget,
        matmul_rates=matmul_rates(),
    )
    inputs = inputs_of(replace(settings, format="fp16"), release)
    results = with_rents(inputs, tuned(inputs.question, task))
    places = [
        TuningAt(
            **shared,
            chips=float(results.chips[i]),
            hours=results.hours.at(i),
            energy_kwh=float(results.energy_kwh[i]),
        )
        for i, shared in enumerate(common(inputs, results))
    ]
    return TuningAnswer(settings=settings, release=release, inputs=inputs, results=results, places=places)


def tuning_finding(settings: PlacementSettings, release: Release, *, sources: tuple[Source, ...]) -> Finding:
    """Return the finding on the cheapest place that finishes fine-tuning by the deadline."""
    answer = tuning_answer(settings, release)
    title, source = _headline(answer), _settings_line(answer)
    hints = list(_ruled_out(answer)) if answer.best is None else []
    sure = [
        text.format(years=settings.years, tokens=SEQUENCE_TOKENS)
        for text in written.paragraphs(__file__, name="tuning_sure.md")
    ]
    return Finding(
        headline=title,
        subtitle=_subtitle(answer),
        cards=(_card(answer),),
        figures=_figures(answer),
        exhibits=(_exhibit(answer, title=title, source=source),),
        settings_line=source,
        notes=tuple(hints[: phrases.MOST_NOTES]),
        sure=tuple(sure if answer.question.work.mixture else sure[:-1]),
        changes=tuple(hints[phrases.MOST_NOTES :]),
        method=written.method(__file__),
        sources=sources,
    )


def _ruled_out(answer: TuningAnswer) -> Iterator[str]:
    """Yield sentences on what each requirement rules out and, if it rules out all places, on the nearest one."""
    task, results, places = answer.results.task, answer.results, len(answer.places)
    if count := int(results.ruled_out.sum()):
        yield f"The limit on where data may go rules out {phrases.of_options(count, places)}."
    if count := int(results.too_small.sum()):
        most = max(answer.question.places.most_chips[results.too_small].tolist())
        split = f", even if up to {most:.0f} chips split the work" if most > 1 else ""
        yield f"Memory rules out {phrases.of_options(count, places)}{split}."
    limits = (
        ("deadline", results.drawn_hours, task.deadline_h, hours),
        ("budget", results.drawn_cost_usd, task.budget_usd, usd),
    )
    for name, draws, limit, words in limits:
        if limit:
            missed, which = results.missing(draws, limit), f"the {name} ({words(limit)})"
            yield from phrases.ruled_out_alone(answer, missed, limit=which, words=words)


def _headline(answer: TuningAnswer) -> str:
    """Return a headline on the cheapest place and its time. For a chosen class, the headline is yes or no."""
    time, cost = hours(answer.selected.hours.value), usd(answer.selected.cost_usd.value)

    def does(place: TuningAt) -> Iterator[str]:
        wheres = [place.where(counting=False, brief=brief) for brief in (False, True)]
        yield from (f"{answer.topic}: {cost} in {time} {where}" for where in wheres)
        yield f"Fine-tuning{answer.when}: {cost} in {time} {wheres[1]}".replace(" with a GPU", "")

    return phrases.verdict_words(answer, yes=(f"done in {time} for {cost}", f"{time} for {cost}"), does=does)


def _subtitle(answer: TuningAnswer) -> str:
    place, results = answer.selected, answer.results
    if line := phrases.shortcoming(answer, best=lambda best: f"costs {best.cost_and_time}"):
        return line
    ends = wording.interval(usd(place.cost_usd.low), usd(place.cost_usd.high))
    rented = answer.question.rented
    second = answer.place(results.cheapest_of(rented != rented[place.i]))
    side = "no owned hardware" if place.label.rented else "no cloud"
    other = f"{sentence_case(side)} meets every target"
    if second is not None:
        costs, takes = usd(second.cost_usd.value), hours(second.hours.value)
        other = f"{sentence_case(second.where())}, it would cost {costs} and take {takes}"
    return f"The 90% interval is {ends}. {other}."


def _card(answer: TuningAnswer) -> Card:
    place, model = answer.selected, answer.inputs.model
    chips = Fact(label="Chips", text=f"{place.chips:g}")
    return figures.verdict_card(
        answer,
        title=f"Fine-tune {small_initial(model) if model.startswith('A ') else model} {place.where()}",
        facts=(chips,) if place.possible else (),
        other=lambda at: at.cost_and_time,
    )


def _settings_line(answer: TuningAnswer) -> str:
    settings = answer.settings
    _, trained = WORDS["tuning"]["options"][answer.results.task.method]
    budget = [] if settings.budget is None else [f"at most {usd(settings.budget)}"]
    tuning = f"{trained}, {settings.number('tuning_tokens'):,.12g} million tokens"
    return phrases.settings_line(
        answer,
        work=f"{answer.inputs.model}, {tuning}",
        limits=(f"within {settings.number('deadline'):,.12g} h", *budget),
    )


def _figures(answer: TuningAnswer) -> tuple[Figure, ...]:
    place, chips = answer.selected, finite(answer.selected.chips)
    method = f"1,000 simulations at {place.label.text}"
    text = "none hold it" if chips is None else f"{chips:g}"
    return (
        *figures.estimate_figures(place, "tuning", method=method),
        figures.likely_figure(answer, method=f"share of {method}"),
        Figure(name="chips", label="Chips", value=chips, unit="", text=text, key=False),
    )


def _exhibit(answer: TuningAnswer, *, title: str, source: str) -> Exhibit:
    def text(place: TuningAt) -> str:
        if not answer.results.possible[place.i]:
            return limit_words(place.binding)
        cost = place.cost_usd.value
        money = usd(cost) if math.isfinite(cost) else "price unknown"
        return f"{money}, {f'{place.chips:g} × ' if place.several else ''}{hours(place.hours.value)}"

    return figures.cost_exhibit(
        answer,
        heading="Cost of the whole fine-tuning run",
        costs=answer.results.cost_usd,
        text=text,
        title=title,
        source=source,
        section="tuning",
    )
