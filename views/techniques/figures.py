"""The figures of /techniques: years of hardware, saving, growth, and the chips that hold what is held."""

import math
from collections.abc import Iterator

from views import wording
from views.exhibits import growth_figure
from views.result import Figure
from views.techniques.inputs import Effects
from views.techniques.settings import MEASURES
from views.techniques.words import ends_words
from views.trend import words as trend_words


def figures(effects: Effects) -> Iterator[Figure]:
    """Yield the figures of the chosen techniques: their worth, saving, the growth, and memory held."""
    growth, year, together = effects.growth, effects.year, effects.together.worth
    before, after, method = (
        effects.together.before,
        effects.together.after,
        trend_words.method(effects.growth),
    )
    measure = MEASURES[effects.settings.measure]
    interval = f"{wording.percent(year.level)}: {ends_words(together)}"
    yield Figure(
        name="years",
        label="Worth",
        value=together.years,
        unit="year",
        text=wording.duration(together.years),
        low=together.low,
        high=together.high if math.isfinite(together.high) else None,
        level=year.level,
        interval_text="no effect" if together.nothing else interval,
        method=method,
        n=growth.n,
    )
    yield Figure(
        name="saving",
        label=f"Saving in {measure.brief}",
        value=together.saving,
        unit="x",
        text=wording.times(together.saving),
        interval_text=f"then {after.bound_by}-bound",
        method="the combination, before over after",
    )
    yield growth_figure(
        "yearly_growth",
        yearly_growth=year.growth,
        interval=(year.low, year.high),
        label=f"Growth of {measure.growth}",
        level=year.level,
        method=method,
        n=growth.n,
    )
    sizes = (wording.quantity(item.memory_byte, "byte") for item in (before, after))
    yield Figure(
        name="memory_saving",
        label="Memory held",
        value=before.memory_byte / after.memory_byte,
        unit="x",
        text=wording.times(before.memory_byte / after.memory_byte),
        interval_text=" to ".join(dict.fromkeys(sizes)),
        method="before over after",
        key=False,
    )
    for when, chips in zip(("before", "after"), effects.chips, strict=True):
        yield Figure(
            name=f"chips_{when}",
            label=f"Chips that hold it {when}",
            value=float(chips),
            unit="chips",
            text=wording.counted(chips, "chip"),
            method="memory held over memory of a chip",
            key=False,
        )
    if len(effects.settings.chosen) > 1:
        yield Figure(
            name="product_of_savings",
            label="Savings multiplied",
            value=effects.product,
            unit="x",
            text=wording.times(effects.product),
            interval_text="not what the combination gives",
            method="the separate savings multiplied",
            key=False,
        )
