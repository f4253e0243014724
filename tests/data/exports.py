"""Small Epoch exports for tests, under the headers of either year."""

from benchmarks.exports import exported_rows, written
from data.curation_tables import HARDWARE, MODELS
from data.releases import Release

MODEL = {
    "name": "Alpha",
    "organisation": "Lab A,Lab B",
    "country": "China,China",
    "domain": "Language,Vision",
    "published_on": "2024-05-17",
    "training_compute_flop": "6.000001e+24",
    "n_parameters": "70000000000",
    "confidence": "Confident",
    "accessibility": "Open weights (unrestricted)",
    "link": "https://example.org/alpha",
}
PART = {
    "name": "NVIDIA Test 100",
    "vendor": "NVIDIA",
    "type": "GPU",
    "released_on": "2022-09-20",
    "memory_capacity_byte": "80000000000",
    "memory_bandwidth_byte_per_s": "3350000000000",
    "datasheet_link": "https://example.org/sheet",
}


def models(*rows: dict[str, str], spelling: int = 0) -> bytes:
    """Return a models export of these rows, each laid over a plain one."""
    return written([{**MODEL, **row} for row in rows or ({},)], MODELS, spelling=spelling)


def hardware(*rows: dict[str, str], spelling: int = 0) -> bytes:
    """Return a hardware export of these rows, each laid over a plain one."""
    return written([{**PART, **row} for row in rows or ({},)], HARDWARE, spelling=spelling)


OLDER_MODELS = """\
Model,Domain,Task,Organization,Authors,Publication date,Reference,Link,Citations,Notability criteria,Parameters,\
Training compute (FLOP),Training compute notes,Training dataset,Training dataset size (datapoints),\
Training time (hours),Training hardware,Confidence,Abstract,Epochs,Model accessibility,{country},Base model,\
Finetune compute (FLOP),Hardware quantity,Hardware utilization,Organization categorization{more}
Llama 3.1-405B,Language,Language modeling,Meta AI,,2024-07-23,,https://example.org/llama,,SOTA improvement,\
405000000000,3.8e+25,,,15600000000000,,NVIDIA H100 SXM5 80GB,Confident,,1,Open weights (restricted use),\
United States of America,,,16384,0.4,Industry{cells}
GPT-4,Multimodal,Chat,OpenAI,,2023-03-15,,https://example.org/gpt-4,,SOTA improvement,,2.1e+25,,,\
4900000000000,2280,NVIDIA A100 SXM4 40 GB,Likely,,2,API access,United States of America,,,25000,0.34,Industry{cells}
"""
OLDER_HARDWARE = """\
{name},Manufacturer,Type,Release date,Release price (USD),FP64 (double precision) performance (FLOP/s),\
FP32 (single precision) performance (FLOP/s),FP16 (half precision) performance (FLOP/s),\
TF32 (TensorFloat-32) performance (FLOP/s),Tensor-FP16/BF16 performance (FLOP/s),INT8 performance (OP/s),\
INT4 performance (OP/s),Memory size per board (Byte),Memory bandwidth (byte/s),Intranode bandwidth (byte/s),\
Internode bandwidth (bit/s),Die Size (mm^2),TDP (W),Process size (nm),Link to datasheet,Source for the price{more}
NVIDIA H100 SXM5,NVIDIA,GPU,2022-09-20,,3.4e13,6.7e13,1.34e14,4.945e14,9.895e14,1.979e15,,80000000000,3.35e12,\
9e11,4e11,814,700,4,https://example.org/h100,{cells}
NVIDIA H200 SXM,NVIDIA,GPU,2024-11-18,,3.4e13,6.7e13,1.34e14,4.945e14,9.895e14,1.979e15,,141000000000,4.8e12,\
9e11,4e11,814,700,4,https://example.org/h200,{cells}
"""


def older_models(when: str) -> bytes:
    """Return two rows under the columns that the models export had in 2025-02 or 2025-06, made by hand."""
    early = when == "2025-02"
    return OLDER_MODELS.format(
        country="Country (from Organization)" if early else "Country (of organization)",
        more=""
        if early
        else ",Batch size,Training compute cost (2023 USD),Frontier model,Training power draw (W)",
        cells="" if early else ",,,True,",
    ).encode()


def older_hardware(when: str) -> bytes:
    """Return two rows under the columns that the hardware export had in 2025-02 or 2025-06, made by hand."""
    early = when == "2025-02"
    return OLDER_HARDWARE.format(
        name="Name of the hardware" if early else "Hardware name",
        more="" if early else ",Transistors (millions)",
        cells="" if early else ",80000",
    ).encode()


def whole(release: Release) -> tuple[bytes, bytes]:
    """Return models and hardware as the export that a release could have come from."""
    runs, parts = release.training_runs, release.exported_accelerators
    return (
        written(exported_rows(runs, MODELS, table="training_runs"), MODELS),
        written(exported_rows(parts, HARDWARE, table="accelerators"), HARDWARE),
    )
