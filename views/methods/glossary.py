"""What does each term of the product mean, in one line?"""

import re
from functools import cache

TEXT = """
- **Accelerator, chip**: a processor made for the arithmetic of neural networks; one row per product.
- **Adapters**: small matrices trained beside frozen weights of 16 (**LoRA**) or 4 bits (**QLoRA**).
- **Arithmetic intensity**: work's floating-point operations per byte it moves. [FLOP/byte]
- **Backtest**: a forecast made with the data of a past day (its **origin**), compared with what followed.
- **Bandwidth**: bytes a second. **Memory bandwidth**: between a chip and its memory; **link bandwidth**:
  between chips, per direction and device. [byte/s]
- **Batch**: what is worked on together: requests when serving, tokens of one optimizer step in training; a
  **micro-batch** is what a chip works on at once, a **ramp** lets the batch grow at the start of a run. Beyond
  the **critical batch** more tokens are needed to the same loss.
- **Bias**: the median of errors with their sign: whether predictions are too high or too low as a rule.
- **Bootstrap**: drawing the rows anew many times, with replacement, and fitting each draw: how far the fits
  differ gives the interval.
- **Break-even**: the load, or share, from which one place costs less than another.
- **Bubble**: the time in which pipeline stages wait for their first and after their last micro-batch;
  **interleaving** gives each stage several pieces of the model, which shortens it.
- **Capacity**: how much a chip's memory holds. [byte, decimal]
- **Checkpoint**: the saved state of a training run, from which it restarts after a failure.
- **Collective**: an exchange among many chips. An **all-reduce** leaves all with the sum of what each had, along
  a **ring** (each sends to the next) or a **tree**; in an **all-to-all** each sends every other its own part.
- **Confidence grade**: how sure a row is: confident, likely or speculative.
- **Confidence interval**: where a rate or a trend should lie; **prediction interval**: where a new point should
  fall. Each has a **level**, such as 90 %.
- **Context**: the tokens a model looks back on while it writes one.
- **Coverage**: how often an interval held what it was to hold.
- **Decimal year**: a date as a number, every year by its own length.
- **Decode**: writing an answer token by token; **prefill**: reading the prompt at once.
- **Dense, sparse**: counted with every weight, or with the zeros of 2:4 sparsity left out. Ours is dense.
- **Doubling time**: how long growth takes to double a value. [year]
- **Edge, cloud**: a reader's own devices and on-premises machines; accelerators rented elsewhere.
- **Estimate**: whether a number is reported, derived from others, or estimated.
- **FlashAttention**: attention in one kernel that never writes its scores to memory, and so **fused**.
- **FLOP, FLOP/s**: a floating-point operation, and how many of them a second.
- **Frontier**: the runs, or chips, among the top k at their release.
- **Gap**: growth of compute over growth of bandwidth, at one of [three levels](/growth-gap).
- **Goodput**: the share of a run's time that counts after failures, restarts and checkpoints.
- **Grouped-query attention**: query heads share keys and values in groups; in **multi-query attention** all
  share one, in **latent attention** keys and values are kept as one short vector per token.
- **HBM, GDDR, LPDDR, DDR, SRAM**: kinds of memory: stacked beside the chip, for graphics, for phones, for
  servers, and on the chip itself.
- **Horizon**: how far ahead of its origin a forecast is checked. [year]
- **Jitter**: how much the time of one chip's step varies; every step waits for the slowest chip.
- **KV cache**: what a model keeps of earlier tokens so as not to read them again. [byte]
- **Latency**: how long an answer takes; its **floor** is what no software on the same chips and bytes can beat.
- **Least squares**: the straight line with the smallest squared error; **Theil-Sen**: the median slope of all
  pairs of points, which outliers hardly move.
- **Left out**: a row is predicted without its chip, model or source when the fit, and the interval, are made again
  from all other rows; it then **set nothing**.
- **Machine balance**, also compute-to-memory ratio: a chip's FLOP/s over its bandwidth; on a roofline the
  **ridge point**. [FLOP/byte]
- **Matrix unit**: the part of a chip that multiplies small matrices in one step, also called tensor core.
- **MFU, HFU, MBU**: share of peak FLOP/s that a model's own operations reach; the same with recomputed ones;
  share of peak bandwidth. [1]
- **Mixture of experts**: a model that uses only some of its parameters (the **active** ones) for a token.
- **Order of magnitude**: a factor of ten.
- **Parallelism**: sharing work among chips: **data** (each has a batch), **tensor** (each has a part of a
  layer), **pipeline** (each has some layers), **expert** (each has some experts), **context** (each has a part
  of the sequence).
- **Parameters**: the numbers a model has learnt, its weights.
- **Peak throughput**: the most operations a second a chip can do, at one **precision**. [FLOP/s]
- **Place**: a device or accelerator where work can run, in [edge or cloud](/placement); what **limits** it is what
  keeps it from being faster or from doing the work.
- **Precision**: the format of a number: FP32, TF32, FP16 or BF16, FP8, FP4, INT8.
- **Projection**: a trend carried beyond its last point; past half its span it is arithmetic, not a forecast.
- **PUE**: what a data centre draws over what its computers draw. [1]
- **Quantization**: storing numbers in fewer bits.
- **Recomputation**, also gradient checkpointing: forming activations again in the backward pass in place of
  keeping them; **full** for whole layers, **selective** for the core of attention.
- **Release**: a frozen pair of [tables](/data); a link names its own.
- **Roofline**: the throughput that compute and memory both allow, by arithmetic intensity.
- **Scale-up domain**: the chips that share the fast chip link: a server of eight, a rack of 72, a TPU pod.
- **Source, locator**: where a row is from, and the place in it.
- **Speculative decoding**: a small model drafts tokens, the large one checks several at once.
- **Sustained speed**: what a phone keeps after minutes of work, when heat has slowed it down.
- **Thermal design power**: the most power that a chip's cooling is built for. [W]
- **Time per output token**, **time to first token**: seconds between two tokens, and before the first; **output
  tokens per second** is how fast an answer, or all together, are written.
- **Token**: a piece of text that a model reads or writes at once, about three quarters of an English word.
- **Training compute**: the operations of the final [training run](/training-compute). [FLOP]
- **Utilization**: reached over peak.
- **Verdict**: what we compute says of a published [statement](/claims): supported, off, wrong, or not
  checkable.
- **Yearly growth**: the factor by which a value grows in a year (4.7×); its **slope** is the base-ten
  logarithm.
- **ZeRO, FSDP**: each chip keeps only its share of optimizer states (stage 1), gradients (2), weights (3).
"""

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
