"""The figures of /techniques: years of hardware, saving, growth, and the chips that hold what is held."""

import math

from views import wording
from views.result import Figure
from views.techniques.inputs import Effects
from views.techniques.measures import MEASURES
from views.techniques.notes import chips_for
from views.techniques.settings import TechniquesSettings
from views.techniques.words import brief_ends_words
from views.trend import words as trend_words


def figures(settings: TechniquesSettings, effects: Effects) -> tuple[Figure, ...]:
    """Return the figures of the chosen techniques: their worth, saving, the growth, and memory held."""
    growth, year, capacity = effects.growth, effects.year, effects.capacity_byte
    before, after, together = effects.together.before, effects.together.after, effects.together.worth
    measure = MEASURES[settings.measure]
    held = [wording.counted(chips_for(item, capacity), "chip") for item in (before, after)]
    sizes = [wording.quantity(item.memory_byte, "byte") for item in (before, after)]
    shown = [
        Figure(
            name="years",
            label="Worth",
            value=together.years,
            unit="year",
            text=wording.duration(together.years),
            low=together.low,
            high=together.high if math.isfinite(together.high) else None,
            level=year.level,
            interval_text=f"{wording.percent(year.level)}: {brief_ends_words(together)}"
            if not together.nothing
            else "no effect",
            method=trend_words.method(growth),
            n=growth.n,
        ),
        Figure(
            name="saving",
            label=f"Saving in {measure.brief}",
            value=together.saving,
            unit="x",
            text=wording.times(together.saving),
            interval_text=f"then {after.bound_by}-bound",
            method="the combination, before over after",
        ),
        Figure(
            name="yearly_growth",
            label=f"Growth of {measure.growth}",
            value=year.growth,
            unit="x/year",
            text=f"{wording.times(year.growth)} a year",
            low=year.low,
            high=year.high,
            level=year.level,
            interval_text=wording.at_level(
                year.level, low=wording.times(year.low), high=wording.times(year.high)
            ),
            method=trend_words.method(growth),
            n=growth.n,
        ),
        Figure(
            name="memory_saving",
            label="Memory held",
            value=before.memory_byte / after.memory_byte,
            unit="x",
            text=wording.times(before.memory_byte / after.memory_byte),
            interval_text=_once(*sizes, join=" to "),
            method="before over after",
            key=False,
        ),
        Figure(
            name="chips_before",
            label="Chips that hold it before",
            value=float(chips_for(before, capacity)),
            unit="chips",
            text=held[0],
            method="memory held over memory of a chip",
            key=False,
        ),
        Figure(
            name="chips_after",
            label="Chips that hold it after",
            value=float(chips_for(after, capacity)),
            unit="chips",
            text=held[1],
            method="memory held over memory of a chip",
            key=False,
        ),
    ]
    if len(settings.chosen) > 1:
        product = math.prod(effects.singles[name].worth.saving for name in settings.chosen)
        shown.append(
            Figure(
                name="product_of_savings",
                label="Savings multiplied",
                value=product,
                unit="x",
                text=wording.times(product),
                interval_text="not what the combination gives",
                method="the separate savings multiplied",
                key=False,
            )
        )
    return tuple(shown)


def _once(one: str, other: str, *, join: str) -> str:
    return one if one == other else f"{one}{join}{other}"
