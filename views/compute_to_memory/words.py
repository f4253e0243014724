"""The work on a roofline in words: what each kind is called, and what it assumes."""

from collections.abc import Mapping

from analysis.hardware.workloads import (
    ACTIVE_EXPERTS,
    CONTEXT_TOKENS,
    EXPERT_FEED_FORWARD,
    EXPERT_HIDDEN,
    EXPERTS,
    FEED_FORWARD,
    HEAD_SIZE,
    HEADS,
    HIDDEN,
    KEY_VALUE_HEADS,
    Kind,
    Workload,
)

SIZES = (
    f"A dense layer of hidden size {HIDDEN:,} and feed-forward size {FEED_FORWARD:,}, {HEADS} query and "
    f"{KEY_VALUE_HEADS} key-value heads of size {HEAD_SIZE} (as Llama 3 70B); a mixture of {EXPERTS} "
    f"experts, {ACTIVE_EXPERTS} active, {EXPERT_HIDDEN:,} by {EXPERT_FEED_FORWARD:,} (as DeepSeek-V3)."
)
_NAMES: Mapping[Kind, str] = {
    "optimizer": "Optimizer step",
    "decode-cache": "Decode, reading the KV cache",
    "decode-one": "Decode, one request",
    "decode-batch": "Decode, batch {:,}",
    "experts": "Experts, batch {:,}",
    "attention-unfused": "Attention, unfused",
    "prefill": "Prefill, {:,} tokens",
    "attention-fused": "Attention, fused",
    "training": "Training matmul",
}
_ASSUMED: Mapping[Kind, str] = {
    "optimizer": "Adam, 16-bit weights with 32-bit copies",
    "decode-cache": f"{HEADS} query and {KEY_VALUE_HEADS} key-value heads; batching does not change it",
    "decode-one": "one token at a time",
    "decode-batch": "{:,} requests share each reading of the weights",
    "experts": f"{ACTIVE_EXPERTS} of {EXPERTS} experts a token, routed evenly",
    "attention-unfused": f"{CONTEXT_TOKENS:,} tokens, the score matrix written to memory",
    "prefill": "a prompt of {:,} tokens read at once",
    "attention-fused": f"{CONTEXT_TOKENS:,} tokens, scores kept on the chip",
    "training": "{:,} tokens per device",
}


def work_name(work: Workload) -> str:
    """Return what a kind of work is called, with its tokens or requests where they tell it from others."""
    return _NAMES[work.kind].format(work.tokens)


def work_assumes(work: Workload) -> str:
    """Return what the intensity of a kind of work assumes."""
    return _ASSUMED[work.kind].format(work.tokens)
