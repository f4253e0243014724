"""The growth of a quantity of chips under every sensible rule, each the chosen one changed in one respect."""

from analysis.trend.growth import Growth
from data.releases import Release
from views.chips.choice import AcceleratorSettings, rule
from views.chips.rows import candidates, series
from views.result import Exhibit
from views.trend import rates
from views.trend.rule_changes import Changes, cases

SENSIBLE: Changes = (
    ("NVIDIA flagships", {"rule": "flagships", "vendor": "nvidia"}),
    ("All flagships", {"rule": "flagships", "vendor": "all"}),
    ("All products", {"rule": "all", "vendor": "all"}),
    ("Data-centre products", {"rule": "all", "vendor": "all", "kind": "data-centre"}),
    ("HBM only", {"rule": "all", "vendor": "all", "memory": "hbm"}),
    ("Top 10 at release", {"rule": "frontier", "vendor": "all"}),
    ("Record setters", {"rule": "records", "vendor": "all"}),
    (
        "All rows as exported",
        {"rule": "all", "vendor": "all", "curation": "as-exported", "since": "2008"},
    ),
    ("Since 2008", {"since": "2008"}),
    ("Since 2018", {"since": "2018"}),
)
"""The sensible rules, each the chosen one changed in one respect."""


def spread_exhibit(
    release: Release, settings: AcceleratorSettings, *, growth: Growth, source: str
) -> Exhibit | None:
    """Return the rate under all sensible rules beside that of the settings; None if no other can be fitted."""
    others = cases(settings, SENSIBLE, series_of=lambda case: series(candidates(release, case)), rule_of=rule)
    return rates.spread_exhibit(growth, others, subject="Bandwidth per chip", role="memory", source=source)
