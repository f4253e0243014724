"""Small Epoch exports for tests, under the headers of either year."""

from pathlib import Path

from benchmarks.exports import exported_rows, written
from data.curation_tables import HARDWARE, MODELS
from data.releases import Release
from tests.cases import cases

CASES = cases(__file__)

MODEL = CASES["model"]
PART = CASES["part"]
DAYS = [(n, f"{2013 + n}-03-01", f"1e{18 + n}") for n in range(10)]
RUNS = [{"name": f"Model {n}", "published_on": on, "training_compute_flop": flop} for n, on, flop in DAYS]
"""Ten models, a year and a factor of ten apart."""


def models(*rows: dict[str, str], spelling: int = 0) -> bytes:
    """Return a models export of these rows, each laid over a plain one."""
    return written([{**MODEL, **row} for row in rows or ({},)], MODELS, spelling=spelling)


def hardware(*rows: dict[str, str], spelling: int = 0) -> bytes:
    """Return a hardware export of these rows, each laid over a plain one."""
    return written([{**PART, **row} for row in rows or ({},)], HARDWARE, spelling=spelling)


def correction(field: str, *, was: str, now: str, **other: str) -> dict[str, str]:
    """Return a line of corrections, of the plain accelerator unless ``other`` names one."""
    line = {"table": "accelerators", "row": PART["name"], "field": field, "was": was, "now": now}
    return {**line, "reason": "r", "source_id": "s", "locator": "", "confidence": "high", **other}


def older(kind: str, when: str) -> bytes:
    """Return two rows of models or hardware as an export had them in 2025-02 or 2025-06, made by hand."""
    return Path(__file__).with_name(f"{kind}_{when}.csv").read_bytes()


def whole(release: Release) -> tuple[bytes, bytes]:
    """Return models and hardware as the export that a release could have come from."""
    runs, parts = release.training_runs, release.exported_accelerators
    models = written(exported_rows(runs, MODELS, table="training_runs"), MODELS)
    return models, written(exported_rows(parts, HARDWARE, table="accelerators"), HARDWARE)
