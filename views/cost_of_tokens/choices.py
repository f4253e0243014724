"""The accelerators that a reader of /cost-of-tokens can choose: those of data centres with a listed rent."""

from functools import cache
from typing import Any

from data import standing
from data.releases import latest, load
from views.models import slug


@cache
def names() -> dict[str, str]:
    """Return the accelerators of data centres that are listed for rent, by their word in a link, newest first."""
    listed: Any = standing.table("cloud_prices")
    rented = set(listed.loc[(listed["tier"] == "on-demand") & ~listed["stale"], "accelerator"])
    chips: Any = load(latest()).accelerators
    chips = chips.loc[chips["name"].isin(rented) & (chips["segment"] == "data-centre")]
    chips = chips.sort_values(["released_on", "name"], ascending=[False, True])
    return {slug(row["product"]): str(row["name"]) for row in chips.to_dict("records")}


@cache
def short_names() -> dict[str, str]:
    """Return what those accelerators are called in a sentence: B200, A100 80 GB, by their whole name."""
    products = {
        str(row["name"]): str(row["product"]) for row in load(latest()).accelerators.to_dict("records")
    }
    return {name: products[name] for name in names().values()}


def accelerators() -> dict[str, tuple[str, str]]:
    """Return the options of the setting: word, label and meaning."""
    return {word: (short_names()[name], name) for word, name in names().items()}
