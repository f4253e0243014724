"""What a server needs to know of a model in its format and of one request, without any accelerator."""

from dataclasses import dataclass

from analysis.arrays import FloatArray, Rows
from analysis.model.architecture import Architecture
from analysis.model.kv_cache import kv_cache_byte, kv_read_byte, state_byte, tokens_attended

Number = float | FloatArray

COMMON_BITS = {"NVFP4": 8.0, "MXFP4": 16.0}
"""Bits of a mixture's weights that are no experts, where its experts have 4: checkpoints keep them wider. [bit]"""
CONTEXT_KEPT = 0.6  # of an answer is kept on average, with what an engine keeps free
LEAST_COMMON = 0.003  # of all parameters are no experts, whatever a table says


@dataclass(frozen=True, kw_only=True)
class ServingWork(Rows):
    """A model as it is served, and one request to it; numbers are floats or arrays that broadcast against places.

    Layers are counted once; ``expert_parameters`` are those of one expert in one layer, ``routed_parameters`` of all in
    all layers, ``common_parameters`` all others without embeddings: ``embedding_parameters`` are kept, of the input and
    the output, one where both share it, ``output_parameters`` read at each step. A dense model has one expert, of no
    parameters.
    ``cache_shards`` is over how many chips the cache can be split. The numbers of the cache are those a token reads
    halfway through its answer and those a request keeps on average, beside ``state_byte``, which linear layers
    keep in any width; ``prompt_attention_flop`` is of a prompt. ``bits`` are of the experts' weights, or of all in a
    dense model.
    """

    model: str
    format_name: str
    bits: float
    common_bits: float
    latent: bool
    cache_shards: float
    n_experts: float
    n_active: float
    n_shared: float
    n_layers: Number
    n_expert_layers: Number
    hidden: Number
    expert_size: Number
    expert_parameters: Number
    routed_parameters: Number
    common_parameters: Number
    output_parameters: Number
    embedding_parameters: Number
    cache_read_numbers: Number
    cache_kept_numbers: Number
    state_byte: Number
    prompt_attention_flop: Number

    @property
    def weights_byte(self) -> Number:
        """Return what the weights weigh, embeddings at 16 bits a number. [byte]"""
        common = self.common_parameters * self.common_bits / 8 + 2 * self.embedding_parameters
        return common + self.routed_parameters * self.bits / 8

    def cache_read_byte(self, byte_per_number: Number) -> Number:
        """Return what one token reads of the cache halfway through its answer. [byte]"""
        return self.cache_read_numbers * byte_per_number + self.state_byte

    def cache_kept_byte(self, byte_per_number: Number) -> Number:
        """Return what a request keeps of the cache on average. [byte]"""
        return self.cache_kept_numbers * byte_per_number + self.state_byte


def serving_work(
    model: Architecture,
    *,
    format_name: str,
    bits: float,
    prompt_tokens: float,
    output_tokens: float,
    cached_tokens: float = 0.0,
) -> ServingWork:
    """Return what serving a model in this format asks; ``cached_tokens`` are in the cache from earlier turns."""
    mixture = model.is_mixture
    expert_layers = model.n_layers * model.mixture_share if mixture else 0.0
    routed = expert_layers * model.n_experts * model.expert_parameters if mixture else 0.0
    embeddings = model.embedding_parameters + model.output_parameters
    whole = prompt_tokens + cached_tokens
    state = state_byte(model)
    attended = float(tokens_attended(model, cached_tokens + prompt_tokens / 2))
    return ServingWork(
        model=model.name,
        format_name=format_name,
        bits=bits,
        common_bits=COMMON_BITS.get(format_name, bits) if mixture else bits,
        latent=model.latent is not None,
        cache_shards=1.0 if model.latent else float(model.key_value_heads),
        n_experts=float(model.n_experts) if mixture else 1.0,
        n_active=float(model.n_active_experts) if mixture else 1.0,
        n_shared=float(model.n_shared_experts),
        n_layers=float(model.n_layers),
        n_expert_layers=expert_layers,
        hidden=float(model.hidden_size),
        expert_size=float(model.feed_forward),
        expert_parameters=float(model.expert_parameters) if mixture else 0.0,
        routed_parameters=routed,
        common_parameters=max(model.n_parameters - routed - embeddings, LEAST_COMMON * model.n_parameters),
        output_parameters=float(model.embedding_parameters),
        embedding_parameters=float(embeddings),
        cache_read_numbers=float(kv_read_byte(model, whole + output_tokens / 2, byte_per_number=1.0)) - state,
        cache_kept_numbers=float(
            kv_cache_byte(model, whole + CONTEXT_KEPT * output_tokens, byte_per_number=1.0)
        )
        - state,
        state_byte=state,
        prompt_attention_flop=4 * model.attention_width * prompt_tokens * attended,
    )
