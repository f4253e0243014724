"""The accelerators that a reader of /cost-of-tokens can choose: those of data centres with a listed rent."""

from collections.abc import Mapping
from typing import Any

from data import standing
from data.by_release import kept_by_release
from data.releases import beside, load
from views.models import slug


def names() -> Mapping[str, str]:
    """Return the accelerators of data centres that are listed for rent, by their word in a link; read-only.

    Those of the newest release come first, the newest first, then what earlier releases had: their links are followed.
    """
    return {word: name for word, (_, name) in accelerators().items()}


def short_names() -> Mapping[str, str]:
    """Return what those accelerators are called in a sentence: B200, A100 80 GB, by their whole name."""
    return {name: short for short, name in reversed(list(accelerators().values()))}


@kept_by_release()
def accelerators() -> Mapping[str, tuple[str, str]]:
    """Return the options of the setting: word, label and meaning; read-only."""
    listed: Any = standing.table("cloud_prices")
    rented = set(listed.loc[(listed["tier"] == "on-demand") & ~listed["stale"], "accelerator"])
    found: dict[str, tuple[str, str]] = {}
    for release in reversed(beside()):
        chips: Any = load(release).accelerators
        chips = chips.loc[chips["name"].isin(rented) & (chips["segment"] == "data-centre")]
        chips = chips.sort_values(["released_on", "name"], ascending=[False, True])
        for row in chips.to_dict("records"):
            found.setdefault(slug(row["product"]), (str(row["product"]), str(row["name"])))
    return found
