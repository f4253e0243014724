"""Settings of /fleet: the measure, chips in use or newly shipped, and the start year."""

from collections.abc import Mapping
from dataclasses import dataclass

from views import written
from views.settings import choice, same_as, whole_number
from views.trend.fit import FitSettings
from views.view import ReleaseSettings

WORDS = written.settings(__file__)
OFFERS: Mapping[str, tuple[str, str]] = WORDS["offers"]["options"]
NEVER = "never"


@dataclass(frozen=True, kw_only=True)
class FleetSettings(ReleaseSettings):
    """Settings of /fleet: the measure, chips in use or newly shipped, and the start year of growth."""

    offers: str = choice("bandwidth", **WORDS["offers"])
    count: str = choice("in-use", **WORDS["count"])
    since: int = whole_number(2023, low=2022, high=2024, **WORDS["since"])
    retire: str = choice(
        NEVER,
        computed={
            str(years): (f"{years} years", f"chips leave use after {years} years") for years in (3, 4, 5, 6)
        },
        **WORDS["retire"],
    )
    level: str = same_as(FitSettings, "level", **WORDS["level"])
