"""What is known of each technique: its name, what it costs, its quality as published, and what it does not do."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from analysis.techniques.setup import PHASES, Phase
from data import sources, standing
from data.by_release import ByRelease


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """A technique in words: label, meaning, price, published quality and the address of its source.

    ``limit`` is told in its phases, ``costly`` only where the technique costs what it is meant to save.
    """

    label: str
    meaning: str
    costs: str
    quality: str
    source: str
    idle: str = "This phase does not use what it changes."
    acts_on: str = "the technique acts on something else"
    limit: str = ""
    limit_phases: tuple[Phase, ...] = PHASES
    costly: str = ""
    plural: bool = False

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> "Evidence":
        """Return the evidence of a row of the standing table ``techniques``; empty cells are as above."""
        optional = {name: row[name] for name in ("idle", "acts_on", "limit", "costly") if row[name]}
        if row["limit_phases"]:
            optional["limit_phases"] = cast(tuple[Phase, ...], tuple(row["limit_phases"].split(";")))
        return cls(
            label=row["label"],
            meaning=row["meaning"],
            costs=row["costs"],
            quality=row["quality"],
            source=sources.address(row["source_id"]),
            plural=bool(row["plural"]),
            **optional,
        )


EVIDENCE = ByRelease(
    lambda: {
        str(row["technique"]): Evidence.from_row(cast(Mapping[str, Any], row))
        for row in standing.table("techniques").to_dict("records")
    }
)
"""The evidence by technique, in the order in which they are offered."""
