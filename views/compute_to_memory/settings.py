"""Settings of /compute-to-memory: the ratio, the chips and the work, with their labels."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from views import written
from views.chips import within_chip
from views.chips.choice import AcceleratorSettings
from views.chips.metrics import METRICS
from views.settings import choice, same_as, shared, whole_number
from views.trend import fit as fit_settings
from views.wording import sentence_case

WORDS = written.settings(__file__)
FORMATS: Mapping[str, Mapping[str, str]] = written.toml(__file__, name="formats.toml")
LOWEST = "lowest"
PRECISIONS = tuple(name for name in FORMATS if name != LOWEST)
NOUN_OF = {name: stated["noun"] for name, stated in FORMATS.items()}


@dataclass(frozen=True, kw_only=True)
class Ratio:
    """A ratio of throughput: its divisor, unit, name in a sentence, column and short name."""

    below: str
    unit: str
    words: str
    column: str
    brief: str


RATIOS = {name: Ratio(**stated) for name, stated in written.toml(__file__, name="ratios.toml").items()}
SIXTEEN_BIT = ("fp16-matrix", "fp16")
"""Options of 16-bit precision: on matrix units only, and on any units."""


def chip_word(product: str) -> str:
    """Return a product's short name as an option, such as h100 for H100 SXM."""
    return re.sub(r"^GeForce | SXM$| \d+ GB$", "", product).lower().replace(" ", "-")


CHIPS = {chip_word(product): product for product in written.toml(__file__, name="chips.toml")["roofed"]}
"""Products with a roofline, keyed by option."""


@dataclass(frozen=True, kw_only=True)
class ComputeToMemorySettings(fit_settings.FitSettings):
    """Settings of /compute-to-memory: the ratio, the chips, and the work on a chip's roofline."""

    precision: str = choice(
        "fp16-matrix",
        computed={
            **{name: (FORMATS[name]["label"], METRICS[name].meaning) for name in PRECISIONS},
            LOWEST: (
                FORMATS[LOWEST]["label"],
                "peak in the first of FP4, FP8, INT8, 16 bits and FP32 that a chip supports natively",
            ),
        },
        **WORDS["precision"],
    )
    rule: str = choice("all", **WORDS["rule"])
    vendor: str = same_as(AcceleratorSettings, "vendor")
    ratio: str = choice(
        "bandwidth",
        computed={
            name: (sentence_case(METRICS[ratio.below].noun), ratio.words) for name, ratio in RATIOS.items()
        },
        **WORDS["ratio"],
    )
    since: str = same_as(AcceleratorSettings, "since", default=str(within_chip.SINCE), **WORDS["since"])
    chip: str = choice(
        "h100",
        computed={word: (product, f"the {product}") for word, product in CHIPS.items()},
        **WORDS["chip"],
    )
    batch: int = whole_number(64, low=1, high=65536, **WORDS["batch"])
    prompt: int = whole_number(2048, low=1, high=1_000_000, **WORDS["prompt"])
    tokens: int = whole_number(8192, low=1, high=10_000_000, **WORDS["tokens"])


def ratio_words(settings: ComputeToMemorySettings) -> str:
    """Return the ratio's name in a sentence. Integer formats have operations instead of FLOP."""
    words = RATIOS[settings.ratio].words
    return words.replace("FLOP", "OP") if settings.precision == "int8" else words


def subject(settings: ComputeToMemorySettings) -> str:
    """Return the ratio's name with its number format, such as 16-bit FLOP per byte, to begin a headline."""
    brief = RATIOS[settings.ratio].brief
    stated = FORMATS[settings.precision]
    brief = brief.replace("FLOP", "OP") if settings.precision == "int8" else brief
    return f"{stated.get('start', stated['noun'])} {brief}"


def chip_settings(settings: ComputeToMemorySettings) -> AcceleratorSettings:
    """Return the settings of /accelerators that select the same chips."""
    kind = "all" if settings.rule == "flagships" else "data-centre"
    return shared(settings, AcceleratorSettings, kind=kind)
