"""Shape of a typical dense model of any size."""

from analysis.model.architecture import Architecture
from analysis.model.parameters import ParameterCounts


def typical_dense(n_parameters: float) -> Architecture:
    """Return a typical dense model of a given size. It is 128 times as wide as deep, with heads of size 128.

    Raises ValueError if the size is not positive.

    References
    ----------
    12 layers x hidden^2 parameters (Kaplan et al., arXiv:2001.08361, equation 2.1); the table's dense models from 1B to
    405B are within a factor of 1.4 of this depth.
    """
    if not n_parameters > 0:
        raise ValueError(
            f"a model has more than 0 parameters; got {n_parameters:g}. Pass 8e9 for eight billion."
        )
    layers = max(round((n_parameters / (12 * 128**2)) ** (1 / 3)), 1)
    return Architecture(
        n_layers=layers,
        hidden_size=128 * layers,
        n_heads=layers,
        n_key_value_heads=min(8, layers),
        head_size=128,
        feed_forward_size=448 * layers,
        gated=True,
        vocabulary_size=128_256,
        tied_embeddings=False,
        stated=ParameterCounts(total=n_parameters, active=n_parameters),
        idealized=True,
    )
