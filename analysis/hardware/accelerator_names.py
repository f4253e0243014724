"""Finds the row of the table of accelerators that a name means."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from analysis.hardware.chip import known


class UnknownAccelerator(LookupError):  # noqa: N818 - the reader's word for it
    """No accelerator of the table is called so; the text names near ones."""


def find_accelerator(wanted: str, *, rows: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return the row a name means: "H100" is H100 SXM, "A100-SXM-80GB" the 80 GB A100.

    Exact products come first; else every word asked for must be in the name, and the board for servers (SXM)
    with the most memory is taken.

    Raises
    ------
    UnknownAccelerator
        If there is none; the message names near ones.
    """
    words = _words(wanted)
    exact = [row for row in rows if words and _words(str(row["product"])) == words]
    if exact:
        return max(exact, key=_preference)
    inside = [row for row in rows if words and set(words) <= set(_words(f"{row['product']} {row['name']}"))]
    if inside:
        return max(inside, key=_preference)
    near = sorted(
        {str(row["product"]) for row in rows if set(words) & set(_words(f"{row['product']} {row['name']}"))}
    )
    advice = f"near: {', '.join(near[:8])}" if near else "for example A100 80 GB, H100 SXM, TPU v4"
    raise UnknownAccelerator(f"no accelerator is called {wanted!r}; {advice}.")


def _words(text: str) -> tuple[str, ...]:
    text = re.sub(r"(\d)\s*gb\b", r"\1gb", text.lower())
    text = re.sub(
        r"\bsxm\d\b", "sxm", re.sub(r"\bnvidia\b|\bgoogle\b|\bamd\b|\binstinct\b|\bgpu\b", " ", text)
    )
    text = re.sub(r"\btpu[ _-]?v", "tpu v", text)
    return tuple(sorted(re.findall(r"[a-z0-9]+", text)))


def _preference(row: Mapping[str, Any]) -> tuple[bool, bool, float, bool]:
    name = f"{row['product']} {row['name']}"
    capacity = known(row.get("memory_capacity_byte")) or 0.0
    has_rate = known(row.get("peak_fp16_dense_flop_per_s")) is not None
    return has_rate, "SXM" in name, capacity, known(row.get("chip_link_bandwidth_byte_per_s")) is not None
