"""Whose costs, over what of the chips shipped, and how long before shipment the parts are bought."""

from dataclasses import dataclass

from views.settings import choice, whole_number
from views.trend.fit import confidence_level
from views.view import ReleaseSettings

ALL = "all"
MAKERS: dict[str, str] = {"nvidia": "NVIDIA", "google": "Google", "amazon": "Amazon", "amd": "AMD"}
"""The makers whose costs are known, by their word in a link."""
PER: dict[str, tuple[str, str]] = {
    "bandwidth": ("TB/s of bandwidth", "cost over the memory bandwidth of the chips shipped"),
    "compute": ("PFLOP/s of compute", "cost over the dense FLOP/s of the chips shipped"),
    "memory": ("GB of memory", "cost over the memory of the chips shipped"),
}
LONGEST_LAG = 3


@dataclass(frozen=True, kw_only=True)
class CostOfBandwidthSettings(ReleaseSettings):
    """Whose costs, over what of the chips shipped, and how long before shipment the parts are bought."""

    per: str = choice(
        "bandwidth",
        PER,
        label="Cost per",
        help="What of the chips shipped the cost of their parts is divided by.",
        first_row=True,
    )
    maker: str = choice(
        "nvidia",
        {
            **{
                word: (name, f"what {name} pays for parts, over what its chips offer")
                for word, name in MAKERS.items()
            },
            ALL: ("All four", "what all four makers pay for parts, over what their chips offer together"),
        },
        label="Maker",
        help="Whose chips are counted.",
        first_row=True,
    )
    lag: int = whole_number(
        1,
        low=0,
        high=LONGEST_LAG,
        label="Lag in quarters",
        help="How many quarters before the chips ship their parts are used. No table says it: the pale band shows "
        "0 to 3.",
        first_row=True,
    )
    cost: str = choice(
        "own",
        {
            "own": ("Memory or logic alone", "HBM over bandwidth or memory, logic dies over FLOP/s"),
            "packaged": (
                "Memory with packaging",
                "HBM and advanced packaging over bandwidth or memory, logic dies over FLOP/s",
            ),
            "whole": (
                "All parts of the chip",
                "all parts over either: what it costs where the whole chip is bought for it",
            ),
        },
        label="Cost of",
        help="Which parts are counted. HBM gives bandwidth and capacity at once; packaging joins HBM and logic.",
        group="Money",
    )
    precision: str = choice(
        "fp16",
        {
            "fp16": ("16 bits", "peak dense FP16 or BF16"),
            "fp8": ("8 bits", "peak dense FP8; at 16 bits where a chip has no FP8"),
        },
        label="Precision of FLOP/s",
        help="The number format of the FLOP/s that compute is counted in.",
        group="Hardware",
    )
    scale: str = choice(
        "log",
        {"log": ("Log", "equal steps are equal factors"), "linear": ("Linear", "the axis starts at zero")},
        label="Dollar axis",
        help="The scale of the axis of dollars in the first chart.",
        group="Statistics",
    )
    level: str = confidence_level(
        ": how sure costs, numbers of chips and, for a rate, the few quarters leave it"
    )
