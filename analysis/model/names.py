"""Finds named models and formats in the tables, forgiving case, spaces and hyphens."""

import difflib
import re
from collections.abc import Mapping

import pandas as pd

from analysis.hardware.names import Device, Entry
from analysis.model.architecture import Architecture
from analysis.model.formats import WORDS, Format

__all__ = ["formats", "models", "nearest", "plain", "readable"]

_TUNED = re.compile(r"(instruct|chat|hf|gguf|mlx|it)+$")


def plain(name: str) -> str:
    """Return a model's or format's name as it is compared: no organisation, letters, digits and dots, no tuning."""
    text = re.sub(r"[^a-z0-9.]", "", name.rpartition("/")[2].lower())
    text = _TUNED.sub("", text.removeprefix("meta"))
    return text.replace("instruct", "") if "instructv" in text else text


def readable(found: object) -> str:
    """Return how a message names something the tables know."""
    if isinstance(found, Architecture | Format | Device):
        return found.name
    if isinstance(found, tuple) and found and isinstance(found[0], Entry):
        return found[0].device.name
    return str(found)


def nearest(text: str, known: Mapping[str, object]) -> str:
    """Return up to three known names like this one, which is spelled as they are compared, as words for a message."""
    inside = sorted((key for key in known if text and text in key), key=len)
    close = [*inside[:3], *difflib.get_close_matches(text, list(known), n=6, cutoff=0.5)]
    names = list(dict.fromkeys(readable(known[key]) for key in close))
    return ", ".join(names[:3]) if names else "nothing like it"


def models(measured: pd.DataFrame, architectures: pd.DataFrame) -> dict[str, Architecture]:
    """Return models by plain name, with the names that measured rows use for them."""
    found = {}
    for row in architectures.to_dict("records"):
        found[plain(row["name"])] = Architecture.from_row(row)
    for name, architecture in zip(measured["model"], measured["architecture"], strict=True):
        if plain(architecture) in found:
            found.setdefault(plain(name), found[plain(architecture)])
    return found


def formats(measured: pd.DataFrame, quantisation: pd.DataFrame) -> dict[str, Format]:
    """Return formats by plain name, with the names that people and measured rows use for them."""
    found = {
        plain(row["name"]): Format(name=row["name"], bits_per_weight=float(row["bits_per_weight"]))
        for row in quantisation.to_dict("records")
    }
    named = [*WORDS.items(), *zip(measured["format"], measured["quantisation"], strict=True)]
    for name, known in named:
        if plain(known) in found:
            found.setdefault(plain(name), found[plain(known)])
    return found
