"""Operations per token, per sequence and per training step."""

from typing import Literal

from numpy.typing import ArrayLike

from analysis.arrays import FloatArray
from analysis.model.architecture import Architecture
from analysis.model.kv_cache import numbers_per_token_and_layer, tokens_attended, tokens_kept

Recompute = Literal["none", "selective", "full"]
RECOMPUTES: tuple[Recompute, ...] = ("none", "selective", "full")


def attention_flop(model: Architecture) -> float:
    """Return a layer's operations per earlier token in decode. [FLOP]

    A latent cache is used as stored: each head's query attends to the latent vector and its rotary part.

    References
    ----------
    DeepSeek-AI, "DeepSeek-V2", arXiv:2405.04434, section 2.1.
    """
    if model.latent:
        return 2.0 * model.n_heads * (numbers_per_token_and_layer(model) + model.latent.kv_latent_size)
    return 4.0 * model.value_width


def sequence_attention_flop(model: Architecture) -> float:
    """Return a layer's operations per earlier token when a whole sequence is processed. [FLOP]

    A latent cache is expanded to the keys and values of every head.
    """
    return 4.0 * model.attention_width


def token_flop(model: Architecture, *, context_tokens: ArrayLike) -> FloatArray:
    """Return the operations to process a token after ``context_tokens`` tokens. [FLOP]

    They are two per active weight, plus attention in every layer, scores of sparse attention and states of linear
    layers.

    References
    ----------
    Kaplan et al., "Scaling Laws for Neural Language Models", arXiv:2001.08361, section 2.1.
    """
    weights = model.parameters.active - model.parameters.lookup
    scores = tokens_kept(model, context_tokens) * model.sparse.index_flop if model.sparse else 0.0
    states = model.linear.n_layers * model.linear.token_flop if model.linear else 0.0
    return 2 * weights + tokens_attended(model, context_tokens) * attention_flop(model) + scores + states


def training_flop_per_token(
    model: Architecture, *, recompute: Recompute = "none", causal: bool = False
) -> float:
    """Return the operations to train on one token, including recomputation. [FLOP]

    A forward pass takes two operations per weight, and attention 4 s h a layer over the whole sequence, or half of it
    when only the ``causal`` part is counted; a backward pass costs two forward passes. ``none`` gives model FLOPs.
    ``full`` repeats the forward pass of the layers. ``selective`` follows the published formula, which doubles the
    attention term.

    References
    ----------
    Narayanan et al., arXiv:2104.04473, appendix and equation 3 (full: 96 B s l h^2 (1 + s/6h + V/16lh)); Korthikanti et
    al., "Reducing Activation Recomputation in Large Transformer Models", arXiv:2205.05198, appendix A
    (none: 72 B L s h^2 (1 + s/6h + v/12hL); selective: s/3h in place of s/6h).
    """
    if recompute not in RECOMPUTES:
        raise ValueError(
            f"recompute is one of {', '.join(RECOMPUTES)}; got {recompute!r}. Choose one of these."
        )
    feed_forward = (3 if model.gated else 2) * model.hidden_size * model.active_feed_forward
    linear = 2.0 * model.n_layers * (model.attention_parameters + feed_forward)
    whole = 4 * model.sequence_length * model.attention_width * (0.5 if causal else 1.0)
    attention = (model.n_layers - model.n_linear_layers) * whole
    output = 2.0 * model.hidden_size * model.vocabulary_size
    model_flop = 3 * (linear + attention + output)
    repeated = {"none": 0.0, "selective": 3 * attention, "full": linear + attention}
    return model_flop + repeated[recompute]
