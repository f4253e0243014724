"""Which work is compared, on which chips, and how alike two measurements must be."""

from dataclasses import dataclass

from views.settings import choice, text
from views.trend.fit import confidence_level
from views.view import ReleaseSettings

WORKS: dict[str, tuple[str, str]] = {
    "decode": (
        "Tokens for one user",
        "tokens a second of one user on one device, the same model file and engine",
    ),
    "prompt": (
        "Reading a prompt",
        "prompt tokens a second of one user on one device, the same model file and engine",
    ),
    "token": ("Time per token", "time per token of accelerators with the same requests in flight"),
    "first": (
        "Time to first token",
        "time to the first token of accelerators with the same requests in flight",
    ),
    "full": ("Tokens at full load", "tokens a second of accelerators with all requests at once"),
    "training": (
        "Training",
        "training tokens a second of each accelerator, the same model on as many of them",
    ),
}
DEVICES = ("decode", "prompt")
UNDER_LOAD = ("token", "first")
ANY = "any"


@dataclass(frozen=True, kw_only=True)
class InPracticeSettings(ReleaseSettings):
    """Which work is compared, on which chips, and how alike two measurements must be."""

    work: str = choice(
        "decode",
        WORKS,
        label="Work",
        help="What was measured on two chips or more.",
        first_row=True,
    )
    chips: str = text(
        label="Only chips",
        help="Names set apart by commas: one for its pairs with any other, such as B200; two for that pair, such as "
        "H200, B200. Empty for all.",
        first_row=True,
    )
    match: str = choice(
        "exact",
        {
            "exact": ("The same", "the same version of the software and the same split over chips"),
            "own": ("Each its own", "the same engine in any version; each chip with the split that suits it"),
        },
        label="Software and split",
        help="Whether the version and the split must be the same too, or only model, precision, lengths and load.",
        group="Workload",
    )
    precision: str = choice(
        ANY,
        {
            ANY: ("Any", "every number format, each with itself"),
            "16": ("16 bits", "weights of 16 bits"),
            "8": ("8 bits", "weights of 8 bits"),
            "4": ("4 bits", "weights of about 4 bits"),
        },
        label="Precision",
        help="Bits of a weight. Two chips are always compared at the same format.",
        group="Workload",
    )
    load: str = choice(
        ANY,
        {
            ANY: ("Any", "any number of requests in flight, the same on both chips"),
            "light": ("Up to 16", "up to 16 requests in flight"),
            "middle": ("17 to 64", "17 to 64 requests in flight"),
            "heavy": ("Above 64", "more than 64 requests in flight"),
        },
        label="Requests in flight",
        help="How many requests are served at a time. Two chips are always compared at the same number.",
        group="Workload",
    )
    level: str = confidence_level(", from leaving out one chip at a time")

    def applies(self, name: str) -> bool:
        """Return whether a setting can change the result."""
        return name != "load" or self.work in UNDER_LOAD
