"""The work that stands on a roofline: each kind with its arithmetic intensity and what it assumes."""

from dataclasses import dataclass

from analysis.hardware import roofline

HIDDEN, FEED_FORWARD = 8192, 28672
HEADS, KEY_VALUE_HEADS, HEAD_SIZE = 64, 8, 128
CONTEXT_TOKENS = 8192
EXPERTS, ACTIVE_EXPERTS = 256, 8
EXPERT_HIDDEN, EXPERT_FEED_FORWARD = 7168, 2048
SIZES = (
    f"A dense layer of hidden size {HIDDEN:,} and feed-forward size {FEED_FORWARD:,}, {HEADS} query and "
    f"{KEY_VALUE_HEADS} key-value heads of size {HEAD_SIZE} (as Llama 3 70B); a mixture of {EXPERTS} "
    f"experts, {ACTIVE_EXPERTS} active, {EXPERT_HIDDEN:,} by {EXPERT_FEED_FORWARD:,} (as DeepSeek-V3)."
)
BYTE_OF = {"fp32": 4.0, "tf32": 4.0, "fp16": 2.0, "fp8": 1.0, "int8": 1.0, "fp4": 0.5}
"""Size of an operand in each format. [byte]"""


@dataclass(frozen=True, kw_only=True)
class Workload:
    """One kind of work: its intensity [FLOP/byte], what it assumes, and whether batching can raise it."""

    name: str
    intensity: float
    assumes: str
    tokens: int | None = None


def _linear(tokens: float, operand_byte: float) -> float:
    return float(
        roofline.matrix_intensity(
            rows=tokens,
            inner=HIDDEN,
            columns=FEED_FORWARD,
            weight_byte=operand_byte,
            activation_byte=max(operand_byte, 1.0),
        )
    )


def _experts(tokens: float, operand_byte: float) -> float:
    return float(
        roofline.expert_layer_intensity(
            tokens=tokens,
            experts=EXPERTS,
            active=ACTIVE_EXPERTS,
            inner=EXPERT_HIDDEN,
            columns=EXPERT_FEED_FORWARD,
            weight_byte=operand_byte,
            activation_byte=max(operand_byte, 1.0),
        )
    )


def cache_intensity(*, precision: str) -> float:
    """Return the intensity of reading the KV cache at a precision, of at least one byte. [FLOP/byte]"""
    return roofline.decode_attention_intensity(
        query_heads=HEADS, key_value_heads=KEY_VALUE_HEADS, cache_byte=max(BYTE_OF[precision], 1.0)
    )


def workloads(*, precision: str, batch: int, prompt: int, tokens: int) -> tuple[Workload, ...]:
    """Return the work placed on the roofline at a precision, least intense first.

    ``batch`` requests decode together, ``prompt`` tokens are read at once, ``tokens`` are trained per device.
    """
    operand = BYTE_OF[precision]
    activation = max(operand, 1.0)
    found = (
        Workload(
            name="Optimizer step",
            intensity=roofline.optimizer_intensity(),
            assumes="Adam, 16-bit weights with 32-bit copies",
        ),
        Workload(
            name="Decode, reading the KV cache",
            intensity=cache_intensity(precision=precision),
            assumes=f"{HEADS} query and {KEY_VALUE_HEADS} key-value heads; batching does not change it",
        ),
        Workload(
            name="Decode, one request", intensity=_linear(1, operand), assumes="one token at a time", tokens=1
        ),
        Workload(
            name=f"Decode, batch {batch:,}",
            intensity=_linear(batch, operand),
            assumes=f"{batch:,} requests share each reading of the weights",
            tokens=batch,
        ),
        Workload(
            name=f"Experts, batch {batch:,}",
            intensity=_experts(batch, operand),
            assumes=f"{ACTIVE_EXPERTS} of {EXPERTS} experts a token, routed evenly",
            tokens=batch,
        ),
        Workload(
            name="Attention, unfused",
            intensity=roofline.unfused_attention_intensity(
                tokens=CONTEXT_TOKENS, head_size=HEAD_SIZE, activation_byte=activation
            ),
            assumes=f"{CONTEXT_TOKENS:,} tokens, the score matrix written to memory",
        ),
        Workload(
            name=f"Prefill, {prompt:,} tokens",
            intensity=_linear(prompt, operand),
            assumes=f"a prompt of {prompt:,} tokens read at once",
            tokens=prompt,
        ),
        Workload(
            name="Attention, fused",
            intensity=roofline.fused_attention_intensity(
                tokens=CONTEXT_TOKENS, head_size=HEAD_SIZE, activation_byte=activation
            ),
            assumes=f"{CONTEXT_TOKENS:,} tokens, scores kept on the chip",
        ),
        Workload(
            name="Training matmul",
            intensity=_linear(tokens, operand),
            assumes=f"{tokens:,} tokens per device",
            tokens=tokens,
        ),
    )
    return tuple(sorted(found, key=lambda work: work.intensity))


def tokens_to_fill(machine_balance: float, *, precision: str) -> float:
    """Return how many tokens the dense layer needs at once to be bound by compute; inf if none. [tokens]"""
    operand = BYTE_OF[precision]
    return float(
        roofline.tokens_to_fill(
            machine_balance,
            inner=HIDDEN,
            columns=FEED_FORWARD,
            weight_byte=operand,
            activation_byte=max(operand, 1.0),
        )
    )
