"""Models and accelerators that a reader can choose, and defaults for numbers left empty."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from analysis.cost import SERVER_POWER
from analysis.hardware.machine import Machine
from analysis.refusal import Refusal
from analysis.training_run.tables import machine_of_part
from analysis.trend.calendar_year import decimal_year
from analysis.units import HOUR_S
from data.by_release import kept_by_release
from data.releases import Release, beside, load, reference
from data.standing import rows, table
from views.chips.rents import rent
from views.kept import kept
from views.models import slug
from views.settings import Option

PUBLISHED = "published"
"""Option for the model's published recipe."""
CUSTOM = "custom"
"""Option for a model defined by its shape."""
USUAL_RUN = "Llama 3.1 405B"
"""Run whose tokens, sequence length, batch and failure rate are assumed where a model's own are unknown."""
PRICE_WHERE_UNKNOWN_USD = 2.5
ROOM = 35
"""Maximum length of a number's text with room for the word "from" in its field. [letters]"""
TOKENS_WHERE_UNKNOWN = 15.6e12
SEQUENCE_WHERE_UNKNOWN, BATCH_WHERE_UNKNOWN = 8192, 16.8e6
"""Training tokens of a model outside our table, and sequence length and batch of one without a recipe. [token]"""
OPEN_NUMBERS = {
    "expert_overlap": ("expert_overlap", 100.0, 0.0),
    "hours_per_failure": ("time_between_failures_s", 1 / HOUR_S, 50677.0),
}
"""The recipe's column, the unit's factor, and the default without a recipe, keyed by setting."""
USUAL = {"expert_overlap": "assumed", "hours_per_failure": "as Llama 3"}
ASSUMED = "assumed"
"""Text beside a number that no table has."""


@kept_by_release()
def architectures() -> dict[str, str]:
    """Return the models with a known shape and with full attention in all layers, keyed by option.

    Matmuls and states of linear-attention layers are not modelled in training.
    """
    frame = table("architectures")
    frame = frame.loc[frame["n_linear_layers"] == 0]
    known = frame.loc[frame[["n_layers", "hidden_size", "n_heads", "vocabulary"]].notna().all(axis=1)]
    ordered = known.sort_values(["n_parameters", "name"], ascending=[False, True])
    return {slug(name): str(name) for name in ordered["name"]}


@kept
def trainable_rows(release: Release) -> Mapping[str, Mapping[str, Any]]:
    """Return the accelerators with enough data to compute a run, keyed by product, newest first.

    They are plain values with their ``released_year``.
    """
    parts = release.accelerators
    known = parts[["peak_fp16_dense_flop_per_s", "memory_bandwidth_byte_per_s", "memory_capacity_byte"]]
    usable = parts.loc[known.notna().all(axis=1) & (parts["memory_capacity_byte"] >= 8e9)]
    usable = usable.loc[(usable["segment"] != "consumer") & usable["released_on"].notna()]
    ordered = usable.sort_values(["representative", "released_on"], ascending=[False, False], kind="stable")
    unique = ordered.drop_duplicates("product").assign(
        released_year=lambda own: decimal_year(own["released_on"])
    )
    newest = unique.sort_values(["released_on", "product"], ascending=[False, True], kind="stable")
    return {row["product"]: row for row in cast(list[dict[str, Any]], newest.to_dict("records"))}


@kept_by_release()
def accelerators() -> Mapping[str, str]:
    """Return the products in the newest release, then those in earlier ones, keyed by option.

    A link made with an earlier release works permanently, whatever later releases omit.
    """
    products: dict[str, str] = {}
    for release in reversed(beside()):
        for product in trainable_rows(load(release)):
            products.setdefault(slug(product), product)
    return products


@kept_by_release()
def offered() -> Mapping[str, Option]:
    """Return the options of the setting. Products that only old links reach are marked."""
    newest = trainable_rows(load(reference()))
    return {
        word: product if product in newest else (f"{product} (earlier releases)", product)
        for word, product in accelerators().items()
    }


def own_machine(product: str, release: Release, *, precision: str) -> Machine:
    """Return an accelerator with the numbers that a release states.

    Raises Refusal if the release has no such accelerator, or the accelerator no rate at the precision.
    """
    row = trainable_rows(release).get(product)
    if row is None:
        raise Refusal(f"{product} is not in this release", remedy="choose another accelerator or release.")
    return machine_of_part(row, precision=precision)


CHIP_NUMBERS: Mapping[str, tuple[str, float, str]] = {
    "peak": ("peak_flop_per_s", 1e12, "TFLOP/s"),
    "bandwidth": ("memory_bandwidth_byte_per_s", 1e12, "TB/s"),
    "memory": ("memory_capacity_byte", 1e9, "GB"),
    "link": ("link_bandwidth_byte_per_s", 1e9, "GB/s"),
    "network": ("network_bandwidth_byte_per_s", 1e9 / 8, "Gbit/s"),
    "domain": ("domain_size", 1, ""),
    "power": ("power_w", 1 / SERVER_POWER, "W"),
}
"""The chip's field, and the unit and its factor, of each number that readers can replace."""


@kept_by_release()
def chip_number(name: str, product: str, *, precision: str, release: str) -> str:
    """Return an accelerator's number and its origin as text, such as "from B200: 7.7 TB/s". The text may be empty."""
    try:
        machine = own_machine(product, load(release), precision=precision)
    except Refusal:
        return ""
    attribute, per, unit = CHIP_NUMBERS[name]
    value = (machine.peak_flop_per_s if name == "peak" else getattr(machine.chip, attribute)) / per
    number = f"{product}: {f'{value:,.0f}' if value >= 1e4 else f'{value:,.4g}'} {unit}".rstrip()
    return f"from {number}" if len(number) <= ROOM else number


def tokens_of(model: str) -> tuple[float, str]:
    """Return a model's training tokens [token], and text on whether they are published or assumed."""
    published = rows("training_tokens", "name").get(architectures().get(model, ""))
    if published:
        return float(published["training_tokens"]), "as published"
    return TOKENS_WHERE_UNKNOWN, ASSUMED


@kept_by_release()
def recipes() -> Mapping[str, Mapping[str, Any]]:
    """Return the recipe that fills each model's empty settings, keyed by the model's option."""
    words = {name: word for word, name in architectures().items()}
    lines = rows("training_recipes", "run_id").values()
    return {
        words[line["architecture"]]: line
        for line in lines
        if line["is_default"] and line["architecture"] in words
    }


def as_published(name: str, *, model: str) -> tuple[float, str]:
    """Return a setting's value in the model's recipe, or the usual one if there is none, and text on which applies."""
    recipe = recipes().get(model)
    sequence = recipe["sequence_tokens"] if recipe else SEQUENCE_WHERE_UNKNOWN
    if name == "sequence":
        return sequence, "as published" if recipe else ASSUMED
    if name == "batch":
        batch = recipe["global_batch"] * sequence if recipe else BATCH_WHERE_UNKNOWN
        return batch / 1e6, "as published" if recipe else ASSUMED
    column, times, usual = OPEN_NUMBERS[name]
    own = times * recipe[column] if recipe else math.nan
    return (usual, USUAL[name]) if math.isnan(own) else (own, "as published")


@dataclass(frozen=True, kw_only=True)
class Price:
    """An accelerator's hourly price [USD], its origin, and whether it is from our price list.

    ``spread`` is the range that covers 90% of providers' prices, relative to the price. [1]
    """

    usd: float
    basis: str
    listed: bool = False
    spread: tuple[float, float] = (1.0, 1.0)


@kept_by_release()
def price_of(name: str, *, product: str, release: str) -> Price:
    """Return an accelerator's hourly price: the median over providers, or an assumed price if there is none."""
    listed = rent(release, name)
    if not listed:
        basis = f"{ASSUMED}: no price of the {product} in our table"
        return Price(usd=PRICE_WHERE_UNKNOWN_USD, basis=basis)
    basis = f"median of {listed.providers} providers' on-demand prices of the {product}"
    return Price(usd=listed.middle, basis=basis, listed=True, spread=listed.spread(0.9))
