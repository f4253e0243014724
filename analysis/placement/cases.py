"""A reader's case in base units, and the columns it is given in."""

from dataclasses import dataclass, field

PROMPT_WHERE_UNKNOWN = 512.0
KNOWN_COLUMNS = (
    "device",
    "model",
    "format",
    "device_class",
    "backend",
    "memory_bandwidth_gbyte_per_s",
    "peak_tflop_per_s",
    "weights_gbyte",
    "active_weights_gbyte",
    "kv_bytes_per_token",
    "batch",
    "context_tokens",
    "prompt_tokens",
    "measured_decode_tokens_per_s",
)
CPU_CLASSES = ("desktop_cpu",)


class BadCaseError(ValueError):
    """A case that cannot be predicted; the message names row, column, what came and what to do."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """One case in base units, with what was assumed for it."""

    device: str
    device_class: str
    backend: str
    format_name: str
    memory_bandwidth_byte_per_s: float
    peak_flop_per_s: float
    weights_byte: float
    active_weights_byte: float
    n_active_parameters: float
    kv_read_byte: float
    batch: float
    prompt_tokens: float
    measured_decode_tokens_per_s: float
    notes: tuple[str, ...] = field(default=())
