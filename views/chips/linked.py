"""Chips and the links between them. A release's numbers take precedence over our table of links."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from analysis.hardware.chip import Chip, CoreMesh, link_of
from analysis.hardware.matmul_rates import MatmulRates
from analysis.latency_floor.today import Today
from analysis.trend.calendar_year import decimal_year
from data import standing
from data.by_release import ByRelease, kept_by_release
from data.releases import Release

LINKS = ByRelease(lambda: standing.rows("chip_links", "product"))
"""Rows of our table of chip links, keyed by product."""

OFFERED: Mapping[str, Any] = ByRelease(
    lambda: {str(row["word"]): row for row in standing.table("chip_links").to_dict("records") if row["word"]}
)
"""Rows of chips that a setting can name, keyed by option."""

NAMES = ByRelease(lambda: {word: str(row["product"]) for word, row in OFFERED.items()})
SHORT_NAMES = ByRelease(
    lambda: {word: str(row["short_name"] or row["product"]) for word, row in OFFERED.items()}
)
"""Chip names short enough for the end of a line on a phone, keyed by option."""

DDR5_SERVER = "ddr5-server"
DDR5_WORDS = "a server socket with twelve channels of DDR5-6400"
CHIPS = ByRelease(
    lambda: {
        word: DDR5_WORDS if word == DDR5_SERVER else f"{row['product']}, {row['kind']}"
        for word, row in OFFERED.items()
    }
)

CHIP_OPTIONS = ByRelease(lambda: {word: (NAMES[word], meaning) for word, meaning in CHIPS.items()})
"""Name and description of each chip, keyed by option."""


@kept_by_release()
def latencies(word: str, *, line: str) -> Mapping[str, float]:
    """Return a chip's latencies in our table, keyed by quantity. ``line`` is "floor" or "today"."""
    rows = standing.table("chip_latencies").to_dict("records")
    return {
        str(row["quantity"]): float(row["value"])
        for row in rows
        if (row["chip"], row["line"]) == (word, line)
    }


@kept_by_release()
def today(word: str) -> Today | None:
    """Return a chip's current latencies. None if our table has none."""
    met = latencies(word, line="today")
    if not met:
        return None
    return Today(
        launch_s=met.get("launch_s"),
        launches_per_layer=met.get("launches_per_layer", 0.0),
        exchange_s=met.get("exchange_s"),
        exchange_step_s=met.get("exchange_step_s", 0.0),
        exchange_network_s=met.get("exchange_network_s", 0.0),
        link_hop_s=met.get("link_latency_s"),
        core_hop_s=met.get("core_hop_s"),
        in_a_row="in_a_row" in met,
    )


@kept_by_release()
def unseen(word: str) -> tuple[str, ...]:
    """Return the latencies of a chip that were not verified at their source."""
    rows = standing.table("chip_latencies").to_dict("records")
    return tuple(
        str(row["quantity"]) for row in rows if (row["chip"], row["provenance"]) == (word, "unverified")
    )


def _with_latencies_of(word: str, chip: Chip) -> Chip:
    """Return the chip, completed with our table's lowest latencies for its mesh of cores or its links."""
    least = latencies(word, line="floor")
    if "cores" in least:
        mesh = CoreMesh(
            cores=int(least["cores"]),
            hop_s=least["core_hop_s"],
            reductions_per_layer=int(least["reductions_per_layer"]),
        )
        chip = replace(chip, mesh=mesh)
    if "link_latency_s" in least:
        hop = least["link_latency_s"]
        chip = replace(chip, link_latency_s=hop)
        if "network_hops" in least:
            chip = replace(chip, network_latency_s=hop * least["network_hops"], direct_links=True)
    return chip


@kept_by_release()
def matmul_rates() -> MatmulRates:
    """Return the highest measured matmul rates of chip families, relative to their data-sheet peaks."""
    measured: Any = standing.table("published_matmul").to_dict("records")
    same_die: Any = standing.table("same_die").to_dict("records")
    return MatmulRates.from_rows(measured, same_die=same_die)


def linked_chip(word: str, release: Release) -> Chip | None:
    """Return the chip for an option. None if the release lacks its row, bandwidth, memory or link."""
    if word == DDR5_SERVER:
        return Chip.from_row(OFFERED[word], links=LINKS, released_year=math.inf)
    parts = release.accelerators
    parts = parts.loc[(parts["product"] == NAMES[word]) & parts["representative"]]
    if parts.empty:
        return None
    row: dict[str, Any] = parts.iloc[:1].to_dict("records")[0]
    known = row["memory_bandwidth_byte_per_s"] > 0 and row["memory_capacity_byte"] > 0 and link_of(row, LINKS)
    if not known:
        return None
    year = float(decimal_year(parts["released_on"].iloc[:1])[0])
    return _with_latencies_of(word, Chip.from_row(row, links=LINKS, released_year=year))
