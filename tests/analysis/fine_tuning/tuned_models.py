"""Models that tests of fine-tuning share."""

from analysis.fine_tuning.memory import Target
from analysis.model.architecture import Architecture
from analysis.model.parameters import ParameterCounts
from data.standing import table

ROWS = {row["name"]: row for row in table("architectures").to_dict("records")}
NOT_KEY: tuple[Target, ...] = ("query", "value", "output", "gate", "up", "down")


def model(name: str) -> Architecture:
    """Return a model of the table of architectures."""
    return Architecture.from_row({str(key): value for key, value in ROWS[name].items()})


def llama_1(*, layers: int, hidden: int, heads: int, feed_forward: int) -> Architecture:
    """Touvron et al., arXiv:2302.13971, table 2, with a vocabulary of 32,000."""
    parameters = layers * (4 * hidden**2 + 3 * hidden * feed_forward) + 2 * 32000 * hidden
    return Architecture(
        stated=ParameterCounts(total=parameters, active=parameters),
        n_layers=layers,
        hidden_size=hidden,
        n_heads=heads,
        feed_forward_size=feed_forward,
        vocabulary_size=32000,
        gated=True,
        tied_embeddings=False,
    )


LLAMA_33B = llama_1(layers=60, hidden=6656, heads=52, feed_forward=17920)
LLAMA_65B = llama_1(layers=80, hidden=8192, heads=64, feed_forward=22016)
LLAMA_8B = model("Llama 3.1 8B")
