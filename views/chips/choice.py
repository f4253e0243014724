"""Which quantity of which chips is followed and how its growth is fitted: the settings, and their words."""

from dataclasses import dataclass

from analysis.trend.selection import Kind, Rule
from views.chips.metrics import METRICS
from views.settings import Option, choice, month, whole_number
from views.trend import fit as fit_settings
from views.wording import sentence_case

VENDORS = {
    "nvidia": "NVIDIA",
    "amd": "AMD",
    "google": "Google",
    "intel": "Intel",
    "amazon": "Amazon",
    "huawei": "Huawei",
    "cambricon": "Cambricon",
    "baidu": "Baidu",
}
VENDOR_OPTIONS: dict[str, Option] = {
    "all": ("All vendors", "every vendor"),
    **{slug: (name, f"only {name}") for slug, name in VENDORS.items()},
}
MEMORY_KINDS = {"hbm": "HBM", "gddr": "GDDR", "lpddr": "LPDDR", "ddr": "DDR", "sram": "SRAM"}
KINDS: dict[str, Kind] = {"all": "all", "flagships": "all", "frontier": "frontier", "records": "records"}
SEGMENTS = {"data-centre": "data-centre", "consumer": "consumer", "workstation": "workstation"}


@dataclass(frozen=True, kw_only=True)
class AcceleratorSettings(fit_settings.FitSettings):
    """Which quantity of which chips, since when, and how its growth is fitted."""

    metric: str = choice(
        "memory-bandwidth",
        {name: (sentence_case(metric.noun), metric.meaning) for name, metric in METRICS.items()},
        label="Quantity",
        help="What of a chip is followed over time. Throughput is dense, never with sparsity.",
        first_row=True,
    )
    rule: str = choice(
        "all",
        {
            "all": ("All products", "every product"),
            "flagships": ("Flagships", "each vendor's leading data-centre product of a generation"),
            "frontier": ("Frontier chips", "products among the top k in this quantity at release"),
            "records": ("Record setters", "only products that exceeded every earlier one"),
        },
        label="Which chips",
        help="A growth rate depends on which points enter it.",
        first_row=True,
    )
    top: int = whole_number(
        10,
        low=1,
        high=100,
        label="Frontier size (top k)",
        help="How many chips count as the frontier at any time. Used for frontier chips only.",
        group="Data",
    )
    vendor: str = choice(
        "all",
        VENDOR_OPTIONS,
        label="Vendor",
        help="Whose chips are considered.",
        first_row=True,
    )
    since: str = month(
        "2008",
        low=fit_settings.FIRST_YEAR,
        high=fit_settings.LAST_YEAR,
        label="Since",
        help="The first month or year that enters the fit.",
        first_row=True,
    )
    memory: str = choice(
        "off-chip",
        {
            "off-chip": ("Off the chip", "every chip but those whose only listed memory is on-chip SRAM"),
            "any": ("Any", "every chip, on-chip SRAM too"),
            **{slug: (name, f"only {name}") for slug, name in MEMORY_KINDS.items()},
        },
        label="Memory kind",
        help="On-chip SRAM is not comparable with memory beside the chip and is left out unless asked for.",
        group="Hardware",
    )
    kind: str = choice(
        "all",
        {
            "all": ("All markets", "chips of every market"),
            **{
                slug: (sentence_case(name).replace("-", " "), f"only {name} chips")
                for slug, name in SEGMENTS.items()
            },
        },
        label="Market",
        help="What the chip is sold for.",
        group="Hardware",
    )
    curation: str = choice(
        "curated",
        {
            "curated": ("Corrected", "errors corrected, one row per product, missing chips added"),
            "as-exported": ("As exported", "the rows of Epoch AI's export as they are, one per listing"),
        },
        label="Curation",
        help="Whether our corrections apply; /data lists every one with its reason.",
        group="Data",
    )

    def applies(self, name: str) -> bool:
        """Return whether a setting can change the result: the size of the frontier only where it is followed."""
        return super().applies(name) and (name != "top" or self.rule == "frontier")


def rule(settings: AcceleratorSettings) -> Rule:
    """Return the selection rule that the setting names; flagships are a filter, so all of them count."""
    return Rule(kind=KINDS[settings.rule], top=settings.top)


def subject(settings: AcceleratorSettings) -> str:
    """Return what grows, as the start of a headline."""
    noun = METRICS[settings.metric].noun
    vendor = "" if settings.vendor == "all" else f"{VENDORS[settings.vendor]} "
    if " per " in noun:
        kind = {"all": "", "flagships": "flagship ", "frontier": "frontier ", "records": "record "}
        return sentence_case(f"{vendor}{kind[settings.rule]}{noun}")
    return {
        "all": f"{sentence_case(noun)} per {vendor}chip",
        "flagships": f"{sentence_case(noun)} of {vendor}flagships",
        "frontier": f"Frontier {noun} per {vendor}chip",
        "records": f"Record {noun} per {vendor}chip",
    }[settings.rule]


def rule_words(settings: AcceleratorSettings) -> str:
    """Return which chips, in words: NVIDIA flagships, data-centre, HBM, since 2012."""
    vendor = "" if settings.vendor == "all" else f"{VENDORS[settings.vendor]} "
    which = {
        "all": f"All {vendor}accelerators",
        "flagships": f"{vendor}data-centre flagships",
        "frontier": f"Top-{settings.top} {vendor}accelerators at release",
        "records": f"Record-setting {vendor}accelerators",
    }[settings.rule]
    memory = {"off-chip": "", "any": "on-chip memory too"}.get(settings.memory) or MEMORY_KINDS.get(
        settings.memory, ""
    )
    parts = [
        sentence_case(which),
        "" if settings.kind == "all" else settings.kind,
        memory,
        "as exported, uncorrected" if settings.curation == "as-exported" else "",
        fit_settings.window_words(settings.since, settings.until),
    ]
    return ", ".join(filter(None, parts))
