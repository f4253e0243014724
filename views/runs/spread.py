"""The growth of training compute under every sensible rule, each the chosen one changed in one respect."""

from analysis.trend.growth import Growth
from data.releases import Release
from views.result import Exhibit
from views.runs.choice import TrainingComputeSettings, rule
from views.runs.rows import candidates, series
from views.trend import rates
from views.trend.rule_changes import Changes, cases

SENSIBLE: Changes = (
    ("Top 10 at release", {"rule": "frontier", "top": 10}),
    ("Top 5 at release", {"rule": "frontier", "top": 5}),
    ("Every notable run", {"rule": "notable"}),
    ("Record setters", {"rule": "records"}),
    ("All domains", {"domain": "all"}),
    ("Language models", {"domain": "language"}),
    ("Without fine-tunes", {"finetunes": "exclude"}),
    ("Without speculative estimates", {"confidence": "likely"}),
    ("Since 2010", {"since": "2010"}),
    ("Since 2018", {"since": "2018"}),
    ("Since 2020", {"since": "2020"}),
    ("Least squares", {"estimator": "least-squares"}),
    ("Theil-Sen", {"estimator": "theil-sen"}),
)
"""The sensible rules, each the chosen one changed in one respect."""


def spread_exhibit(
    release: Release, settings: TrainingComputeSettings, *, growth: Growth, source: str
) -> Exhibit | None:
    """Return the rate under all sensible rules beside that of the settings; None if no other can be fitted."""
    others = cases(settings, SENSIBLE, series_of=lambda case: series(candidates(release, case)), rule_of=rule)
    return rates.spread_exhibit(growth, others, subject="Compute per run", role="compute", source=source)
