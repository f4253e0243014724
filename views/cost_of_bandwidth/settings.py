"""Settings of /cost-of-bandwidth: the vendors, the quantity and the lag."""

from collections.abc import Mapping
from dataclasses import dataclass

from views import written
from views.settings import choice, same_as, whole_number
from views.trend.fit import FitSettings
from views.view import ReleaseSettings

WORDS = written.settings(__file__)
ALL = "all"
MAKERS: dict[str, str] = {"nvidia": "NVIDIA", "google": "Google", "amazon": "Amazon", "amd": "AMD"}
"""Vendors with known costs, keyed by option."""
PER: Mapping[str, tuple[str, str]] = WORDS["per"]["options"]
LONGEST_LAG = 3


@dataclass(frozen=True, kw_only=True)
class CostOfBandwidthSettings(ReleaseSettings):
    """Settings of /cost-of-bandwidth: the vendors, the quantity, and the lag between purchase and shipment."""

    per: str = choice("bandwidth", **WORDS["per"])
    maker: str = choice(
        "nvidia",
        computed={
            **{
                word: (name, f"what {name} pays for parts, divided by what its chips offer")
                for word, name in MAKERS.items()
            },
            ALL: (
                "All four",
                "what all four vendors pay for parts, divided by what their chips offer together",
            ),
        },
        **WORDS["maker"],
    )
    lag: int = whole_number(1, low=0, high=LONGEST_LAG, **WORDS["lag"])
    cost: str = choice("own", **WORDS["cost"])
    precision: str = choice("fp16", **WORDS["precision"])
    scale: str = choice("log", **WORDS["scale"])
    level: str = same_as(FitSettings, "level", **WORDS["level"])
