"""What is trained, on which accelerators and on how much: the first of the choices of /training-run."""

from dataclasses import dataclass
from functools import partial

from data.by_release import ByRelease
from data.standing import rows
from views import written
from views.settings import choice, decimal, whole_number
from views.training_run.defaults import architectures, offered
from views.view import ReleaseSettings

WORDS = written.settings(__file__)
CUSTOM = "custom"
chips_own = partial(decimal, None, low=0.0, unset="the chip's own", zero_is_unset=True)
"""Return a field for a number of the chip that can be replaced; empty, or 0 in links of old, for its own."""


@dataclass(frozen=True, kw_only=True)
class TrainedSettings(ReleaseSettings):
    """Which model is trained on which accelerators, on how much. Empty means: its default."""

    model: str = choice(
        "llama-3.1-405b",
        computed=ByRelease(lambda: {**architectures(), CUSTOM: ("Custom model", "any shape")}),
        **WORDS["model"],
    )
    accelerator: str = choice("h100-sxm", computed=ByRelease(offered), **WORDS["accelerator"])
    accelerators: int = whole_number(16384, low=1, high=1_000_000, **WORDS["accelerators"])
    plan: str = choice("auto", **WORDS["plan"])
    tokens: int | None = whole_number(None, low=0, high=1_000_000, zero_is_unset=True, **WORDS["tokens"])
    compute: int | None = whole_number(None, low=0, high=999_999_999, zero_is_unset=True, **WORDS["compute"])
    batch: float = decimal(16.8, low=0.01, high=1000.0, step=0.1, **WORDS["batch"])
    sequence: int = whole_number(8192, low=128, high=1_048_576, **WORDS["sequence"])
    ramp_from: float = decimal(1.0, low=0.01, high=1000.0, step=0.1, **WORDS["ramp_from"])
    ramp_tokens: int | None = whole_number(
        None, low=0, high=1_000_000, zero_is_unset=True, **WORDS["ramp_tokens"]
    )
    layers: int = whole_number(96, low=1, high=1000, **WORDS["layers"])
    hidden: int = whole_number(12288, low=64, high=200_000, **WORDS["hidden"])
    heads: int = whole_number(96, low=1, high=2048, **WORDS["heads"])
    vocabulary: int = whole_number(51200, low=256, high=1_000_000, **WORDS["vocabulary"])
    experts: int = whole_number(1, low=1, high=4096, **WORDS["experts"])
    active_experts: int = whole_number(1, low=1, high=4096, **WORDS["active_experts"])
    precision: str = choice("fp16", **WORDS["precision"])
    peak: float | None = chips_own(high=1e6, step=1.0, **WORDS["peak"])
    bandwidth: float | None = chips_own(high=1e4, step=0.1, **WORDS["bandwidth"])
    memory: float | None = chips_own(high=1e5, step=1.0, **WORDS["memory"])
    link: float | None = chips_own(high=1e5, step=1.0, **WORDS["link"])
    network: float | None = chips_own(high=1e5, step=1.0, **WORDS["network"])
    domain: int | None = whole_number(None, low=0, high=100_000, zero_is_unset=True, **WORDS["domain"])


def has_experts(settings: TrainedSettings) -> bool:
    """Return whether the model that is trained is a mixture of experts."""
    if settings.model == CUSTOM:
        return settings.experts > 1
    return rows("architectures", "name")[architectures()[settings.model]]["n_experts"] > 1
