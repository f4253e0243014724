"""Results for /placement: for every place, and for the place that the page is about."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

from analysis.arrays import BoolArray
from analysis.intervals import Estimate
from analysis.placement.answers import Answers, answers_to
from analysis.placement.by_load import Sides, sides_of
from analysis.placement.places import PERSONAL, Conditions
from analysis.placement.question import Question
from analysis.placement.results import PlaceResults, Shortfall, Spans
from analysis.placement.setup import CARDS_PER_HOST, bought_usd
from analysis.placement.tiers import Tiers
from analysis.placement.work import Work
from data.releases import Release
from views import wording
from views.placement.amounts import KIND_WORDS, LACK_WORDS, chance, lack_detail, seconds, usd
from views.placement.inputs import PlacementInputs, inputs_of
from views.placement.places import SERVER_ROOM, PlaceLabel
from views.placement.settings import ANY, FIRST_YEAR, PlacementSettings

PLURALS = {"desktop with a GPU": "desktops with a GPU"}


@dataclass(frozen=True, kw_only=True, eq=False)
class PlaceAnswer:
    """Results for the place with index ``i`` in the answer.

    ``lack`` is the target that the place misses, or None if it meets all; ``possible`` is whether its memory suffices.
    ``cost_usd`` is the cost of 1,000 requests or of all fine-tuning, and ``per`` the matching text after an amount.
    """

    i: int
    label: PlaceLabel
    kind: str
    lack: Shortfall | None
    probability: float
    binding: str
    possible: bool
    cost_usd: Estimate
    per: ClassVar[str] = " per 1,000"

    @property
    def title(self) -> str:
        """Return the place's full label, to begin a sentence: Laptop (Apple M5)."""
        return wording.sentence_case(self.label.text)

    @property
    def kind_words(self) -> str:
        """Return the kind of place as displayed."""
        return KIND_WORDS[self.kind]

    @property
    def detail(self) -> str:
        """Return what the place reaches and what the missed target requires, such as 7.2 tokens/s, 20 needed."""
        assert self.lack is not None
        return lack_detail(self.lack, per=self.per)

    @property
    def lacking(self) -> str:
        """Return the missed target and the shortfall as text: too slow (7.2 tokens/s, 20 needed)."""
        assert self.lack is not None
        return f"{wording.small_initial(LACK_WORDS[self.lack.lack])} ({self.detail})"

    @property
    def likely(self) -> str:
        """Return text on the probability that the place meets all targets."""
        return f"{chance(self.probability)} likely to meet all targets"


@dataclass(frozen=True, kw_only=True, eq=False)
class RequestsAt(PlaceAnswer):
    """Results for one place that answers requests.

    A copy of the model needs ``chips``, and there are ``copies`` of it. ``bought_usd`` is the price of all hardware
    there: 0 if rented, NaN if unknown. Other fields are as in Answers and PlacedWork.
    """

    work: Work
    conditions: Conditions
    month_usd: Estimate
    first_s: Estimate
    token_s: Estimate
    speed: Estimate
    energy_j: Estimate
    chips: float
    copies: float
    batch: float
    load: float
    need_gbyte: float
    usable_gbyte: float
    bought_usd: float

    @property
    def fits(self) -> str:
        """Return whether the model fits in the place's memory, as "yes" or "no"."""
        return "yes" if self.possible else "no"

    @property
    def monthly(self) -> str:
        """Return the monthly cost as text."""
        return usd(self.month_usd.value)

    @property
    def first_token(self) -> str:
        """Return the time to first token as text."""
        return seconds(self.first_s.value)

    @property
    def tokens_per_s(self) -> str:
        """Return the output speed as text."""
        return f"{wording.significant(self.speed.value)} tokens/s"

    @property
    def machines(self) -> int:
        """Return the number of machines. A server has up to four cards, or up to eight in a server room."""
        room = self.label.class_word == SERVER_ROOM
        hosts = 1 if room else max(math.ceil(self.chips / CARDS_PER_HOST), 1)
        return round(self.copies * hosts)

    @property
    def acts(self) -> tuple[str, ...]:
        """Return texts on what to do at the place, longest first."""
        label, kind, device = self.label, self.label.kind, self.label.device_of_year
        number = self.machines
        if label.rented:
            if not self.conditions.by_hour:
                chips = [] if label.year else [f"use a cloud API on {device} chips"]
                return (*chips, f"use a cloud API on {device}", "use a cloud API")
            many = f"{round(self.copies * self.chips):,} × "
            return (f"rent {many}{device} in the cloud", f"rent {many}{device}")
        if self.kind == PERSONAL and float(self.conditions.share) < 1:
            whose = "the" if self.work.total_people <= 1 else "each person's"
            return (f"use {whose} {kind} ({device})", f"use {whose} {kind}")
        if label.class_word == SERVER_ROOM:
            return (f"buy {number:,} {'server' if number == 1 else 'servers'} of {label.device}",)
        many = wording.counted(number, kind, plural=PLURALS.get(kind))
        return (f"buy {many} ({device})", f"buy {many}")

    @property
    def priced(self) -> str:
        """Return text on the share of its price that is charged for a user's own device. Empty for other places."""
        if self.kind != PERSONAL:
            return ""
        part = float(self.conditions.share)
        return f" with {wording.share(part)} of its price charged" if part else " without the device's price"

    @property
    def act_in_full(self) -> str:
        """Return text on what to do at the place, including the number of chips."""
        first, chips = self.acts[0], self.chips
        if self.label.rented:
            paid = ", paid by the hour" if self.conditions.by_hour else ""
            return f"{first}{paid}" + (f", with {chips:g} per copy of the model" if chips > 1 else "")
        if chips > 1 and self.label.class_word != SERVER_ROOM:
            return f"{first}, {min(chips, CARDS_PER_HOST):g} GPUs each"
        return first


Place = TypeVar("Place", bound=PlaceAnswer)


@dataclass(frozen=True, kw_only=True)
class Answer(Generic[Place]):
    """Results for every place, and for the place that the page is about."""

    settings: PlacementSettings
    release: Release
    inputs: PlacementInputs
    results: PlaceResults
    places: Sequence[Place]

    @property
    def question(self) -> Question:
        """Return the question that was answered."""
        return self.results.question

    @cached_property
    def unknown(self) -> bool:
        """Return whether the data have no place of the chosen class."""
        return not self.inputs.of_class(self.settings.only).any()

    @cached_property
    def fixed(self) -> bool:
        """Return whether the page is about one class of places only."""
        return self.settings.only != ANY and not self.unknown

    @property
    def when(self) -> str:
        """Return the year to end a phrase with, such as " in 2030". Empty for today."""
        return f" in {self.settings.year}" if self.settings.year > FIRST_YEAR else ""

    @property
    def topic(self) -> str:
        """Return the task as text, with the year if that is in the future."""
        return f"{self.settings.preset.noun}{self.when}"

    def place(self, i: int | None) -> Place | None:
        """Return the place at an index. None for an index of None."""
        return None if i is None else self.places[i]

    @cached_property
    def ordered(self) -> list[Place]:
        """Return the places in display order."""
        return [self.places[i] for i in self.results.order.tolist()]

    @cached_property
    def cheapest(self) -> Place | None:
        """Return the cheapest place that meets the targets. None if no place does."""
        return self.place(self.results.cheapest)

    @cached_property
    def best(self) -> Place | None:
        """Return the cheapest place that meets the targets, in the chosen class if any. None if no place does."""
        return self.place(self.results.cheapest_of(self._among))

    @cached_property
    def selected(self) -> Place:
        """Return the place that the page is about: the best one or, if there is none, the nearest to the targets."""
        if self.best is not None:
            return self.best
        return self.places[self.results.nearest_of(self._among) if self.fixed else self.results.nearest]

    @property
    def _among(self) -> BoolArray:
        return self.inputs.of_class(self.settings.only if self.fixed else ANY)


Results = TypeVar("Results", bound=PlaceResults)


def with_rents(inputs: PlacementInputs, results: Results) -> Results:
    """Return results whose costs at rented places reflect the spread of both speeds and rents."""
    return replace(results, cost_usd=results.cost_usd.widened([label.rents for label in inputs.labels]))


def common(inputs: PlacementInputs, results: PlaceResults) -> Iterator[dict[str, Any]]:
    """Yield, for each place, the results that do not depend on the kind of work."""
    for i, label in enumerate(inputs.labels):
        yield {
            "i": i,
            "label": label,
            "kind": inputs.question.places.kind[i],
            "lack": results.shortfall(i),
            "probability": float(results.probability[i]),
            "binding": results.binding[i],
            "possible": not results.too_small[i],
            "cost_usd": results.cost_usd.at(i),
        }


@dataclass(frozen=True, kw_only=True)
class PlacementAnswer(Answer[RequestsAt]):
    """Results for every place that answers requests, with the monthly cost. [USD]"""

    results: Answers
    cost_a_month: Spans

    @cached_property
    def sides(self) -> Sides | None:
        """Return the cheapest owned and rented places and their break-even load. None if either place is missing."""
        return sides_of(self.results)

    @cached_property
    def small(self) -> PlacementInputs:
        """Return the inputs for the small model, which edge devices run."""
        return inputs_of(self.settings, self.release, model=self.settings.usual("edge_model"))

    @cached_property
    def tiers(self) -> Tiers:
        """Return the split of requests between a small model at the edge and the chosen model in a cloud."""
        return Tiers(
            small=self.small.question,
            whole=self.question,
            share=self.settings.number("kept_on_edge") / 100,
            tried_first=self.settings.split != "before",
        )


def answer_to(settings: PlacementSettings, release: Release) -> PlacementAnswer:
    """Return the results for the settings, from a release."""
    return answer_of(inputs_of(settings, release), settings=settings, release=release)


def answer_of(inputs: PlacementInputs, *, settings: PlacementSettings, release: Release) -> PlacementAnswer:
    """Return the results for given inputs."""
    question, results = inputs.question, with_rents(inputs, answers_to(inputs.question))
    placed, month = results.placed, results.cost_usd.times(question.work.usd_a_month(1.0))
    speed, load = results.token_s.reciprocal, results.load
    bought = bought_usd(question, chips=placed.chips, machines=placed.machines)
    places = [
        RequestsAt(
            **shared,
            work=question.work,
            conditions=question.conditions,
            month_usd=month.at(i),
            first_s=results.first_s.at(i),
            token_s=results.token_s.at(i),
            speed=speed.at(i),
            energy_j=results.energy_j.at(i),
            chips=float(placed.chips[0, i]),
            copies=float(placed.machines[0, i]),
            batch=float(placed.batch[0, i]),
            load=float(load[i]),
            need_gbyte=float(placed.need_byte[0, i]) / 1e9,
            usable_gbyte=float(placed.usable_byte[0, i]) / 1e9,
            bought_usd=float(bought[0, i]),
        )
        for i, shared in enumerate(common(inputs, results))
    ]
    return PlacementAnswer(
        settings=settings, release=release, inputs=inputs, results=results, places=places, cost_a_month=month
    )
