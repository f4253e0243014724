"""How large a batch may grow before its tokens are wasted."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from analysis.arrays import FloatArray


def critical_batch_token(loss: ArrayLike) -> FloatArray:
    """Return the batch at which twice the steps' minimum takes twice the tokens' minimum. [token]

    2e8 / L^(1/0.21), L the loss in nats per token, shape of ``loss``.

    References
    ----------
    Kaplan et al., "Scaling Laws for Neural Language Models", arXiv:2001.08361, equation 1.4 and table 5.
    """
    nats = np.asarray(loss, dtype=np.float64)
    if not (nats > 0).all():
        raise ValueError(
            f"loss is positive, in nats per token; got {nats.min():g}. Large models reach about 2."
        )
    return 2e8 * nats ** (-1 / 0.21)


def loss_estimate(*, n_parameters: float, tokens: float) -> float:
    """Return the loss a dense model of this size reaches on so many tokens. [nats/token]

    1.69 + 406.4/N^0.34 + 410.7/D^0.28.

    References
    ----------
    Hoffmann et al., "Training Compute-Optimal Large Language Models", arXiv:2203.15556, appendix D.3.
    """
    if n_parameters <= 0 or tokens <= 0:
        raise ValueError(f"parameters and tokens are positive; got {n_parameters:g} and {tokens:g}.")
    return 1.69 + 406.4 / n_parameters**0.34 + 410.7 / tokens**0.28


def token_overhead(batch_token: ArrayLike, *, critical_token: float) -> FloatArray:
    """Return how many times the fewest tokens a batch needs to the same loss: 1 + B/B_crit. [1]

    References
    ----------
    McCandlish et al., "An Empirical Model of Large-Batch Training", arXiv:1812.06162, equation 2.11.
    """
    return 1 + np.asarray(batch_token, dtype=np.float64) / critical_token


@dataclass(frozen=True, kw_only=True)
class Ramp:
    """A batch that grows linearly from ``first`` to ``full`` over the first ``tokens``. [token]"""

    first: float
    full: float
    tokens: float

    def __post_init__(self) -> None:
        if not 0 < self.first <= self.full or self.tokens < 0:
            raise ValueError(
                f"a ramp grows from a positive batch over a positive span; got {self.first:g} to {self.full:g} over "
                f"{self.tokens:g} tokens."
            )

    def steps(self, total_tokens: float) -> float:
        """Return how many optimizer steps the run takes. [1]

        While it grows linearly in tokens, the number of steps is the integral of 1/B.

        References
        ----------
        Brown et al., "Language Models are Few-Shot Learners", arXiv:2005.14165, appendix B (a linear ramp).
        """
        growing = min(self.tokens, total_tokens)
        if self.full == self.first or growing == 0:
            return growing / self.full + (total_tokens - growing) / self.full
        slope = (self.full - self.first) / self.tokens
        reached = self.first + slope * growing
        return float(np.log(reached / self.first) / slope + (total_tokens - growing) / self.full)
