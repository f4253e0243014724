"""Small Epoch exports for tests, under the headers of either year."""

import csv
import io

from data.epoch_columns import HARDWARE, MODELS, Column

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


def written(rows: list[dict[str, str]], columns: tuple[Column, ...], *, spelling: int = 0) -> bytes:
    """Return rows as CSV under the export's own headers; ``spelling`` picks among the aliases."""
    header = [column.aliases[min(spelling, len(column.aliases) - 1)] for column in columns]
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(header)
    out.writerows([[row.get(column.name, "") for column in columns] for row in rows])
    return text.getvalue().encode()
