"""Number formats of weights: bits, unpacking, compute precision and common names."""

import math
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

SERVED_BITS_PER_WEIGHT = {"FP16": 16.0, "BF16": 16.0, "FP8": 8.0, "NVFP4": 4.5, "MXFP4": 4.25}
# If the chip cannot compute in a format, it unpacks to the next wider one.
PEAKS = {
    4: ("peak_fp4_dense_flop_per_s", "peak_fp8_dense_flop_per_s", "peak_fp16_dense_flop_per_s"),
    8: ("peak_fp8_dense_flop_per_s", "peak_fp16_dense_flop_per_s"),
    16: ("peak_fp16_dense_flop_per_s",),
}

INT4_BITS = 4 + 20 / 128
"""Bits per weight in AWQ and GPTQ: 4, with a 16-bit scale and a 4-bit zero point per 128 weights. [bit]"""

NF4_BITS = 4 + 8 / 64 + 32 / (64 * 256)
"""Bits per weight in NF4: 4, with an 8-bit scale per 64 weights and a 32-bit scale per 256 of these, or 4.127. Dettmers
et al., "QLoRA", arXiv:2305.14314, section 3, double quantization. [bit]"""

WORDS: dict[str, str] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
"""Common names of formats, keyed by the name in the table. They include those on /placement."""


@dataclass(frozen=True, kw_only=True)
class Format:
    """A number format with its exact bits per weight."""

    name: str
    bits_per_weight: float


def format_family(name: str) -> str:
    """Return how a format's weights are unpacked: ``16-bit``, ``8-bit``, a 4-bit kind, or ``""`` for no name.

    ``flat block 4-bit`` (Q4_0) has one scale per small block and ``block 4-bit`` (Q4_K_M) nested scales, which take
    longer to unpack; ``4-bit`` is group-wise.
    """
    text = name.strip().upper().replace(" ", "")
    if not text:
        return ""
    if text.startswith(("F16", "BF16", "FP16", "F32", "FP32")):
        return "16-bit"
    if text.startswith(("Q8", "INT8", "W8", "8-BIT")) or "FP8" in text:
        return "8-bit"
    if re.match(r"Q[45]_[01]", text):
        return "flat block 4-bit"
    if re.match(r"(I?Q[2-6]_|I?Q[2-6]$)", text):
        return "block 4-bit"
    return "4-bit"


_DIGITS = re.compile(
    r"(?<![A-Z0-9])(?:UD[-_ ]?)?(?:I?Q|INT|W|FP|BF|F|NF|MXFP|NVFP|TQ)?(32|16|[2-8])(?![0-9.])"
)
SCALES_BITS = 0.5
"""Bits per weight for the scales of small blocks, in formats of fewer than 8 bits. [bit]"""


def bits_of_name(name: str) -> float:
    """Return the bits per weight, including scales, implied by a format's name. NaN if the name implies none. [bit]

    ``Q4_K_XL`` is 4 bits plus scales, ``w8a8`` and ``FP8`` are 8, ``BF16`` is 16.
    """
    digits = _DIGITS.search(name.strip().upper())
    if digits is None:
        return math.nan
    bits = float(digits.group(1))
    return bits if bits >= 8 else bits + SCALES_BITS
