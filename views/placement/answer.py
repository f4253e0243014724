"""The answer of /placement: the places with what comes out there, which one the page is about, what it costs."""

import math
from dataclasses import dataclass
from functools import cached_property

from analysis.arrays import BoolArray
from analysis.placement.answers import Answers, Spans, answers_to
from analysis.placement.by_load import Sides, sides_of
from analysis.placement.places import PERSONAL
from analysis.placement.prices import CARDS_PER_HOST, DAYS_PER_YEAR, bought_usd
from analysis.placement.question import Question
from analysis.placement.shortfall import Shortfall, shortfall
from data.releases import Release
from views import wording
from views.placement.amounts import usd
from views.placement.inputs import PlacementInputs, inputs_of
from views.placement.options import ANY
from views.placement.places import SERVER_ROOM
from views.placement.settings import PlacementSettings
from views.placement.workload import FIRST_YEAR

MONTHS = 12.0
PLURALS = {"desktop with a GPU": "desktops with a GPU"}


@dataclass(frozen=True, kw_only=True)
class Answered:
    """What an answer of the page begins with: settings, release and what they stand for."""

    settings: PlacementSettings
    release: Release
    inputs: PlacementInputs

    @property
    def question(self) -> Question:
        """Return the question that is answered."""
        return self.inputs.question

    @property
    def unknown(self) -> bool:
        """Return whether a class was chosen of which no place is known: the page is then about all places."""
        return not self.inputs.of_class(self.settings.only).any()

    @property
    def fixed(self) -> bool:
        """Return whether the page is about one class of places."""
        return self.settings.only != ANY and not self.unknown

    @property
    def among(self) -> BoolArray:
        """Return the places that the page may be about, shape (places,)."""
        return self.inputs.of_class(self.settings.only if self.fixed else ANY)

    @property
    def when(self) -> str:
        """Return the year as the end of a phrase, empty for today."""
        return f" in {self.settings.year}" if self.settings.year > FIRST_YEAR else ""

    @property
    def topic(self) -> str:
        """Return the task, with the year where it is a later one."""
        return f"{self.settings.preset.noun}{self.when}"


@dataclass(frozen=True, kw_only=True)
class PlacementAnswer(Answered):
    """What comes out at every place for the settings; the rest is formed when first read, and once."""

    @cached_property
    def outcomes(self) -> Answers:
        """Return what comes out at every place."""
        return answers_to(self.question)

    @cached_property
    def at(self) -> int:
        """Return the place that the page is about: the cheapest that meets the targets, else the nearest."""
        best = self.outcomes.cheapest_of(self.among)
        if best is not None:
            return best
        return self.outcomes.nearest_of(self.among) if self.fixed else self.outcomes.nearest

    @cached_property
    def sides(self) -> Sides | None:
        """Return the cheapest owned and rented place and the load at which they change sides, None without both."""
        return sides_of(self.outcomes)

    @cached_property
    def lacks(self) -> tuple[Shortfall | None, ...]:
        """Return why each place does not meet the targets, None where it does."""
        return tuple(shortfall(self.outcomes, i) for i in range(len(self.inputs.labels)))

    @property
    def lack(self) -> Shortfall | None:
        """Return why the place that the page is about does not meet the targets, None where it does."""
        return self.lacks[self.at]

    def usd_a_month(self, usd_per_1000: float) -> float:
        """Return the cost of a month at a cost of 1,000 requests. [USD]"""
        return usd_per_1000 * self.question.work.total_requests_per_day * DAYS_PER_YEAR / MONTHS / 1000.0

    def monthly(self, i: int) -> str:
        """Return what a month costs at a place, in words."""
        return usd(self.usd_a_month(float(self.outcomes.cost_usd.median[i])))

    @cached_property
    def cost_a_month(self) -> Spans:
        """Return the cost of a month at every place, with its interval. [USD]"""
        return self.outcomes.cost_usd.times(self.usd_a_month(1.0))

    def tokens_per_s(self, i: int) -> str:
        """Return how fast an answer is written at a place, in words."""
        return f"{wording.significant(1 / float(self.outcomes.token_s.median[i]))} tokens/s"

    def bought_usd(self, i: int) -> float:
        """Return the price of all that stands at a place, 0 where it is rented, NaN where it is not known. [USD]"""
        placed = self.outcomes.placed
        return float(bought_usd(self.question, chips=placed.chips, machines=placed.machines)[0, i])

    def chips(self, i: int) -> float:
        """Return the chips that hold a copy of the model at a place."""
        return float(self.outcomes.placed.chips[0, i])

    def machines(self, i: int) -> int:
        """Return how many machines stand at a place: servers of up to four cards, or of eight in a server room."""
        room = self.inputs.words[i] == SERVER_ROOM
        hosts = 1 if room else max(math.ceil(self.chips(i) / CARDS_PER_HOST), 1)
        return round(float(self.outcomes.placed.machines[0, i]) * hosts)

    def act(self, i: int) -> tuple[str, ...]:
        """Return what to do at a place, in words, from the longest to the shortest."""
        label, conditions = self.inputs.labels[i], self.question.conditions
        kind, device = label.kind, label.device_of_year
        if label.rented:
            number = round(float(self.outcomes.placed.machines[0, i]) * self.chips(i))
            rented = f"rent {number:,} × {device}" if conditions.by_hour else f"rent {device}"
            return (f"{rented} in the cloud", rented)
        if self.question.places.kind[i] == PERSONAL and float(conditions.share) < 1:
            whose = "the" if self.question.work.total_people <= 1 else "each person's"
            return (f"use {whose} {kind} ({device})", f"use {whose} {kind}")
        number = self.machines(i)
        if self.inputs.words[i] == SERVER_ROOM:
            return (f"buy {number:,} {'server' if number == 1 else 'servers'} of {label.device}",)
        many = kind if number == 1 else PLURALS.get(kind, f"{kind}s")
        return (f"buy {number:,} {many} ({device})", f"buy {number:,} {many}")

    def act_in_full(self, i: int) -> str:
        """Return what to do at a place with the number of its chips."""
        first, chips = self.act(i)[0], self.chips(i)
        if self.inputs.labels[i].rented:
            paid = "paid by the hour" if self.question.conditions.by_hour else "paid by use"
            return f"{first}, {paid}" + (f", {chips:g} chips a copy" if chips > 1 else "")
        if chips > 1 and self.inputs.words[i] != SERVER_ROOM:
            return f"{first}, {min(chips, CARDS_PER_HOST):g} GPUs each"
        return first


def answer_to(settings: PlacementSettings, release: Release) -> PlacementAnswer:
    """Return the answer to the settings."""
    return PlacementAnswer(settings=settings, release=release, inputs=inputs_of(settings, release))
