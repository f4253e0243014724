"""Chip and vendor of a device, parsed from its name."""

import re
from collections.abc import Sequence

BACKENDS = ("GPU", "CPU", "NPU")

MAKERS = {
    "Apple": r"\bApple\b",
    "AMD": r"\b(AMD|Radeon|Ryzen|EPYC|Instinct|RX)\b",
    "Intel": r"\b(Intel|Arc|Core Ultra)\b",
    "Qualcomm": r"Qualcomm|Snapdragon|Adreno|Galaxy S2[3-9] Ultra",
    "NVIDIA": r"\b(NVIDIA|GeForce|RTX|GTX|DGX|Jetson|Tesla|Quadro|Titan)\b",
}
"""Patterns of words in the names of each vendor's GPUs. The first match counts."""

CODES = {
    "Apple": r"(?<![\w-])M[1-9]\b|\bA1\d (Pro|Bionic)\b",
    "AMD": r"\b(R9700|MI\d{2,3}[AX]?|\d{3}M)\b",
    "NVIDIA": r"\b([APVHBTL]\d{1,3}[GS]?|(G[HB]|VR)\d{3})\b",
}
"""Patterns of each vendor's product codes, used if a name contains no word of :data:`MAKERS`."""

_CHIP = re.compile(
    r"\s*\(.*?\)|\s+\d+-Core GPU.*$|\s+\d+\s?GB\b.*$|(?<=Nano)\s+Super$"
    r"|^((NVIDIA|GeForce|AMD|Intel)\s+)+(Radeon\s+(?=RX\b))?|^Radeon\s+(?=RX\b)",
    re.IGNORECASE,
)


def chip(device: str) -> str:
    """Return the chip in a device's name, without its vendor, memory size or core count."""
    return _CHIP.sub("", device).strip()


def maker(device: str) -> str:
    """Return the vendor of a device, ignoring case. Empty if unknown."""
    patterns = [*MAKERS.items(), *CODES.items()]
    return next((name for name, pattern in patterns if re.search(pattern, device, re.IGNORECASE)), "")


def gpu_makers(devices: Sequence[str], backends: Sequence[str]) -> tuple[str, ...]:
    """Return the vendor of each case's GPU. Empty if it is unknown or there is no GPU."""
    pairs = zip(devices, backends, strict=True)
    return tuple(maker(device) if backend == "GPU" else "" for device, backend in pairs)
