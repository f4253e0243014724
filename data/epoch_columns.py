"""Which column of an export means what: the one table of aliases, kinds and unit conversions."""

from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["text", "list", "number", "total", "date", "flag", "accessibility", "confidence", "link"]


@dataclass(frozen=True, kw_only=True)
class Column:
    """One column of our tables and every name an export has given it.

    A ``total`` is one number or several joined by commas, one per data set, which are added up.
    ``scale`` turns the export's unit into ours; ``zero`` admits a zero where it means "none"; ``optional``
    columns are missing in older exports, which then say nothing about them.
    """

    name: str
    aliases: tuple[str, ...]
    kind: Kind = "text"
    scale: float = 1.0
    zero: bool = False
    optional: bool = False
    known: frozenset[str] = field(default_factory=frozenset)


HOUR_S = 3600.0
BIT_BYTE = 1 / 8

MODELS: tuple[Column, ...] = (
    Column(name="name", aliases=("Model", "System", "Model name")),
    Column(name="organisation", aliases=("Organization",), kind="list"),
    Column(
        name="country",
        aliases=("Country (of organization)", "Country (from Organization)"),
        kind="list",
        optional=True,
    ),
    Column(name="domain", aliases=("Domain",), kind="list"),
    Column(name="published_on", aliases=("Publication date",), kind="date"),
    Column(name="training_compute_flop", aliases=("Training compute (FLOP)",), kind="number"),
    Column(name="n_parameters", aliases=("Parameters",), kind="number"),
    Column(
        name="dataset_size_datapoint",
        aliases=(
            "Training dataset size (total)",
            "Training dataset size (gradients)",
            "Training dataset size (datapoints)",
        ),
        kind="total",
    ),
    Column(name="epochs", aliases=("Epochs",), kind="number", optional=True),
    Column(name="hardware", aliases=("Training hardware",), kind="list"),
    Column(name="hardware_quantity", aliases=("Hardware quantity",), kind="number", optional=True),
    Column(
        name="training_time_s", aliases=("Training time (hours)",), kind="number", scale=HOUR_S, optional=True
    ),
    Column(
        name="mfu",
        aliases=("Hardware utilization (MFU)", "Hardware utilization"),
        kind="number",
        optional=True,
    ),
    Column(name="hfu", aliases=("Hardware utilization (HFU)",), kind="number", optional=True),
    Column(name="batch_size_datapoint", aliases=("Batch size",), kind="number", optional=True),
    Column(name="training_power_w", aliases=("Training power draw (W)",), kind="number", optional=True),
    Column(
        name="training_cost_usd_2023",
        aliases=("Training compute cost (2023 USD)",),
        kind="number",
        optional=True,
    ),
    Column(name="base_model", aliases=("Base model",)),
    Column(
        name="finetune_compute_flop",
        aliases=("Finetune compute (FLOP)",),
        kind="number",
        zero=True,
        optional=True,
    ),
    Column(name="numerical_format", aliases=("Numerical format",), optional=True),
    Column(
        name="confidence",
        aliases=("Confidence",),
        kind="confidence",
        known=frozenset({"confident", "likely", "speculative", "unknown", ""}),
    ),
    Column(name="open_weights", aliases=("Open model weights?",), kind="flag", optional=True),
    Column(name="accessibility", aliases=("Model accessibility",), kind="accessibility"),
    Column(name="frontier_flag", aliases=("Frontier model",), kind="flag", optional=True),
    Column(name="link", aliases=("Link",), kind="link"),
)

HARDWARE: tuple[Column, ...] = (
    Column(name="name", aliases=("Hardware name", "Name of the hardware")),
    Column(name="vendor", aliases=("Manufacturer",)),
    Column(name="type", aliases=("Type",)),
    Column(name="released_on", aliases=("Release date",), kind="date"),
    Column(
        name="memory_capacity_byte",
        aliases=("Memory (bytes)", "Memory size per board (Byte)", "Memory size per board (bytes)"),
        kind="number",
    ),
    Column(name="memory_bandwidth_byte_per_s", aliases=("Memory bandwidth (byte/s)",), kind="number"),
    Column(
        name="peak_fp64_dense_flop_per_s",
        aliases=("FP64 (double precision) performance (FLOP/s)",),
        kind="number",
        optional=True,
    ),
    Column(
        name="peak_fp32_dense_flop_per_s",
        aliases=("FP32 (single precision) performance (FLOP/s)",),
        kind="number",
    ),
    Column(
        name="peak_tf32_dense_flop_per_s",
        aliases=("TF32 (TensorFloat-32) performance (FLOP/s)",),
        kind="number",
        optional=True,
    ),
    Column(
        name="peak_fp16_shader_dense_flop_per_s",
        aliases=("FP16 (half precision) performance (FLOP/s)",),
        kind="number",
    ),
    Column(
        name="peak_fp16_dense_flop_per_s",
        aliases=("Tensor-FP16/BF16 performance (FLOP/s)",),
        kind="number",
    ),
    Column(
        name="peak_fp8_dense_flop_per_s", aliases=("FP8 performance (FLOP/s)",), kind="number", optional=True
    ),
    Column(name="peak_int8_dense_op_per_s", aliases=("INT8 performance (OP/s)",), kind="number"),
    Column(
        name="peak_fp4_dense_flop_per_s", aliases=("FP4 performance (FLOP/s)",), kind="number", optional=True
    ),
    Column(
        name="peak_int4_dense_op_per_s",
        aliases=("INT4 performance (OP/s)", "INT4/FP4 performance (OP/s)"),
        kind="number",
        optional=True,
    ),
    Column(
        name="chip_link_bandwidth_byte_per_s",
        aliases=("Intranode bandwidth (byte/s)",),
        kind="number",
    ),
    Column(
        name="network_link_bandwidth_byte_per_s",
        aliases=("Internode bandwidth (bit/s)",),
        kind="number",
        scale=BIT_BYTE,
        optional=True,
    ),
    Column(name="power_w", aliases=("TDP (W)",), kind="number"),
    Column(name="price_usd", aliases=("Release price (USD)",), kind="number", optional=True),
    Column(name="process_nm", aliases=("Process size (nm)",), kind="number"),
    Column(name="transistors", aliases=("Transistors (millions)",), kind="number", scale=1e6, optional=True),
    Column(name="die_area_mm2", aliases=("Die Size (mm^2)",), kind="number", optional=True),
    Column(name="datasheet_link", aliases=("Link to datasheet",), kind="link"),
    Column(name="price_link", aliases=("Source for the price",), kind="link", optional=True),
)
