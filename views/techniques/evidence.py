"""What is known of each technique: its name, what it costs, its quality as published, and what it does not do."""

from dataclasses import dataclass

from analysis.techniques.catalogue import (
    ACTIVE_EXPERTS,
    DRAFT_TOKENS,
    EXPERTS,
    GROUPS,
    MEMORY_STEPS,
    REQUESTS,
)
from analysis.techniques.setup import PHASES, Phase


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """A technique in words: label, meaning, price, published quality with its source.

    ``limit`` is told in its phases, ``costly`` only where the technique costs what it is meant to save.
    """

    label: str
    meaning: str
    costs: str
    quality: str
    source: str
    idle: str = "This phase does not use what it changes."
    acts_on: str = "the technique acts on something else"
    limit: str = ""
    limit_phases: tuple[Phase, ...] = PHASES
    costly: str = ""
    plural: bool = False


ARXIV = "https://arxiv.org/abs/"

# Read in the abstract or a quotation of it: FP8 (training, and inference of Llama 3.1), INT8, GPTQ, KIVI, KVQuant,
# 8-bit gradients, Mixtral, LoRA, QLoRA, mixed precision, 8-bit Adam, checkpointing, speculative decoding.
# Read in the paper's table or text, or a copy: grouped-query attention (table 1), latent attention (introduction),
# FlashAttention (figure 2), SVD-LLM at 20 % (whitening only) and LLaMA-7B's 5.68, QLoRA's "commonly used 0.2 %",
# ZeRO's traffic (sections 7.2.1 and 7.2.2), batching (section 2.3).
# Assumed, ours: a dense model is better than a mixture of its size in all; caches at 8 and 4 bits are no worse than
# at the fewer bits published; the draft's 5 % and 80 %.

EVIDENCE: dict[str, Evidence] = {
    "mixed-precision": Evidence(
        label="16 bits instead of 32",
        plural=True,
        meaning="weights, activations and matrix products in FP16 or BF16, 32-bit master weights in training",
        costs="loss scaling with FP16; a 32-bit copy of the weights in training",
        quality="no accuracy lost, no hyperparameter changed, in the paper's tasks",
        source=f"{ARXIV}1710.03740",
        limit="16 bits do not halve Adam's training state: it takes 16 byte a parameter either way.",
    ),
    "fp8-weights": Evidence(
        label="FP8 weights",
        plural=True,
        meaning="8 bits a weight",
        acts_on="smaller weights only shorten reading",
        costs="scales to choose; in training the master weights stay",
        quality="no loss to speak of in Llama 3.1 of every size, activations in FP8 too",
        source=f"{ARXIV}2411.02355",
    ),
    "int8-weights": Evidence(
        label="INT8 weights",
        plural=True,
        meaning="8 bits a weight, whole numbers",
        acts_on="smaller weights only shorten reading",
        costs="outlier columns kept at 16 bits",
        quality="no loss seen up to 175 billion parameters",
        idle="Training needs finer weights than this; see FP8 weights and QLoRA.",
        source=f"{ARXIV}2208.07339",
    ),
    "int4-weights": Evidence(
        label="4-bit weights",
        plural=True,
        meaning="4 bits a weight and a scale for every 128",
        acts_on="smaller weights only shorten reading",
        costs="calibration; unpacking before each product",
        quality="negligible loss up to 175 billion parameters (GPTQ)",
        idle="Training needs finer weights than this; see FP8 weights and QLoRA.",
        source=f"{ARXIV}2210.17323",
    ),
    "fp8-compute": Evidence(
        label="FP8 matrix products",
        plural=True,
        meaning="products and activations in 8 bits, where the chip can",
        acts_on="faster products only shorten computing",
        costs="scaling of activations",
        quality="training in FP8 matches 16 bits",
        source=f"{ARXIV}2209.05433",
    ),
    "8-bit-cache": Evidence(
        label="8-bit KV cache",
        meaning="8 bits a number of the KV cache",
        acts_on="a smaller cache only shortens reading",
        costs="scaling of keys and values",
        quality="almost the same with as few as 2 bits (KIVI); at 8 bits assumed no worse",
        source=f"{ARXIV}2402.02750",
        idle="Training keeps no KV cache.",
    ),
    "4-bit-cache": Evidence(
        label="4-bit KV cache",
        meaning="4 bits a number of the KV cache",
        acts_on="a smaller cache only shortens reading",
        costs="outliers kept apart",
        quality="under 0.1 perplexity at 3 bits (KVQuant); at 4 bits assumed no worse",
        source=f"{ARXIV}2401.18079",
        idle="Training keeps no KV cache.",
    ),
    "8-bit-optimizer": Evidence(
        label="8-bit Adam",
        meaning="Adam's mean and variance in 8 bits, the 32-bit weight stays",
        costs="block-wise scaling in each step",
        quality="as good as 32-bit Adam, from GLUE to a language model of 1.5 billion parameters",
        source=f"{ARXIV}2110.02861",
        idle="Inference has no optimizer.",
    ),
    "experts": Evidence(
        label="Mixture of experts",
        meaning=f"a dense model cut into {EXPERTS} experts, {ACTIVE_EXPERTS} of them active; a mixture against a "
        "dense model of its size",
        costs="routing, and an all-to-all where experts lie on different chips",
        quality="Mixtral 8x7B matches or beats Llama 2 70B; of equal size in all, dense is assumed better",
        source=f"{ARXIV}2401.04088",
        limit="A mixture of experts does not shrink memory: every expert stays resident.",
    ),
    "grouped-query": Evidence(
        label="Grouped-query attention",
        meaning=f"the model's own key-value heads, or {GROUPS}, instead of one for each query head",
        acts_on="fewer key-value heads only shrink the cache",
        costs="training anew, or 5 % of it",
        quality="47.1 against 47.2 on average with all heads (T5-XXL)",
        source=f"{ARXIV}2305.13245",
        limit="Its saving grows with context; the weights stay as they are.",
    ),
    "latent-attention": Evidence(
        label="Latent attention",
        meaning="one latent vector of 512 and 64 rotary numbers a layer instead of keys and values",
        costs="more operations for each cached token",
        quality="better than all heads in DeepSeek-V2's own comparison",
        source=f"{ARXIV}2405.04434",
        limit="It saves cache and costs operations.",
    ),
    "flash-attention": Evidence(
        label="FlashAttention",
        meaning="scores stay on the chip instead of being written to memory",
        costs="13 % more operations forward and backward (75.2 instead of 66.6 GFLOP)",
        quality="exact: 4.4 instead of 40.3 GB moved, 7.3 instead of 41.7 ms (GPT-2 medium, A100)",
        source=f"{ARXIV}2205.14135",
        idle="One new token has a row of scores, not a square of them.",
    ),
    "checkpointing": Evidence(
        label="Gradient checkpointing",
        meaning="each layer keeps its input only and is computed again",
        costs="a further forward pass: a third more operations",
        quality="exact: 7 instead of 48 GB for 30 % more time (a residual network of 1,000 layers)",
        source=f"{ARXIV}1604.06174",
        idle="Inference has no backward pass to keep anything for.",
    ),
    "zero-1": Evidence(
        label="ZeRO stage 1",
        meaning="optimizer states split over the chips",
        acts_on="splitting states saves memory, not time",
        costs="nothing but code: the traffic of plain data parallelism",
        quality="exact",
        source=f"{ARXIV}1910.02054",
        idle="It needs several chips in training.",
    ),
    "zero-2": Evidence(
        label="ZeRO stage 2",
        meaning="gradients split over the chips too",
        acts_on="splitting states saves memory, not time",
        costs="nothing but code: the traffic of plain data parallelism",
        quality="exact",
        source=f"{ARXIV}1910.02054",
        idle="It needs several chips in training.",
    ),
    "zero-3": Evidence(
        label="ZeRO stage 3 (FSDP)",
        meaning="weights split over the chips too",
        costs="half as much traffic again between chips",
        quality="exact",
        source=f"{ARXIV}1910.02054",
        idle="It needs several chips in training.",
    ),
    "gradient-compression": Evidence(
        label="8-bit gradients",
        plural=True,
        meaning="gradients exchanged in 8 bits",
        acts_on="smaller gradients only shorten the exchange",
        costs="compressing and expanding in each step",
        quality="no loss seen on image tasks (MNIST, CIFAR10, ImageNet)",
        source=f"{ARXIV}1511.04561",
        idle="The exchange is already hidden behind computing, or there is none.",
    ),
    "low-rank": Evidence(
        label="Low-rank weights",
        plural=True,
        meaning="a fifth fewer weights by factors of lower rank",
        costs="a decomposition of every matrix",
        quality="perplexity of LLaMA-7B 7.94 instead of 5.68 (SVD-LLM, 20 % fewer)",
        source=f"{ARXIV}2403.07378",
    ),
    "speculative": Evidence(
        label="Speculative decoding",
        meaning=f"{DRAFT_TOKENS} tokens proposed by a draft model 5 % as large, each accepted with 80 % (assumed)",
        costs="the draft model in memory; operations for tokens thrown away",
        quality="exact: the same distribution, two to three times as fast (T5-XXL)",
        source=f"{ARXIV}2211.17192",
        idle="A prompt's tokens are known already.",
        costly="With so large a batch computing binds, and tokens thrown away cost time.",
    ),
    "batching": Evidence(
        label="Batching",
        meaning=f"the batch set, or {REQUESTS}, instead of one request at a time",
        acts_on="the weights are read once for a whole prompt or batch already",
        costs="each request waits for the others; a KV cache for each",
        quality="exact",
        source=f"{ARXIV}2309.06180",
        limit="It saves nothing of the KV cache, which each request has to itself; each request waits for the others.",
        limit_phases=("decode", "prefill"),
    ),
    "lora": Evidence(
        label="LoRA",
        meaning="0.2 % of the parameters are trained",
        costs="only for fine-tuning",
        quality="on a par with full fine-tuning of GPT-3",
        source=f"{ARXIV}2106.09685",
        idle="It changes how a model is trained, not how it runs.",
    ),
    "qlora": Evidence(
        label="QLoRA",
        meaning="0.2 % of the parameters are trained, the rest frozen in 4 bits",
        costs="only for fine-tuning; unpacking before each product",
        quality="matches 16-bit fine-tuning; 65 billion parameters on one 48 GB card",
        source=f"{ARXIV}2305.14314",
        idle="It changes how a model is trained; for running, see 4-bit weights.",
    ),
    "memory-generation": Evidence(
        label="Next memory generation",
        meaning="what follows the chip's memory: "
        + ", ".join(f"{new} after {old} {step:.2f}×" for old, (new, step) in MEMORY_STEPS.items()),
        acts_on="faster memory only shortens reading",
        costs="new chips",
        quality="exact",
        source="https://www.jedec.org/standards-documents/docs/jesd270-4",
        idle="Memory on the chip itself has no next generation of its own.",
    ),
    "link-generation": Evidence(
        label="Next chip link",
        meaning="twice the bandwidth between chips, as NVLink 5 over NVLink 4",
        acts_on="a faster link only shortens the exchange",
        costs="new chips",
        quality="exact",
        source="https://www.nvidia.com/en-us/data-center/nvlink/",
        idle="One chip does the work here, or the exchange is hidden behind computing.",
    ),
}
