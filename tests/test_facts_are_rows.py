"""Facts about products are rows of a table: no mapping in the code is keyed by names of chips, devices or models."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from data import releases, standing

ROOT = Path(__file__).parents[1]
MODULES = sorted(path for folder in ("analysis", "views") for path in (ROOT / folder).rglob("*.py"))
SHORTEST = 3
"""Shorter names, such as that of the model S4, are also keys of something else."""


def squeezed(name: str) -> str:
    """Return a name as it is compared: ``tpuv4`` for TPU v4, tpu-v4 and TPU_V4."""
    return re.sub(r"[^a-z0-9.]", "", name.lower())


def short_names(name: str, *, vendor: str = "") -> Iterator[str]:
    """Yield what a product may be called for short: its name from the start, with a digit in it, without its vendor."""
    words = name.removeprefix(vendor).split()
    for count in range(1, len(words) + 1):
        short = squeezed("".join(words[:count]))
        if re.search(r"\d", short):
            yield short


@cache
def product_names() -> frozenset[str]:
    """Return the names of every chip, device and model of the tables, squeezed, with their short forms."""
    names: set[str] = set()
    for release in map(releases.load, releases.names()):
        names |= {squeezed(name) for name in release.training_runs["name"]}
        for row in release.accelerators.to_dict("records"):
            names |= {squeezed(row["name"]), squeezed(row["product"])}
            names |= {*short_names(row["name"], vendor=row["vendor"]), *short_names(row["product"])}
    for row in standing.table("edge_devices").to_dict("records"):
        names |= {squeezed(row["name"]), *short_names(row["name"], vendor=row["vendor"])}
    for row in standing.table("architectures").to_dict("records"):
        names |= {squeezed(row["name"]), squeezed(row["family"]), *short_names(row["name"])}
    if "chip_links" in standing.names():
        names |= {squeezed(word) for word in standing.table("chip_links")["word"]}
    return frozenset(name for name in names if len(name) >= SHORTEST)


def texts(node: ast.expr | None) -> Iterator[str]:
    """Yield the texts that a key consists of: its own, or those of a pair."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.Tuple):
        for part in node.elts:
            yield from texts(part)


def keys(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line and text of each key of a mapping: a dictionary, dict(...), or pairs that say the same."""
    for node in ast.walk(tree):
        result: list[ast.expr | None] = []
        if isinstance(node, ast.Dict):
            result = list(node.keys)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict":
            result = [ast.Constant(word.arg) for word in node.keywords if word.arg]
        elif isinstance(node, ast.Tuple | ast.List | ast.Set):
            pairs = [part for part in node.elts if isinstance(part, ast.Tuple | ast.List)]
            result = [pair.elts[0] for pair in pairs if len(pair.elts) > 1] if len(pairs) > 1 else []
        for key in result:
            for text in texts(key):
                yield getattr(node, "lineno", 0), text


def facts(code: str) -> list[str]:
    """Return each key that is a product's name, with its line."""
    return [
        f"line {line}: {text!r}" for line, text in keys(ast.parse(code)) if squeezed(text) in product_names()
    ]


def test_no_mapping_is_keyed_by_names_of_products():
    wrong = {path.relative_to(ROOT).as_posix(): facts(path.read_text(encoding="utf-8")) for path in MODULES}
    assert {name: keys for name, keys in wrong.items() if keys} == {}, (
        "Facts are rows of data/standing, with sources."
    )


@pytest.mark.parametrize(
    "code",
    [
        'LINKS = {"TPU v4": Link(size=4096), "other": None}',
        '{"h100sxm": "NVIDIA H100 SXM5 80GB"}',
        '{"llama-3.1-70b": "Llama 3.1 70B"}',
        '{("H100", "fp8"): 1.4e15}',
        "dict(b200=3e15)",
        '(("AlexNet", 2012), ("GPT-4", 2023))',
    ],
)
def test_a_mapping_keyed_by_products_is_found(code):
    assert facts(code)
