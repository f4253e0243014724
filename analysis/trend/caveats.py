"""What a reader of a growth rate must be told in words: how its interval was made and where it is weak."""

from analysis.trend.selection import Rule
from analysis.trend.trend import Trend

FEW_POINTS = 10
MANY_DROPPED = 0.05
FEW_POINTS_BEYOND = 5


def method_text(*, interval: str, rule: Rule, trend: Trend, draws: int, groups: int) -> str:
    """Return the interval method as a fragment that completes "the interval is a ..."."""
    if interval == "classical":
        if trend.break_year is not None:
            return "classical t interval with the break year taken as known"
        return {
            "least-squares": "classical t interval of least squares",
            "kinked": "classical t interval of least squares",
            "theil-sen": "rank interval of Sen (1968)",
            "quantile": "kernel-sandwich interval of quantile regression (Powell)",
        }[trend.estimator]
    drawn = f"whole organisations ({groups} fitted)" if interval == "clustered" else "models"
    steps = {
        "all": " and refits",
        "frontier": ", re-selects the frontier and refits",
        "records": ", re-selects the record setters and refits",
    }[rule.kind]
    return f"bootstrap that resamples {drawn}{steps}, {draws:,} draws"


def caveats(
    *, trend: Trend, rule: Rule, interval: str, dropped: float, flat: bool, bent_share: float | None
) -> tuple[str, ...]:
    """Return sentences for the reader, most important first, none when there is nothing to say."""
    told = []
    if trend.n < FEW_POINTS:
        told.append(f"Only {trend.n} points: the interval is rough.")
    if flat:
        told.append("The interval includes no growth at all, so the doubling time has no upper end.")
    if interval == "classical" and rule.kind != "all":
        told.append(
            "The classical interval takes the selected points as given, although the selection itself is "
            "uncertain; the bootstrap re-selects them."
        )
    if dropped > MANY_DROPPED:
        told.append(
            f"{dropped:.0%} of the bootstrap draws held too few distinct points for a line and were left out."
        )
    if trend.estimator == "kinked":
        told.extend(_kink_caveats(trend, interval=interval, bent_share=bent_share))
    beyond = trend.n * min(trend.quantile, 1 - trend.quantile)
    if trend.estimator == "quantile" and beyond < FEW_POINTS_BEYOND:
        told.append(
            f"About {beyond:.0f} of {trend.n} points lie beyond the line: its interval is rather too narrow."
        )
    if trend.estimator == "quantile":
        told.append(
            f"The line has {trend.quantile:.0%} of the points on or below it; the interval for a new point "
            "is that of any new point, not of those near the line."
        )
    return tuple(told)


def _kink_caveats(trend: Trend, *, interval: str, bent_share: float | None) -> list[str]:
    if trend.break_year is None:
        told = ["A break was looked for and not kept: BIC prefers the straight line."]
    else:
        told = [
            f"The break in {trend.break_year:.2f} was found in the same data, and the rate is that after it."
        ]
        if interval == "classical":
            told.append("The classical interval takes the break year as known, which makes it too narrow.")
    if bent_share is not None and 0.1 < bent_share < 0.9:
        told.append(
            f"{bent_share:.0%} of the bootstrap draws keep a break, so the data do not settle "
            "whether there is one."
        )
    return told
