"""Which ratio of which chips, and which work on whose roofline: the settings, and their words."""

import re
from dataclasses import dataclass

from views import written
from views.chips.choice import AcceleratorSettings
from views.chips.metrics import METRICS
from views.settings import choice, same_as, whole_number
from views.trend import fit as fit_settings
from views.wording import sentence_case

WORDS = written.settings(__file__)
PRECISIONS = ("fp32", "tf32", "fp16-matrix", "fp16", "fp8", "fp4", "int8")
NOUN_OF = {
    "fp32": "FP32",
    "tf32": "TF32",
    "fp16": "16 bits",
    "fp16-matrix": "16-bit matrix",
    "fp8": "FP8",
    "fp4": "FP4",
    "int8": "INT8",
    "lowest": "their lowest format",
}


@dataclass(frozen=True, kw_only=True)
class Ratio:
    """What throughput is divided by: its metric, the ratio's unit, name in a sentence, column, and brief name."""

    below: str
    unit: str
    words: str
    column: str
    brief: str


RATIOS = {
    "bandwidth": Ratio(
        below="memory-bandwidth",
        unit="FLOP/byte",
        words="FLOP per byte of memory bandwidth",
        column="machine_balance",
        brief="FLOP per byte",
    ),
    "capacity": Ratio(
        below="memory-capacity",
        unit="FLOP/s/byte",
        words="FLOP/s per byte of memory",
        column="flop_per_s_per_memory_byte",
        brief="FLOP/s per byte held",
    ),
    "chip-link": Ratio(
        below="chip-link",
        unit="FLOP/byte",
        words="FLOP per byte of chip-to-chip bandwidth",
        column="flop_per_chip_link_byte",
        brief="FLOP per chip-link byte",
    ),
    "network-link": Ratio(
        below="network-link",
        unit="FLOP/byte",
        words="FLOP per byte of network bandwidth",
        column="flop_per_network_link_byte",
        brief="FLOP per network byte",
    ),
}
ROOFLINE = frozenset({"chip", "batch", "prompt", "tokens"})
"""The settings that only the roofline and the batch that fills a chip use."""
SIXTEEN_BIT = ("fp16-matrix", "fp16")
"""16 bits on matrix units alone, and on any units."""
FORMAT_LABELS = {
    "fp32": "FP32",
    "tf32": "TF32",
    "fp16-matrix": "FP16 or BF16, matrix units",
    "fp16": "FP16 or BF16, any units",
    "fp8": "FP8",
    "fp4": "FP4",
    "int8": "INT8",
}
ROOFED = (
    "V100",
    "A100 80 GB",
    "H100 SXM",
    "H200",
    "B200",
    "B300",
    "MI300X",
    "MI355X",
    "TPU v4",
    "TPU v5p",
    "TPU v6e",
    "TPU v7",
    "Trainium2",
    "Gaudi 3",
    "L40S",
    "GeForce RTX 4090",
)
"""The products whose roofline can be drawn, as the table of accelerators has them."""


def chip_word(product: str) -> str:
    """Return the word of a product in a link: without series, form and memory, h100 for H100 SXM."""
    short = re.sub(r"^GeForce | SXM$| \d+ GB$", "", product)
    return short.lower().replace(" ", "-")


CHIPS = {chip_word(product): product for product in ROOFED}


@dataclass(frozen=True, kw_only=True)
class ComputeToMemorySettings(fit_settings.FitSettings):
    """Which ratio of which chips, and which work is placed on whose roofline."""

    precision: str = choice(
        "fp16-matrix",
        computed={
            **{name: (FORMAT_LABELS[name], METRICS[name].meaning) for name in PRECISIONS},
            "lowest": (
                "Lowest native format",
                "peak in each chip's lowest native format: FP4, else FP8, INT8, 16 bits, FP32",
            ),
        },
        **WORDS["precision"],
    )
    rule: str = choice("flagships", **WORDS["rule"])
    vendor: str = same_as(AcceleratorSettings, "vendor")
    ratio: str = choice(
        "bandwidth",
        computed={
            name: (sentence_case(METRICS[ratio.below].noun), ratio.words) for name, ratio in RATIOS.items()
        },
        **WORDS["ratio"],
    )
    since: str = same_as(AcceleratorSettings, "since", default="2020", **WORDS["since"])
    chip: str = choice(
        "h100",
        computed={word: (product, f"the {product}") for word, product in CHIPS.items()},
        **WORDS["chip"],
    )
    batch: int = whole_number(64, low=1, high=65536, **WORDS["batch"])
    prompt: int = whole_number(2048, low=1, high=1_000_000, **WORDS["prompt"])
    tokens: int = whole_number(8192, low=1, high=10_000_000, **WORDS["tokens"])

    def applies(self, name: str) -> bool:
        """Return whether a setting can change the result: a roofline is drawn against bandwidth only."""
        return super().applies(name) and (name not in ROOFLINE or self.ratio == "bandwidth")


def ratio_words(settings: ComputeToMemorySettings) -> str:
    """Return the ratio in words, in operations where the format counts whole numbers."""
    words = RATIOS[settings.ratio].words
    return words.replace("FLOP", "OP") if settings.precision == "int8" else words


def subject(settings: ComputeToMemorySettings) -> str:
    """Return what grows, as the start of a headline: 16-bit FLOP per byte."""
    brief = RATIOS[settings.ratio].brief
    kind = {"fp16": "16-bit", "fp16-matrix": "16-bit", "lowest": "Lowest-format"}.get(
        settings.precision, NOUN_OF[settings.precision]
    )
    return f"{kind} {brief.replace('FLOP', 'OP') if settings.precision == 'int8' else brief}"


def chip_settings(settings: ComputeToMemorySettings) -> AcceleratorSettings:
    """Return the settings of /accelerators that pick the same chips."""
    return AcceleratorSettings(
        rule=settings.rule,
        vendor=settings.vendor,
        kind="all" if settings.rule == "flagships" else "data-centre",
        since=settings.since,
        until=settings.until,
        estimator=settings.estimator,
        tau=settings.tau,
        interval=settings.interval,
        level=settings.level,
        to=settings.to,
        release=settings.release,
    )
