"""Settings that choose a quantity, the chips and the fit of its growth, with their labels."""

from dataclasses import dataclass

from analysis.trend.selection import Kind, Rule
from views import written
from views.chips.metrics import METRICS
from views.settings import choice, month, whole_number
from views.trend import fit as fit_settings
from views.wording import sentence_case

WORDS = written.settings(__file__)
MAKERS = ("NVIDIA", "AMD", "Google", "Intel", "Amazon", "Huawei", "Cambricon", "Baidu", "Meta")
VENDORS = {name.lower(): name for name in MAKERS}
MEMORY_KINDS = {name.lower(): name for name in ("HBM", "GDDR", "LPDDR", "DDR", "SRAM")}
KINDS: dict[str, Kind] = {"all": "all", "flagships": "all", "frontier": "frontier", "records": "records"}
SEGMENTS = {name: name for name in ("data-centre", "consumer", "workstation")}


@dataclass(frozen=True, kw_only=True)
class AcceleratorSettings(fit_settings.FitSettings):
    """Settings of a trend of chips: the quantity, the chips, the start year and the fit of the growth."""

    metric: str = choice(
        "memory-bandwidth",
        computed={name: (sentence_case(metric.noun), metric.meaning) for name, metric in METRICS.items()},
        **WORDS["metric"],
    )
    rule: str = choice("all", **WORDS["rule"])
    top: int = whole_number(10, low=1, high=100, **WORDS["top"])
    vendor: str = choice(
        "all", computed={word: (name, f"only {name}") for word, name in VENDORS.items()}, **WORDS["vendor"]
    )
    since: str = month("2008", low=fit_settings.FIRST_YEAR, high=fit_settings.LAST_YEAR, **WORDS["since"])
    memory: str = choice(
        "off-chip",
        computed={word: (name, f"only {name}") for word, name in MEMORY_KINDS.items()},
        **WORDS["memory"],
    )
    kind: str = choice(
        "all",
        computed={
            word: (sentence_case(name).replace("-", " "), f"only {name} chips")
            for word, name in SEGMENTS.items()
        },
        **WORDS["kind"],
    )
    curation: str = choice("curated", **WORDS["curation"])


def rule(settings: AcceleratorSettings) -> Rule:
    """Return the rule that selects chips for the fit. Flagships are selected beforehand."""
    return Rule(kind=KINDS[settings.rule], top=settings.top)


def subject(settings: AcceleratorSettings) -> str:
    """Return the quantity and the chips as text that begins a headline."""
    noun = METRICS[settings.metric].noun
    vendor = "" if settings.vendor == "all" else f"{VENDORS[settings.vendor]} "
    if " per " in noun:
        kind = {"all": "", "flagships": "flagship ", "frontier": "frontier ", "records": "record "}
        return sentence_case(f"{vendor}{kind[settings.rule]}{noun}")
    return {
        "all": f"{sentence_case(noun)} of all {vendor}products",
        "flagships": f"{sentence_case(noun)} of {vendor}flagships",
        "frontier": f"Frontier {noun} per {vendor}chip",
        "records": f"Record {noun} per {vendor}chip",
    }[settings.rule]


def rule_words(settings: AcceleratorSettings) -> str:
    """Return a description of the chosen chips, such as "NVIDIA data-centre flagships, HBM, since 2012"."""
    vendor = "" if settings.vendor == "all" else f"{VENDORS[settings.vendor]} "
    kind = "" if settings.kind == "all" else f"{settings.kind} "
    which = {
        "all": f"All {vendor}{kind}accelerators",
        "flagships": f"{vendor}{kind or 'data-centre '}flagships",
        "frontier": f"Top-{settings.top} {vendor}{kind}accelerators at release",
        "records": f"Record-setting {vendor}{kind}accelerators",
    }[settings.rule]
    memory = {"off-chip": "", "any": "on-chip memory too"}.get(settings.memory) or MEMORY_KINDS.get(
        settings.memory, ""
    )
    parts = [
        sentence_case(which),
        memory,
        "as exported, uncorrected" if settings.curation == "as-exported" else "",
        fit_settings.window_words(settings.since, settings.until),
    ]
    return ", ".join(filter(None, parts))
