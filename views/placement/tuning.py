"""Fine-tuning as the work: where it runs best, within its deadline and at the least cost."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import cast

import numpy as np

from analysis.fine_tuning.memory import Method
from analysis.placement.shortfall import Lack, Shortfall, tuning_shortfall
from analysis.placement.tuning import (
    SEQUENCE_TOKENS,
    Tuned,
    TuningTask,
    likeliest_tuning,
    nearest_tuning,
    tuned,
)
from analysis.units import JOULE_PER_KWH
from charts.chart import Bar
from data.releases import Release
from views import wording, written
from views.chips.linked import matmul_rates
from views.placement.amounts import LACK_WORDS, ROLES, chance, hours, lack_detail, limit_words, usd
from views.placement.answer import Answered
from views.placement.figures import likely_fact, likely_figure, spans_fact, spans_figure
from views.placement.inputs import inputs_of, model_of
from views.placement.options import WORDS
from views.placement.places import SERVER_ROOM
from views.placement.places_exhibit import (
    cost_axis,
    cost_exhibit,
    finite,
    name_columns,
    spans_columns,
    verdict_columns,
)
from views.placement.ruled_out import STAYS
from views.placement.settings import PlacementSettings
from views.placement.words import MOST_NOTES, ON, all_ruled_out, fitting, none_meets
from views.result import Card, Exhibit, Fact, Figure, Source, Table
from views.table import Getter, column, table
from views.view import Finding
from views.wording import sentence_case, small_initial

FURTHER = ("only", "chips", "rent_change", "rents", "years", "charged", "electricity", "device")
"""Choices that stand in the settings line where they are not the usual ones; the others stand there anyway."""


@dataclass(frozen=True, kw_only=True)
class TuningAnswer(Answered):
    """A fine-tuning at every place for the settings, and which place the page is about."""

    task: TuningTask

    @cached_property
    def tuned(self) -> Tuned:
        """Return the fine-tuning at every place."""
        return tuned(self.question, self.task)

    @cached_property
    def best(self) -> int | None:
        """Return the cheapest place that meets what is asked, of the class chosen if any; None where none does."""
        return self.tuned.cheapest_of(self.among)

    @cached_property
    def at(self) -> int:
        """Return the place that the page is about: the best, else the nearest."""
        if self.best is not None:
            return self.best
        return (
            likeliest_tuning(self.tuned, self.among) if self.fixed else nearest_tuning(self.tuned, self.task)
        )

    @cached_property
    def lack(self) -> Shortfall | None:
        """Return why the place that the page is about does not meet what is asked, None where it does."""
        return tuning_shortfall(self.tuned, self.at, task=self.task)

    def several(self, i: int) -> bool:
        """Return whether a reader needs to know how many chips do the work at a place."""
        return bool(1 < self.tuned.chips[i] < np.inf) and self.inputs.words[i] != SERVER_ROOM

    def where(self, i: int, *, counting: bool = True, brief: bool = False) -> str:
        """Return where a fine-tuning runs: on 4 rented H100, on 2× L40S in edge servers, on a desktop with a GPU."""
        label, number = self.inputs.labels[i], f"{float(self.tuned.chips[i]):g}" if counting else ""
        if label.rented:
            count = f"{number} " if number and self.several(i) else ""
            return f"on {count}rented {label.device_of_year}"
        if self.several(i):
            device = f"{number} × {label.device_of_year}" if number else label.device_of_year
            return f"on {device}{'' if brief else ' in edge servers'}"
        return self.inputs.at_place(i, brief=brief)

    def cost_and_time(self, i: int) -> str:
        """Return a place with the median cost and hours of the work there."""
        cost, time = self.tuned.cost.median[i], self.tuned.time.median[i]
        return f"{usd(float(cost))} in {hours(float(time))} {self.where(i)}"


def tuning_answer(settings: PlacementSettings, release: Release) -> TuningAnswer:
    """Return the answer to the settings of a fine-tuning."""
    task = TuningTask(
        model=model_of(settings)[1],
        method=cast(Method, settings.usual("tuning")),
        tokens=settings.number("tuning_tokens") * 1e6,
        deadline_h=settings.number("deadline"),
        budget_usd=settings.budget,
        matmul_rates=matmul_rates(),
    )
    inputs = inputs_of(replace(settings, format="fp16"), release)
    return TuningAnswer(settings=settings, release=release, inputs=inputs, task=task)


def tuning_finding(settings: PlacementSettings, release: Release, *, sources: tuple[Source, ...]) -> Finding:
    """Return where a fine-tuning runs best: within its deadline, at the least cost."""
    answer = tuning_answer(settings, release)
    title, source = _headline(answer), _settings_line(answer)
    out = list(_ruled_out(answer)) if answer.best is None else []
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
        notes=tuple(out[:MOST_NOTES]),
        sure=tuple(sure if answer.question.work.mixture else sure[:-1]),
        changes=tuple(out[MOST_NOTES:]),
        method=written.method(__file__),
        sources=sources,
    )


def _ruled_out(answer: TuningAnswer) -> Iterator[str]:
    """Yield what each requirement alone rules out where nothing does all, and what comes nearest to it."""
    inputs, task, tuned = answer.inputs, answer.task, answer.tuned
    left, places = ~tuned.ruled_out & ~tuned.too_small, len(tuned.binding)
    if count := int(tuned.ruled_out.sum()):
        yield f"Where data may go rules out {count} of {places} options."
    if count := int(tuned.too_small.sum()):
        most = float(np.max(inputs.question.places.most_chips[tuned.too_small]))
        split = f", even where up to {most:.0f} chips split the work" if most > 1 else ""
        yield f"Memory rules out {count} of {places} options{split}."
    limits = (
        ("deadline", tuned.hours, task.deadline_h, hours),
        ("budget", tuned.cost_usd, task.budget_usd, usd),
    )
    for name, draws, limit, words in limits:
        missed = left & ((draws <= (limit or np.inf)).mean(axis=1) < inputs.question.sure)
        if not limit or not missed.any():
            continue
        nearest = ""
        if missed.sum() == left.sum():
            median = np.where(left, np.median(draws, axis=1), np.inf)
            i = int(np.nanargmin(median))
            nearest = f"; nearest is {inputs.named(i)}: {words(float(median[i]))}"
        yield (
            f"The {name} ({words(float(limit))}) alone rules out {int(missed.sum())} of the "
            f"{wording.counted(int(left.sum()), 'option')} left{nearest}."
        )


def _headline(answer: TuningAnswer) -> str:
    """Return where it costs least and how long it takes; of a class that was chosen, yes or no and why."""
    i, lack, only, options = answer.at, answer.lack, answer.settings.only, len(answer.inputs.labels)
    time = hours(float(answer.tuned.time.median[i]))
    cost = usd(float(answer.tuned.cost.median[i]))
    detail = "" if lack is None else lack_detail(lack, per="")
    if answer.unknown:
        return f"{ON[only]}: not known, the data holds none of {options}"
    if answer.fixed:
        start = f"{ON[only]}{answer.when}"
        if lack is None:
            return fitting(f"{start}: yes, done in {time} for {cost}", f"{start}: yes, {time} for {cost}")
        longest = (f"{start}: no, it takes {detail}",) if lack.lack is Lack.TIME else ()
        return fitting(
            *longest, f"{start}: no, {detail}", f"{start}: no, {small_initial(LACK_WORDS[lack.lack])}"
        )
    if lack is None:
        wheres = (answer.where(i, counting=False, brief=brief) for brief in (False, True))
        return fitting(*(f"{answer.topic}: {cost} in {time} {where}" for where in wheres))
    if lack.lack in (Lack.RULE, Lack.MEMORY):
        return all_ruled_out(answer.topic, options=options, why=detail)
    return fitting(*none_meets(answer.topic, when=answer.when, detail=detail))


def _subtitle(answer: TuningAnswer) -> str:
    i, lack, done, sure = answer.at, answer.lack, answer.tuned, answer.settings.sure
    name, likely = sentence_case(answer.inputs.named(i)), chance(float(done.probability[i]))
    if lack is not None and not answer.fixed:
        return f"{name} comes nearest, {likely} likely to meet every target: {lack_detail(lack, per='')}."
    rented = answer.question.rented
    if answer.fixed:
        best = done.cheapest_of(np.ones(len(rented), dtype=bool))
        other = "no option meets every target" if best is None else f"cheapest: {answer.cost_and_time(best)}"
        return f"{name}: {likely} likely to meet every target, {sure} % required; {other}."
    low, high = (usd(float(ends[i])) for ends in (done.cost.low, done.cost.high))
    second = done.cheapest_of(rented != rented[i])
    side = "no owned hardware" if rented[i] else "no cloud"
    other = f"{side} meets every target" if second is None else answer.cost_and_time(second)
    return f"90 % interval {wording.interval(low, high)}; {other}."


def _card(answer: TuningAnswer) -> Card:
    """Return where to fine-tune, with its numbers."""
    i, lack, done, model = answer.at, answer.lack, answer.tuned, answer.inputs.model
    model = small_initial(model) if model.startswith("A ") else model
    facts = (
        spans_fact("Cost", done.cost, i=i, word=usd),
        spans_fact("Time", done.time, i=i, word=hours),
        Fact(label="Chips", text=f"{float(done.chips[i]):g}"),
    )
    likely = likely_fact(float(done.probability[i]), sure=answer.settings.sure)
    second = done.cheapest_of(np.arange(len(done.meets)) != i)
    text = "No other option meets every target."
    if second is not None:
        cheaper = done.cost.median[second] < done.cost.median[i]
        start = "Instead" if lack is not None else "Cheapest" if cheaper else "Runner-up"
        text = f"{start}: {answer.cost_and_time(second)}."
    return Card(
        name="verdict",
        title=f"Fine-tune {model} {answer.where(i)}",
        verdict="Meets every target" if lack is None else LACK_WORDS[lack.lack],
        tone="good" if lack is None else "bad",
        facts=(*(() if done.too_small[i] else facts), likely),
        text=text,
    )


def _settings_line(answer: TuningAnswer) -> str:
    settings, requirements = answer.settings, answer.question.requirements
    limits = [f"within {settings.number('deadline'):,.12g} h"]
    limits += [] if settings.budget is None else [f"at most {usd(settings.budget)}"]
    limits += [STAYS[requirements.stay]] if requirements.stay != "anywhere" else []
    limits += ["works offline"] if requirements.offline else []
    _, trained = WORDS["tuning"]["options"][answer.task.method]
    return (
        f"{answer.inputs.model}, {trained}, {settings.number('tuning_tokens'):,.12g} million "
        f"tokens; {', '.join(limits)}, {settings.sure} % required; {settings.year}. "
        f"{settings.chosen_words(*FURTHER)}Epoch AI (CC BY 4.0) and curated data, release {answer.release.name}."
    )


def _figures(answer: TuningAnswer) -> tuple[Figure, ...]:
    i, done = answer.at, answer.tuned
    known, chips, place = bool(np.isfinite(done.cost.median[i])), float(done.chips[i]), answer.inputs.names[i]
    method = f"1,000 draws at {place}"
    return (
        spans_figure(
            "cost_usd", done.cost, i=i, label="Cost", unit="USD", word=usd, known=known, method=method
        ),
        spans_figure("hours", done.time, i=i, label="Time", unit="h", word=hours, known=True, method=method),
        likely_figure(float(done.probability[i]), method=f"share of {method}"),
        Figure(
            name="chips",
            label="Chips",
            value=chips if np.isfinite(chips) else None,
            unit="",
            text=f"{chips:g}" if np.isfinite(chips) else "none hold it",
            key=False,
        ),
    )


def _exhibit(answer: TuningAnswer, *, title: str, source: str) -> Exhibit:
    """Return what the whole fine-tuning costs by place."""
    done, cost = answer.tuned, answer.tuned.cost
    possible = ~(done.ruled_out | done.too_small)
    axis = cost_axis("Cost of the fine-tuning", cost, shown=possible, otherwise=[1.0, 10.0])

    def bar(i: int) -> Bar:
        priced = bool(possible[i] and np.isfinite(cost.median[i]) and cost.median[i] > 0)
        return Bar(
            label=sentence_case(answer.inputs.labels[i].text),
            value=float(cost.median[i]) if priced else axis.low,
            low=float(cost.low[i]) if priced and cost.low[i] > 0 else None,
            high=float(cost.high[i]) if priced else None,
            text=_bar_words(answer, i) if possible[i] else limit_words(done.binding[i]),
            role=ROLES[answer.question.places.kind[i]] if done.meets[i] else "context",
            emphasised=i == answer.best,
            absent=not priced,
        )

    return cost_exhibit(
        (bar(int(i)) for i in done.order),
        of="Cost of the whole fine-tuning",
        title=title,
        source=source,
        axis=axis,
        sure=answer.settings.sure,
        numbers=_table(answer),
    )


def _bar_words(answer: TuningAnswer, i: int) -> str:
    """Return the cost and the time at a place, with its chips where they are several."""
    cost = answer.tuned.cost.median[i]
    money = usd(float(cost)) if np.isfinite(cost) else "price unknown"
    count = f"{answer.tuned.chips[i]:g} × " if answer.several(i) else ""
    return f"{money}, {count}{hours(float(answer.tuned.time.median[i]))}"


def _table(answer: TuningAnswer) -> Table:
    done = answer.tuned
    energy = np.median(done.energy_j, axis=1) / JOULE_PER_KWH
    columns: tuple[Getter[int], ...] = (
        *name_columns(answer.inputs),
        column("chips", finite(done.chips), label="Chips"),
        *spans_columns("hours", done.time, label="Time", unit="h"),
        *spans_columns("cost_usd", done.cost, label="Cost", unit="USD"),
        column("energy_kwh", finite(energy), label="Energy", unit="kWh"),
        *verdict_columns(done.probability, done.binding),
    )
    return table(columns, [int(at) for at in done.order])
