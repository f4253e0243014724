"""How an interval was made and where a growth rate is weak, in words."""

from analysis.track_record.calibration import CalibratedGrowth, Calibration
from analysis.trend.caveats import Caveat
from analysis.trend.growth import Growth
from analysis.trend.undisclosed import BoundedGrowth
from views import wording

ORDINALS = ("first", "second", "third", "fourth")


def method(growth: Growth) -> str:
    """Return how the interval was made, as a fragment that completes "the interval is a ..."."""
    if isinstance(growth, BoundedGrowth):
        return f"{method(growth.fits[0])}, widened to that of the fits with undisclosed rows at least and at most"
    calibrated = isinstance(growth, CalibratedGrowth)
    return f"{_interval(growth)}{', new points calibrated on past forecasts' if calibrated else ''}"


def _interval(growth: Growth) -> str:
    if growth.interval == "classical":
        if growth.trend.break_year is not None:
            return "classical t interval with the break year taken as known"
        return {
            "least-squares": "classical t interval of least squares",
            "kinked": "classical t interval of least squares",
            "theil-sen": "rank interval of Sen (1968)",
            "quantile": "kernel-sandwich interval of quantile regression (Powell)",
        }[growth.trend.estimator]
    clustered = growth.interval == "clustered"
    drawn = f"whole organizations ({growth.clusters} fitted)" if clustered else "all rows"
    steps = {
        "all": " and refits",
        "frontier": ", re-selects the frontier and refits",
        "records": ", re-selects the record setters and refits",
    }[growth.rule.kind]
    steps += " by interval regression" if growth.intervals else ""
    return f"bootstrap that resamples {drawn}{steps}, {growth.draws:,} draws"


FOREMOST = ("few points", "break from the same data", "line of a quantile")
"""The weaknesses that a reader must see beside the rate, not on request."""


def notes(growth: Growth) -> tuple[str, ...]:
    """Return a sentence for each weakness of a rate, and how far its interval for a new point was stretched."""
    if isinstance(growth, BoundedGrowth):
        return notes(growth.fits[0])
    stretched = (stretch(growth.calibration),) if isinstance(growth, CalibratedGrowth) else ()
    return (*(sentence(caveat, growth) for caveat in growth.caveats), *stretched)


def foremost(growth: Growth) -> tuple[str, ...]:
    """Return the sentences on the weaknesses that stand beside the rate."""
    return tuple(sentence(caveat, growth) for caveat in growth.caveats if caveat.code in FOREMOST)


def sure(growth: Growth) -> tuple[str, ...]:
    """Return how the interval of a rate was made, and the sentences that do not stand beside the rate."""
    level = wording.percent(growth.level)
    made = f"The {level} interval of the rate is a {method(growth)}."
    return (made, *(note for note in notes(growth) if note not in foremost(growth)))


def sentence(caveat: Caveat, growth: Growth) -> str:
    """Return one weakness of a rate as a sentence."""
    number, n = caveat.number, growth.n
    return {
        "few points": f"Only {n} points were fitted, so the interval is rough.",
        "no growth included": (
            "The interval includes no growth at all, so the doubling time has no upper end."
        ),
        "selection taken as given": (
            "The classical interval takes the selected points as given, although the selection itself is "
            "uncertain; the bootstrap re-selects them."
        ),
        "draws left out": (
            f"{_share(number)} of the bootstrap draws held too few distinct points for a line and were left out."
        ),
        "no break kept": "A break was tested and rejected: BIC prefers the straight line.",
        "break from the same data": (
            f"The break in {number:.2f} was found in the same data, and the rate is that after it."
        ),
        "break taken as known": (
            "The classical interval takes the break year as known, which makes it too narrow."
        ),
        "break unsettled": (
            f"{_share(number)} of the bootstrap draws keep a break, so the data do not settle whether there is one."
        ),
        "few points beyond the line": (
            f"About {number:.0f} of {n} points lie beyond the line: its interval is probably too narrow."
        ),
        "few clusters": (
            f"The fitted points are of {wording.counted(int(number), 'organization')}, too few to resample whole ones: "
            "the interval resamples rows and does not carry what sets one organization apart from others."
        ),
        "line of a quantile": (
            f"The line has {_share(number)} of the points on or below it; the interval for a new point is that of "
            "any new point, not of those near the line."
        ),
    }[caveat.code]


def _share(share: float) -> str:
    return f"{100 * share:.0f} %"


def stretch(calibration: Calibration) -> str:
    """Return how far the interval for a new point was stretched, as a sentence."""
    if max(calibration.factors) <= 1:
        return "Past forecasts held their level without stretching, so the interval for a new point stays as it is."
    by_year = ", ".join(
        f"{factor:.2g}× in the {ordinal} year ahead"
        for ordinal, factor in zip(ORDINALS, calibration.factors, strict=True)
    )
    return (
        f"The interval for a new point is stretched so that it would have held {100 * calibration.level:.0f} % of "
        f"the points that came after past forecasts: {by_year}."
    )
