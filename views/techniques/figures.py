"""The figures of /techniques: years of hardware, saving, growth, and the chips that hold what is held."""

import math
from collections.abc import Iterator
from functools import partial

from analysis.intervals import Estimate
from views import wording, written
from views.exhibits import growth_figure, stated_figure
from views.result import Figure
from views.techniques.inputs import Effects
from views.techniques.settings import MEASURES
from views.techniques.words import ends_words
from views.trend import words as trend_words

_figure = partial(stated_figure, written.toml(__file__, name="figures.toml"))


def figures(effects: Effects) -> Iterator[Figure]:
    """Yield the figures of the chosen techniques: their worth, saving, the growth, and memory held."""
    growth, year, together = effects.growth, effects.year, effects.together.worth
    before, after = effects.together.before, effects.together.after
    method, measure = trend_words.method(growth), MEASURES[effects.settings.measure]
    interval = f"{wording.percent(year.level)}: {ends_words(together)}"
    yield _figure(
        "years",
        value=together.years,
        text=wording.duration(together.years),
        low=together.low,
        high=together.high if math.isfinite(together.high) else None,
        level=year.level,
        interval_text="no effect" if together.nothing else interval,
        method=method,
        n=growth.n,
    )
    yield _figure(
        "saving",
        label=f"Saving in {measure.brief}",
        value=together.saving,
        text=wording.times(together.saving),
        interval_text=f"then {after.bound_by}-bound",
    )
    yield growth_figure(
        "yearly_growth",
        Estimate(value=year.growth, low=year.low, high=year.high),
        label=f"Growth of {measure.growth}",
        level=year.level,
        method=method,
        n=growth.n,
    )
    saving = before.memory_byte / after.memory_byte
    sizes = dict.fromkeys(wording.quantity(item.memory_byte, "byte") for item in (before, after))
    yield _figure("memory_saving", value=saving, text=wording.times(saving), interval_text=" to ".join(sizes))
    for when, chips in zip(("before", "after"), effects.chips, strict=True):
        yield _figure(f"chips_{when}", value=float(chips), text=wording.counted(chips, "chip"))
    if len(effects.settings.chosen) > 1:
        yield _figure("product_of_savings", value=effects.product, text=wording.times(effects.product))
