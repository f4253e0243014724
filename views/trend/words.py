"""Text on the method of an interval, and on the weaknesses of a growth rate."""

from analysis.track_record.calibration import CalibratedGrowth, Calibration
from analysis.trend.caveats import Caveat
from analysis.trend.growth import Growth
from analysis.trend.undisclosed import BoundedGrowth
from views import wording, written

ORDINALS = ("first", "second", "third", "fourth")
WORDS = written.toml(__file__, name="words.toml")


def method(growth: Growth) -> str:
    """Return the interval's method as text that completes "The interval is a …"."""
    if isinstance(growth, BoundedGrowth):
        return f"{method(growth.fits[0])}, widened to cover the fits with undisclosed rows at their minimum and maximum"
    calibrated = isinstance(growth, CalibratedGrowth)
    return f"{_interval(growth)}{'; new points are calibrated' if calibrated else ''}"


def _interval(growth: Growth) -> str:
    if growth.interval == "classical":
        if growth.trend.break_year is not None:
            return "classical t interval with the break year taken as known"
        return WORDS["classical"][growth.trend.estimator]
    clustered = growth.interval == "clustered"
    drawn = f"whole organizations ({growth.clusters} in the fit)" if clustered else "all rows"
    steps = WORDS["refits"][growth.rule.kind]
    return f"bootstrap of {growth.draws:,} resamples of {drawn}{steps}"


FOREMOST = ("few points", "break from the same data", "line of a quantile")
"""Weaknesses shown beside the rate. The others are shown on request."""


def notes(growth: Growth) -> tuple[str, ...]:
    """Return a sentence on each weakness of a rate, and one on its prediction interval if that was widened."""
    if isinstance(growth, BoundedGrowth):
        return notes(growth.fits[0])
    stretched = (stretch(growth.calibration),) if isinstance(growth, CalibratedGrowth) else ()
    return (*(sentence(caveat, growth) for caveat in growth.caveats), *stretched)


def foremost(growth: Growth) -> tuple[str, ...]:
    """Return the sentences on the weaknesses shown beside the rate."""
    return tuple(sentence(caveat, growth) for caveat in growth.caveats if caveat.code in FOREMOST)


def sure(growth: Growth, *, group: str) -> tuple[str, ...]:
    """Return sentences on the interval's method and on weaknesses not beside the rate. ``group`` names a cluster."""
    made = f"The rate's {wording.percent(growth.level)} interval is a {method(growth)}."
    made += "" if growth.interval == "classical" else WORDS["expanded"]
    others = (note for note in notes(growth) if note not in foremost(growth))
    every = (made.replace("is a boot", "comes from a boot"), *others)
    return tuple(text.replace("organization", group) for text in every)


def sentence(caveat: Caveat, growth: Growth) -> str:
    """Return a sentence on one weakness of a rate."""
    return WORDS["caveats"][caveat.code].format(
        number=caveat.number,
        percent=100 * caveat.number,
        n=growth.n,
        organizations=wording.counted(int(caveat.number), "organization"),
    )


def stretch(calibration: Calibration) -> str:
    """Return a sentence on how much the prediction interval was widened."""
    if max(calibration.factors) <= 1:
        return "Past forecasts reached their stated coverage, so the interval for a new point is not widened."
    by_year = ", ".join(
        f"{factor:.2g}× in the {ordinal} year ahead"
        for ordinal, factor in zip(ORDINALS, calibration.factors, strict=True)
    )
    return (
        f"The interval for a new point is widened so that it would have covered {100 * calibration.level:.0f}% of the "
        f"points that followed past forecasts: {by_year}."
    )
