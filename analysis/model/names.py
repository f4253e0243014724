"""Lookup of models and formats by name, ignoring case, spaces and hyphens."""

import difflib
import re
from collections.abc import Iterable, Mapping
from typing import TypeVar

import pandas as pd

from analysis.hardware.names import Device, Entry
from analysis.model.architecture import Architecture
from analysis.model.formats import WORDS, Format

Known = TypeVar("Known")

_TUNED = re.compile(r"(instruct|chat|hf|gguf|mlx|it)+$")
_NO_SHAPE = re.compile(
    r"[-_ :.]*(instruct|chat|base|quantized|thinking|reasoning|latest|it|hf|gguf|mlx|nim|fp\d+|nvfp4|mxfp[468]|bf16|f16"
    r"|int[48]|\dbit|awq|gptq|ptq|qat|w\d+a\d+|i?q\d(_[a-z0-9]+)*|kv|block|dynamic|v\d+(?=-|$)|\d{4}|99(\.9)?)$"
)
"""Suffixes that do not change a model's shape, such as names of tuning or storage."""


class UnknownModel(LookupError):  # noqa: N818 - the reader's word for it
    """Error for a model that is not in the tables. The message lists similar names."""


def plain(name: str) -> str:
    """Return a normalized model or format name: only letters, digits and dots, without organization or suffix."""
    text = re.sub(r"[^a-z0-9.]", "", name.rpartition("/")[2].lower())
    text = _TUNED.sub("", text.removeprefix("meta"))
    return text.replace("instruct", "") if "instructv" in text else text


def readable(thing: object) -> str:
    """Return the name of a table entry, for use in a message."""
    if isinstance(thing, Architecture | Format | Device):
        return thing.name
    if isinstance(thing, tuple) and thing and isinstance(thing[0], Entry):
        return thing[0].device.name
    return str(thing)


def nearest(text: str, known: Mapping[str, object]) -> str:
    """Return up to three known names that are similar to a normalized name, as text for a message."""
    inside = sorted((key for key in known if text and text in key), key=len)
    close = [*inside[:3], *difflib.get_close_matches(text, list(known), n=6, cutoff=0.5)]
    names = list(dict.fromkeys(readable(known[key]) for key in close))
    return ", ".join(names[:3]) if names else "nothing like it"


def models(
    measured: pd.DataFrame, architectures: pd.DataFrame, *, same_shape: pd.DataFrame
) -> dict[str, Architecture]:
    """Return models keyed by normalized name, including the names in ``same_shape`` and in measured rows."""
    own = {plain(row["name"]): Architecture.from_row(row) for row in architectures.to_dict("records")}
    of_shape = zip(same_shape["name"], same_shape["architecture"], strict=True)
    return _with_other_names(own, [*of_shape, *zip(measured["model"], measured["architecture"], strict=True)])


def _with_other_names(own: dict[str, Known], others: Iterable[tuple[str, str]]) -> dict[str, Known]:
    """Return entries keyed by normalized name. ``others`` are pairs of another name and an entry's own name."""
    for other, name in others:
        if plain(name) in own:
            own.setdefault(plain(other), own[plain(name)])
    return own


def known_model(wanted: str, /, known: Mapping[str, Architecture]) -> Architecture | None:
    """Return the model that a name in a table, repository or file means. None if no model is known.

    Suffixes that do not affect the shape are removed one by one until a name is known: "Qwen/Qwen3-235B-A22B-FP8" is
    Qwen3 235B-A22B, "llama2-70b-99.9" Llama 2 70B.
    """
    text = wanted.strip().lower()
    while plain(text):
        if plain(text) in known:
            return known[plain(text)]
        shorter = _NO_SHAPE.sub("", text)
        if shorter == text:
            return None
        text = shorter
    return None


def find_model(wanted: str, /, known: Mapping[str, Architecture]) -> Architecture:
    """Return the model that :func:`known_model` finds for a name.

    Raises UnknownModel if there is none; the message lists near matches.
    """
    model = known_model(wanted, known)
    if model is None:
        raise UnknownModel(
            f"model {wanted!r} is not in our tables (nearest: {nearest(plain(wanted), known)}). Name one of them."
        )
    return model


def formats(measured: pd.DataFrame, quantisation: pd.DataFrame) -> dict[str, Format]:
    """Return formats keyed by normalized name, including the names that people and measured rows use."""
    own = {
        plain(row["name"]): Format(name=row["name"], bits_per_weight=float(row["bits_per_weight"]))
        for row in quantisation.to_dict("records")
    }
    in_rows = zip(measured["format"], measured["quantisation"], strict=True)
    return _with_other_names(own, [*WORDS.items(), *in_rows])
