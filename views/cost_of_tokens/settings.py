"""Settings of /cost-of-tokens: model, speed, hardware, year and rents."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from data import standing
from data.by_release import ByRelease, kept_by_release
from data.releases import beside, load
from views import written
from views.chips.rents import RentSettings
from views.models import MODEL_OPTIONS, slug
from views.settings import choice, decimal, same_as, whole_number
from views.trend.fit import FitSettings
from views.view import ReleaseSettings

WORDS = written.settings(__file__)
TODAY, LAST_YEAR = 2026, 2032
ALL = "all"
BEST = "best"
ENGINES: Mapping[str, tuple[str, str]] = WORDS["engine"]["options"]
SERVED, PUBLISHED = "served", "published"
ON_DEMAND, RESERVED = "on-demand", "reserved"
FORMATS: Mapping[str, tuple[str, str]] = WORDS["format"]["options"]


@kept_by_release()
def accelerators() -> Mapping[str, tuple[str, str]]:
    """Return the short and full names of data-centre accelerators for rent, keyed by option.

    Those of the newest release come first, newest first, then those of earlier releases, so that old links work.
    """
    listed: Any = standing.table("cloud_prices")
    rented = set(listed.loc[(listed["tier"] == "on-demand") & ~listed["stale"], "accelerator"])
    options: dict[str, tuple[str, str]] = {}
    for release in reversed(beside()):
        chips: Any = load(release).accelerators
        chips = chips.loc[chips["name"].isin(rented) & (chips["segment"] == "data-centre")]
        chips = chips.sort_values(["released_on", "name"], ascending=[False, True])
        for row in chips.to_dict("records"):
            options.setdefault(slug(row["product"]), (str(row["product"]), str(row["name"])))
    return options


@dataclass(frozen=True, kw_only=True)
class CostOfTokensSettings(ReleaseSettings):
    """Settings of /cost-of-tokens: the model, the speed, the hardware, the year and the rents."""

    model: str = choice("deepseek-v3", computed=MODEL_OPTIONS, **WORDS["model"])
    speed: int = whole_number(30, low=1, high=5000, **WORDS["speed"])
    accelerator: str = choice(ALL, computed=ByRelease(accelerators), **WORDS["accelerator"])
    year: str = choice(
        str(TODAY),
        computed={
            str(year): (str(year), f"each accelerator's successor of {year}")
            for year in range(TODAY + 1, LAST_YEAR + 1)
        },
        **WORDS["year"],
    )
    format: str = choice(SERVED, **WORDS["format"])
    drafts: int = whole_number(0, low=0, high=8, **WORDS["drafts"])
    engine: str = choice(BEST, **WORDS["engine"])
    tuning: str = choice("tuned", **WORDS["tuning"])
    prompt: int = whole_number(1024, low=1, high=1_000_000, **WORDS["prompt"])
    answer: int = whole_number(1024, low=2, high=1_000_000, **WORDS["answer"])
    cached: int = whole_number(0, low=0, high=99, **WORDS["cached"])
    wait: float = decimal(5.0, low=0.1, high=600.0, step=0.5, **WORDS["wait"])
    price: float | None = decimal(
        None, low=0.0, high=10_000.0, step=0.1, zero_is_unset=True, **WORDS["price"]
    )
    certainty: str = choice("50", **WORDS["certainty"])
    rents: str = same_as(RentSettings, "rents")
    contract: str = choice(ON_DEMAND, **WORDS["contract"])
    utilization: int = whole_number(60, low=1, high=100, **WORDS["utilization"])
    pue: float = decimal(1.2, low=1.0, high=3.0, step=0.01, **WORDS["pue"])
    level: str = same_as(FitSettings, "level")
