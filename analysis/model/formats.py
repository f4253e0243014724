"""Number formats of weights: their bits, how they are unpacked, the peak they compute at, what people call them."""

import math
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

SERVED_BITS_PER_WEIGHT = {"FP16": 16.0, "BF16": 16.0, "FP8": 8.0, "NVFP4": 4.5, "MXFP4": 4.25}
# Where the chip cannot compute in a format, it unpacks to the next wider one.
PEAKS = {
    4: ("peak_fp4_dense_flop_per_s", "peak_fp8_dense_flop_per_s", "peak_fp16_dense_flop_per_s"),
    8: ("peak_fp8_dense_flop_per_s", "peak_fp16_dense_flop_per_s"),
    16: ("peak_fp16_dense_flop_per_s",),
}

INT4_BITS = 4 + 20 / 128
"""Per weight: 4 bits, a 16-bit scale and a 4-bit zero point for 128 of them, as AWQ and GPTQ keep them. [bit]"""

NF4_BITS = 4 + 8 / 64 + 32 / (64 * 256)
"""Per weight: 4 bits, an 8-bit scale for 64 of them, a 32-bit scale for 256 of those; 4.127.
Dettmers et al., "QLoRA", arXiv:2305.14314, section 3, double quantization. [bit]"""

WORDS: dict[str, str] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
"""What people call formats, and the page of /placement among them, by the name in the table."""


@dataclass(frozen=True, kw_only=True)
class Format:
    """A number format with its true bits per weight."""

    name: str
    bits_per_weight: float


def format_family(name: str) -> str:
    """Return how weights of a format are unpacked: ``16-bit``, ``8-bit``, one of three kinds of 4-bit, or ``""``.

    ``flat block 4-bit`` (Q4_0) has one scale in every small block, ``block 4-bit`` (Q4_K_M) scales of scales, which
    take longer to unpack; ``4-bit`` is group-wise.
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
"""Per weight: what the scales of small blocks of weights of fewer than 8 bits take. [bit]"""


def bits_of_name(name: str) -> float:
    """Return the bits of a weight that a format's name tells, scales counted; NaN where it tells none. [bit]

    ``Q4_K_XL`` is 4 bits and their scales, ``w8a8`` and ``FP8`` 8, ``BF16`` 16.
    """
    digits = _DIGITS.search(name.strip().upper())
    if digits is None:
        return math.nan
    bits = float(digits.group(1))
    return bits if bits >= 8 else bits + SCALES_BITS
