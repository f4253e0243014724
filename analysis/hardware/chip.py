"""The machine that a row of the accelerator table stands for."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.hardware.machine import Machine
from analysis.hardware.matmul_rates import matmul_share

FUSED_SINCE = 2022.4
"""FlashAttention came in May 2022 (arXiv:2205.14135); chips released later are taken to train with it. [year]"""

DOMAIN_SIZE = {
    "GB200": 72,
    "GB300": 72,
    # Google DeepMind, "How to Scale Your Model", chapter 2, https://github.com/jax-ml/scaling-book/blob/main/tpus.md
    "TPU v3": 1024,
    "TPU v4": 4096,
    # https://docs.cloud.google.com/tpu/docs/v5e, .../v5p and .../tpu7x, the last with v5p and v6e beside it
    "TPU v5e": 256,
    "TPU v5p": 8960,
    "TPU v6e": 256,
    "TPU v7": 9216,
    # One instance of 16; four make an UltraServer of 64. AWS Neuron documentation, Amazon EC2 Trn2 architecture
    "Trainium2": 16,
    # Generation 1 of the UltraServer; generation 2 joins 144. AWS Neuron documentation, Amazon EC2 Trn3 architecture
    "Trainium3": 64,
}
"""Accelerators that share the chip link, where it is not a server of eight. GB200 and GB300 are by their racks' name,
NVL72."""
SERVER_SIZE = 8

CHIP_LINK_BYTE_PER_S = {
    # Four links of 100 and six of 45 GB/s one way: "How to Scale Your Model", chapter 2 (address above).
    "TPU v3": 400e9,
    "TPU v4": 270e9,
    # 400 GB/s both ways: https://docs.cloud.google.com/tpu/docs/v5e
    "TPU v5e": 200e9,
    # 1,200 GB/s both ways: https://docs.cloud.google.com/tpu/docs/tpu7x
    "TPU v7": 600e9,
    # Seven links of 128 GB/s both ways: https://www.wheelersnetwork.com/2024/01/; MI325X taken as the MI300X.
    "MI300X": 448e9,
    "MI325X": 448e9,
    # Seven links of 153.6 GB/s both ways:
    # https://www.techaiapp.com/tech-ai-app/chips/amd-instinct-mi350x-series-ai-gpu-silicon-detailed/
    "MI350X": 537e9,
    "MI355X": 537e9,
    # Eight links of 50 GB/s a GPU of two dies, as the MI250X has in the table: ROCm documentation, gpu-arch/mi250;
    # the number of links that leave the package is an assumption.
    "MI250": 400e9,
    # 400 GB/s both ways: https://www.philisun.com/technical-analysis/nvidia-h800-vs-h100-a-technical-deep-dive-into-
    # politically-defined-ai-chips/ and https://techpowerup.com/news-tags/chip?page=8 (A800; of the H800 it speaks of
    # the PCIe card, at 300).
    "H800": 200e9,
    "A800": 200e9,
    # Assumed: as the H100.
    "H20": 450e9,
    # 21 ports of 200 and of 100 Gbit/s:
    # https://docs.habana.ai/en/latest/Management_and_Monitoring/Network_Configuration/
    "Gaudi 3": 525e9,
    "Gaudi 2": 262.5e9,
    # 1,024 GB/s a device within the instance (AWS Neuron documentation, Trn2 architecture) and 2,560 GB/s (Trainium3
    # architecture), read as both ways together.
    "Trainium2": 512e9,
    "Trainium3": 1280e9,
}
"""Per direction, all links of a chip together, where the table leaves it empty. [byte/s]"""
LINK_ASSUMED = frozenset({"H20", "MI250", "MI325X", "Trainium2", "Trainium3"})
"""Products whose link above rests on an assumption, which is said with the result."""
LINK_WHERE_UNKNOWN = 300e9
NETWORK_WHERE_UNKNOWN = {True: 50e9, False: 25e9}
"""One port of 400 Gbit/s an accelerator for chips since mid-2022, of 200 Gbit/s before; assumed. [byte/s]"""


COLUMN_WORDS = {
    "peak_fp16_dense_flop_per_s": "16-bit rate",
    "peak_fp8_dense_flop_per_s": "FP8 rate",
    "memory_bandwidth_byte_per_s": "memory bandwidth",
    "memory_capacity_byte": "memory capacity",
}
"""What a reader calls the columns that a machine cannot do without."""


class UnknownAccelerator(LookupError):  # noqa: N818 - the reader's word for it
    """No accelerator of the table is called so; the text names near ones."""


@dataclass(frozen=True, kw_only=True)
class Chip:
    """An accelerator's name, its machine, its power [W], and what had to be assumed about it."""

    name: str
    machine: Machine
    power_w: float
    assumed: tuple[str, ...]


def _known(value: Any) -> float | None:
    number = float(value) if value is not None and value != "" else math.nan
    return number if math.isfinite(number) and number > 0 else None


def chip_of(
    row: Mapping[str, Any], *, released_year: float, precision: str = "fp16", fused: bool | None = None
) -> Chip:
    """Return the machine of one accelerator, from its row in the table of accelerators.

    ``fused`` says whether attention is fused; None takes the chip's time for it. What the row leaves open is
    assumed, and said.

    Raises
    ------
    ValueError
        If the row has no rate at the precision, no bandwidth or no capacity.
    """
    product = str(row["product"])
    found = {
        name: _known(row.get(name))
        for name in (
            f"peak_{precision}_dense_flop_per_s",
            "memory_bandwidth_byte_per_s",
            "memory_capacity_byte",
        )
    }
    missing = [name for name, value in found.items() if value is None]
    if missing:
        raise ValueError(
            f"{product} has no {' and no '.join(COLUMN_WORDS[name] for name in missing)} in this release; choose "
            f"another accelerator{' or 16-bit products' if precision == 'fp8' else ''}."
        )
    peak, bandwidth, capacity = (float(value or 0) for value in found.values())
    later = released_year >= FUSED_SINCE
    share = matmul_share(product, precision=precision)
    assumed = [] if share.measured else [f"matrix rate {share.share:.0%} of peak, {share.of}"]
    stated = _known(row.get("chip_link_bandwidth_byte_per_s"))
    link = stated or _listed(CHIP_LINK_BYTE_PER_S, product) or LINK_WHERE_UNKNOWN
    if stated is None and (product in LINK_ASSUMED or _listed(CHIP_LINK_BYTE_PER_S, product) is None):
        assumed.append(f"chip link {link / 1e9:.0f} GB/s per direction")
    network = _known(row.get("network_link_bandwidth_byte_per_s"))
    if network is None:
        network = NETWORK_WHERE_UNKNOWN[later]
        assumed.append(f"network {network * 8 / 1e9:.0f} Gbit/s per accelerator")
    power = _known(row.get("power_w"))
    if power is None:
        power = 500.0
        assumed.append("power 500 W")
    domain = _listed(DOMAIN_SIZE, product)
    return Chip(
        name=product,
        machine=Machine(
            peak_flop_per_s=peak,
            matmul_flop_per_s=peak * share.share,
            memory_bandwidth_byte_per_s=bandwidth,
            memory_capacity_byte=capacity,
            link_bandwidth_byte_per_s=link,
            network_bandwidth_byte_per_s=network,
            domain_size=int(domain or SERVER_SIZE),
            fused_attention=later if fused is None else fused,
            before_hopper=not later,
            element_byte=1.0 if precision == "fp8" else 2.0,
        ),
        power_w=power,
        assumed=tuple(assumed),
    )


def _listed(values: Mapping[str, float], product: str) -> float | None:
    for name in (product, product.split()[0]):
        if name in values:
            return values[name]
    return None


def find(wanted: str, *, rows: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return the row a name means: "H100" is H100 SXM, "A100-SXM-80GB" the 80 GB A100.

    Exact products come first; else every word asked for must be in the name, and the board for servers (SXM)
    with the most memory is taken.

    Raises
    ------
    UnknownAccelerator
        If there is none; the message names near ones.
    """
    words = _words(wanted)
    exact = [row for row in rows if words and _words(str(row["product"])) == words]
    if exact:
        return max(exact, key=_preference)
    inside = [row for row in rows if words and set(words) <= set(_words(f"{row['product']} {row['name']}"))]
    if inside:
        return max(inside, key=_preference)
    near = sorted(
        {str(row["product"]) for row in rows if set(words) & set(_words(f"{row['product']} {row['name']}"))}
    )
    told = f"near: {', '.join(near[:8])}" if near else "for example A100 80 GB, H100 SXM, TPU v4"
    raise UnknownAccelerator(f"no accelerator is called {wanted!r}; {told}.")


def _words(text: str) -> tuple[str, ...]:
    text = re.sub(r"(\d)\s*gb\b", r"\1gb", text.lower())
    text = re.sub(
        r"\bsxm\d\b", "sxm", re.sub(r"\bnvidia\b|\bgoogle\b|\bamd\b|\binstinct\b|\bgpu\b", " ", text)
    )
    text = re.sub(r"\btpu[ _-]?v", "tpu v", text)
    return tuple(sorted(re.findall(r"[a-z0-9]+", text)))


def _preference(row: Mapping[str, Any]) -> tuple[bool, bool, float, bool]:
    name = f"{row['product']} {row['name']}"
    known = _known(row.get("memory_capacity_byte")) or 0.0
    has_rate = _known(row.get("peak_fp16_dense_flop_per_s")) is not None
    return has_rate, "SXM" in name, known, _known(row.get("chip_link_bandwidth_byte_per_s")) is not None
