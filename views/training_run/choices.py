"""The models and accelerators that a run can be computed for."""

from collections.abc import Mapping
from typing import Any, cast

import pandas as pd

from analysis.trend.calendar_year import decimal_year
from data.by_release import kept_by_release
from data.releases import Release, beside, load, reference
from data.standing import rows, table
from views.kept import kept
from views.models import slug
from views.settings import Option


@kept_by_release()
def architectures() -> dict[str, str]:
    """Return the models whose shape is known and whose layers all attend: word in the link, name.

    Linear layers' products and states in training are not modelled.
    """
    frame = table("architectures")
    frame = frame.loc[frame["n_linear_layers"] == 0]
    known = frame.loc[frame[["n_layers", "hidden_size", "n_heads", "vocabulary"]].notna().all(axis=1)]
    ordered = known.sort_values(["n_parameters", "name"], ascending=[False, True])
    return {slug(name): str(name) for name in ordered["name"]}


@kept
def trainable(release: Release) -> pd.DataFrame:
    """Return the accelerators of a release that a run can be computed for, the newest first; read-only."""
    parts = release.accelerators
    known = parts[["peak_fp16_dense_flop_per_s", "memory_bandwidth_byte_per_s", "memory_capacity_byte"]]
    usable = parts.loc[known.notna().all(axis=1) & (parts["memory_capacity_byte"] >= 8e9)]
    usable = usable.loc[(usable["segment"] != "consumer") & usable["released_on"].notna()]
    ordered = usable.sort_values(["representative", "released_on"], ascending=[False, False], kind="stable")
    unique = ordered.drop_duplicates("product")
    return unique.sort_values(["released_on", "product"], ascending=[False, True], kind="stable")


@kept
def trainable_rows(release: Release) -> Mapping[str, Mapping[str, Any]]:
    """Return those accelerators as plain values by product, with their ``released_year``; read-only."""
    parts = trainable(release).assign(released_year=lambda chips: decimal_year(chips["released_on"]))
    rows = cast(list[dict[str, Any]], parts.to_dict("records"))
    return {row["product"]: row for row in rows}


@kept_by_release()
def accelerators() -> Mapping[str, str]:
    """Return the accelerators of the newest release, then what earlier ones had: word in the link, product; read-only.

    A link made of an earlier release is followed for good, whatever a later one leaves out.
    """
    newest_first = (
        product for release in reversed(beside()) for product in trainable(load(release))["product"]
    )
    found: dict[str, str] = {}
    for product in map(str, newest_first):
        found.setdefault(slug(product), product)
    return found


@kept_by_release()
def offered() -> Mapping[str, Option]:
    """Return the options of the setting; what the newest release has no more says so, as links alone lead there."""
    newest = set(trainable(load(reference()))["product"])
    return {
        word: product if product in newest else (f"{product} (earlier releases)", product)
        for word, product in accelerators().items()
    }


def chip_kind(product: str) -> str:
    """Return which chips a product is held against, by the standing table ``training_kinds``; ``""`` for none."""
    row = rows("training_kinds", "chip").get(product.split()[0])
    return "" if row is None else str(row["kind"])
