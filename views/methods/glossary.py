"""What does each term of the product mean, in one line?"""

import re
from functools import cache

from views import written

TEXT = written.text(__file__, name="glossary.md")

FORMS = {
    "Adapters": ("adapter", "LoRA", "QLoRA"),
    "Arithmetic intensity": ("arithmetic intensity",),
    "Backtest": ("backtest",),
    "Bandwidth": ("memory bandwidth", "link bandwidth", "bandwidth"),
    "Batch": ("batch", "micro-batch", "critical batch"),
    "Bias": ("bias",),
    "Bootstrap": ("bootstrap",),
    "Break-even": ("break-even",),
    "Bubble": ("pipeline bubble", "bubble"),
    "Checkpoint": ("checkpoint",),
    "Collective": ("all-reduce", "all-to-all"),
    "Confidence interval": (
        "confidence interval",
        "prediction interval",
        "prediction band",
        "interval",
        "dark band",
        "light band",
    ),
    "Coverage": ("coverage",),
    "Decimal year": ("decimal year",),
    "Decode": ("decode", "decoding", "prefill"),
    "Dense, sparse": ("dense", "sparsity", "structured sparsity"),
    "Doubling time": ("doubling time",),
    "FlashAttention": ("FlashAttention",),
    "FLOP, FLOP/s": ("FLOP", "FLOP/s"),
    "Frontier": ("frontier",),
    "Goodput": ("goodput",),
    "Grouped-query attention": ("grouped-query attention", "multi-query attention", "latent attention"),
    "HBM, GDDR, LPDDR, DDR, SRAM": ("HBM", "GDDR", "LPDDR", "SRAM"),
    "Jitter": ("jitter",),
    "KV cache": ("KV cache",),
    "Latency": ("latency", "latency floor"),
    "Least squares": ("least squares", "least-squares", "Theil-Sen"),
    "Left out": ("set nothing",),
    "Machine balance": (
        "machine balance",
        "ridge point",
        "compute-to-memory ratio",
        "FLOP per byte",
        "balance",
    ),
    "Matrix unit": ("matrix unit", "tensor core"),
    "MFU, HFU, MBU": ("MFU", "HFU", "MBU", "model FLOP utilization"),
    "Mixture of experts": ("mixture of experts", "mixture-of-experts", "MoE"),
    "Order of magnitude": ("order of magnitude", "orders of magnitude"),
    "Parallelism": (
        "data parallelism",
        "tensor parallelism",
        "pipeline parallelism",
        "expert parallelism",
        "parallelism",
    ),
    "Parameters": ("parameter", "weights"),
    "Peak throughput": ("peak throughput", "peak rate"),
    "Precision": ("precision", "number format", "FP4", "FP8", "BF16", "INT8"),
    "PUE": ("PUE",),
    "Quantization": ("quantization", "quantized"),
    "Recomputation": ("recomputation", "activation recomputation", "gradient checkpointing"),
    "Roofline": ("roofline",),
    "Scale-up domain": ("scale-up domain",),
    "Speculative decoding": ("speculative decoding",),
    "Thermal design power": ("thermal design power",),
    "Time per output token": ("time per output token", "time to first token", "first token"),
    "Token": ("token",),
    "Training compute": ("training compute",),
    "Utilization": ("utilization",),
    "ZeRO, FSDP": ("ZeRO", "FSDP"),
}
"""The terms of art a page explains where they first stand, by the start of their entry, in the forms they stand in.

Entries left out (place, context, level, source) are also words of everyday.
"""


@cache
def entries() -> dict[str, str]:
    """Return what each entry says, as plain text, by its start: the terms before the first colon."""
    found: dict[str, str] = {}
    for line in re.sub(r"\n  ", " ", TEXT).strip().split("\n"):
        text = re.sub(r"\[(.+?)\]\(.*?\)", r"\1", line.removeprefix("- ")).replace("**", "")
        start, _, meaning = text.partition(": ")
        found[start] = meaning
    return found


def meaning(start: str) -> str:
    """Return the entry of a term, whole: its start, which may name other terms too, and what it means."""
    whole = next(entry for entry in entries() if re.match(rf"{re.escape(start)}(?:,|$)", entry))
    return f"{whole}: {entries()[whole]}"
