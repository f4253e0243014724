"""Settings of /in-practice: the kind of work, the chips and how to match measurements."""

from collections.abc import Mapping
from dataclasses import dataclass

from views import written
from views.settings import choice, same_as, text
from views.trend.fit import FitSettings
from views.view import ReleaseSettings

WORDS = written.settings(__file__)
WORKS: Mapping[str, tuple[str, str]] = WORDS["work"]["options"]
DEVICES = ("decode", "prompt")
UNDER_LOAD = ("token", "first")
ANY = "any"


@dataclass(frozen=True, kw_only=True)
class InPracticeSettings(ReleaseSettings):
    """Settings of /in-practice: the kind of work, the chips, and how closely two measurements must match."""

    work: str = choice("decode", **WORDS["work"])
    chips: str = text(**WORDS["chips"])
    match: str = choice("exact", **WORDS["match"])
    precision: str = choice(ANY, **WORDS["precision"])
    load: str = choice(ANY, **WORDS["load"])
    level: str = same_as(FitSettings, "level", **WORDS["level"])

    def applies(self, name: str) -> bool:
        """Return whether a setting can change the result. For work without a load, ``load`` cannot."""
        return name != "load" or self.work in UNDER_LOAD
