"""The growth of a quantity of chips under every sensible rule, each the chosen one changed in one respect."""

from analysis.trend.growth import Growth
from data.releases import Release
from views import written
from views.chips.choice import AcceleratorSettings, rule
from views.chips.rows import candidates, series
from views.result import Exhibit
from views.trend import rates
from views.trend.rule_changes import Changes, cases

SENSIBLE: Changes = tuple(written.toml(__file__, name="rules.toml").items())


def spread_exhibit(
    release: Release, settings: AcceleratorSettings, *, growth: Growth, source: str
) -> Exhibit | None:
    """Return the rate under all sensible rules beside that of the settings; None if no other can be fitted."""
    others = cases(settings, SENSIBLE, series_of=lambda case: series(candidates(release, case)), rule_of=rule)
    return rates.spread_exhibit(growth, others, subject="Bandwidth per chip", role="memory", source=source)
