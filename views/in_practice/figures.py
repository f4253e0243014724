"""The key figures: what doubling either number goes with, how far each is off, and the pair with most works."""

import math
from collections.abc import Callable
from functools import partial

from analysis.in_practice.exponents import Exponents
from analysis.in_practice.pairs import PairSummary
from analysis.intervals import Estimate
from views import wording, written
from views.exhibits import stated_figure
from views.in_practice import words
from views.in_practice.settings import InPracticeSettings
from views.result import Figure

stated = partial(stated_figure, written.toml(__file__, name="figures.toml"))


def figures(powers: Exponents, settings: InPracticeSettings, *, first: PairSummary) -> tuple[Figure, ...]:
    """Return the numbers of the finding, the three a reader needs first as key figures."""
    sure = words.sure_enough(powers)
    level = int(settings.level) / 100
    pair = words.pair_name(first)

    def estimate(
        name: str, of: Estimate | None, *, key: bool, read: Callable[[float], float] = float
    ) -> tuple[Figure, ...]:
        """Return an estimate as a factor, without an interval where so few chips give none; nothing for None."""
        if of is None:
            return ()
        value, low, high = read(of.value), read(of.low), read(of.high)
        interval = {"interval_text": f"{powers.n_chips} chips: no interval"}
        if math.isfinite(low) and math.isfinite(high):
            ends = wording.at_level(level, low=wording.times(low), high=wording.times(high))
            interval = {"low": low, "high": high, "level": level, "interval_text": ends}
        text = wording.times(value)
        return (stated(name, value=value, text=text, n=powers.n_pairs, key=key, **interval),)

    def of_pair(name: str, label: str, **others: object) -> Figure:
        value = getattr(first, name)
        return stated(name, label=label, value=value, text=wording.times(value), **others)

    return (
        of_pair("speed_up", pair, interval_text=words.middle_half(first), n=first.n, key=not sure),
        *estimate("twice_bandwidth", powers.bandwidth, key=sure, read=words.doubled),
        *estimate("twice_flop", powers.flop, key=sure, read=words.doubled),
        *estimate("bandwidth_off", powers.bandwidth_off, key=not sure),
        *estimate("flop_off", powers.flop_off, key=not sure),
        *estimate("off_ratio", powers.off_ratio, key=sure),
        of_pair("bandwidth_ratio", f"Bandwidth, {pair}"),
        of_pair("flop_ratio", f"FLOP/s, {pair}"),
    )
