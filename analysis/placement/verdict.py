"""Which place is the cheapest that meets what is asked, at middle expectations and with its chance."""

from dataclasses import dataclass

import numpy as np

from analysis.arrays import BoolArray, FloatArray
from analysis.placement.outcome import Luck, Outcome, outcome, probabilities
from analysis.placement.places import TODAY, Conditions, Growth, Places
from analysis.placement.setup import Fitted, set_up
from analysis.placement.work import Requirements, Work


@dataclass(frozen=True, kw_only=True)
class Standing:
    """What each place answers at middle expectations, shapes (cells, places); unknown costs are infinite."""

    chance: FloatArray
    cost_usd: FloatArray
    first_s: FloatArray
    token_s: FloatArray

    def cheapest(self, among: BoolArray, *, sure: float) -> int | None:
        """Return the cheapest place of the first cell that is likely enough to meet what is asked, or None."""
        meets = among & (self.chance[0] >= sure - 1e-9) & np.isfinite(self.cost_usd[0])
        return int(np.argmin(np.where(meets, self.cost_usd[0], np.inf))) if meets.any() else None


def standing(
    work: Work,
    places: Places,
    *,
    fitted: Fitted,
    conditions: Conditions,
    requirements: Requirements,
    luck: Luck,
    sustained: FloatArray,
    sustained_rule: bool | None,
    growth: Growth = TODAY,
) -> Standing:
    """Return how the places stand; ``sustained_rule`` is that of :func:`analysis.placement.outcome.outcome`."""
    setup = set_up(
        work,
        places,
        fitted=fitted,
        conditions=conditions,
        requirements=requirements,
        slowest=luck.slowest,
        growth=growth,
    )
    shape = (*setup.batch.shape, 1)
    middle_luck = Luck(
        step=np.ones(shape), prompt=np.ones(shape), sustained=np.full(shape, np.median(sustained))
    )
    found: Outcome = outcome(setup, requirements, luck=middle_luck, sustained=sustained_rule)
    chance = (
        probabilities(setup, requirements, luck=luck)
        if sustained_rule is None
        else outcome(setup, requirements, luck=luck, sustained=sustained_rule).met.mean(axis=-1)
    )
    cost = found.cost_usd_per_1000_requests[..., 0]
    return Standing(
        chance=chance,
        cost_usd=np.where(np.isnan(cost), np.inf, cost),
        first_s=found.time_to_first_token_s[..., 0],
        token_s=found.time_per_output_token_s[..., 0],
    )
