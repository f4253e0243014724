"""What a technique may save: each measure in words, and the growth its saving is counted in."""

from dataclasses import dataclass

from analysis.techniques.worth import BillField


@dataclass(frozen=True, kw_only=True)
class Measure:
    """What is compared before and after: field of a bill, words, unit, brief words, and the growth it is counted in."""

    field: BillField
    words: str
    meaning: str
    unit: str
    brief: str
    metric: str = "memory-bandwidth"
    growth: str = "bandwidth"


MEASURES = {
    "time": Measure(field="time_s", words="time", meaning="time per token", unit="s", brief="time"),
    "bytes": Measure(
        field="moved_byte",
        words="traffic to memory",
        meaning="bytes to and from memory per token",
        unit="byte",
        brief="memory traffic",
    ),
    "memory": Measure(
        field="memory_byte",
        words="memory",
        meaning="memory held on a chip, in years of capacity growth",
        unit="byte",
        brief="memory",
        metric="memory-capacity",
        growth="capacity",
    ),
    "flop": Measure(
        field="flop", words="operations", meaning="operations per token", unit="FLOP", brief="operations"
    ),
    "links": Measure(
        field="link_byte",
        words="traffic between chips",
        meaning="bytes to other chips per token, training",
        unit="byte",
        brief="link traffic",
    ),
}
