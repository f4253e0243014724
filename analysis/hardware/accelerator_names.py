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
    with the most memory is taken; else a product is taken that the name adds only form, memory or system to:
    "b200_sxm", "GB200 NVL72", "NVIDIA H100-NVL-94GB".

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
    named = [row for row in rows if words and _is_named(row, words)]
    if named:
        return max(named, key=lambda row: (len(_words(str(row["product"]))), *_preference(row)))
    bare = {word for word in words if not _FORM.fullmatch(word)}
    inside = [row for row in rows if bare and bare <= set(_words(f"{row['product']} {row['name']}"))]
    if inside:
        return max(inside, key=_preference)
    near = sorted(
        {str(row["product"]) for row in rows if set(words) & set(_words(f"{row['product']} {row['name']}"))}
    )
    advice = f"near: {', '.join(near[:8])}" if near else "for example A100 80 GB, H100 SXM, TPU v4"
    raise UnknownAccelerator(f"no accelerator is called {wanted!r}; {advice}.")


_FORM = re.compile(
    r"sxm|pcie|oam|hgx|dgx|mgx|nvl\d*|x?\d{1,2}x?|superchip|grace|hopper|blackwell|ultra|trillium|ironwood|server|edition"
    r"|bse|se|platform|hbm\d?e?|\d+gb|power|cap|\d+w?|w|tdp"
)
"""Words that say how a part is built in, not which it is."""


def _is_named(row: Mapping[str, Any], words: Sequence[str]) -> bool:
    product = set(_words(str(row["product"])))
    rest = set(words) - product
    return product <= set(words) and all(_FORM.fullmatch(word) for word in rest)


def _words(text: str) -> tuple[str, ...]:
    text = re.sub(r"(\d)\s*gb\b", r"\1gb", text.lower())
    text = re.sub(
        r"\bsxm\d\b", "sxm", re.sub(r"\bnvidia\b|\bgoogle\b|\bamd\b|\binstinct\b|\bgpu\b", " ", text)
    )
    text = re.sub(r"\btpu[ _-]?v?(\d\w?)", r"tpu v\1", text).replace("tpu v7x", "tpu v7")
    return tuple(sorted(re.findall(r"[a-z0-9]+", text)))


def _preference(row: Mapping[str, Any]) -> tuple[bool, bool, float, bool]:
    name = f"{row['product']} {row['name']}"
    capacity = known(row.get("memory_capacity_byte")) or 0.0
    has_rate = known(row.get("peak_fp16_dense_flop_per_s")) is not None
    return has_rate, "SXM" in name, capacity, known(row.get("chip_link_bandwidth_byte_per_s")) is not None
