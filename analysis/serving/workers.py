"""How many workers read prompts, and how many write answers, where these are apart and a case does not say."""

import math
from dataclasses import dataclass

WRITERS, READERS = 3.0, 2.0
"""Workers that write and that read where a case does not say: the median and the mean of the measured deployments that
do; most of these have one that reads, large ones many."""
FEWEST_WRITERS, MOST_WRITERS = 1.0, 9.0
FEWEST_READERS, MOST_READERS = 1.0, 6.0
"""Nine in ten of the measured deployments lie between these; intervals hold them all."""


@dataclass(frozen=True, kw_only=True)
class Workers:
    """Workers that write answers and that read prompts; ``others`` are pairs that may be meant as well."""

    writers: float
    readers: float
    others: tuple[tuple[float, float], ...] = ()
    note: str = ""


def disaggregated_workers(
    *, writers: float, readers: float, accelerators: float, writer_chips: float, reader_chips: float
) -> Workers:
    """Return how many workers write and read, from what is said of them, each NaN where nothing is.

    Of a number of ``accelerators`` those that read leave the rest for writing. Where neither tells, the middle of the
    measured deployments is taken.
    """

    def rest(reading: float) -> float:
        return (accelerators - reading * reader_chips) / writer_chips

    if not math.isnan(writers):
        if not math.isnan(readers):
            return Workers(writers=writers, readers=readers)
        return _unsaid((writers, writers), usual=(writers, READERS), readers=readers)
    if not math.isnan(readers):
        if rest(readers) >= 1:
            return Workers(writers=rest(readers), readers=readers, note=_told(rest(readers), readers))
        return _unsaid((FEWEST_WRITERS, MOST_WRITERS), usual=(WRITERS, readers), readers=readers)
    most = (accelerators - writer_chips) / reader_chips
    if not most >= 1:
        return _unsaid((FEWEST_WRITERS, MOST_WRITERS), usual=(WRITERS, READERS), readers=readers)
    reading = min(READERS, math.floor(most))
    others = {FEWEST_READERS, min(MOST_READERS, math.floor(most))} - {reading}
    return Workers(
        writers=rest(reading),
        readers=reading,
        others=tuple((rest(each), each) for each in sorted(others)),
        note=f"{_told(rest(reading), reading)}, as nothing is said of them",
    )


def _told(writers: float, readers: float) -> str:
    return f"prompts read apart: {readers:g} workers for them and {writers:g} for answers"


def _unsaid(writing: tuple[float, float], *, usual: tuple[float, float], readers: float) -> Workers:
    """Return the middle of measured deployments with the ends of their range."""
    reading = (FEWEST_READERS, MOST_READERS) if math.isnan(readers) else (readers, readers)
    others = {(many, few) for many in writing for few in reading} - {usual}
    ends = [
        f"{low:g} to {high:g} {what}"
        for (low, high), what in ((reading, "for them"), (writing, "for answers"))
        if low != high
    ]
    return Workers(
        writers=usual[0],
        readers=usual[1],
        others=tuple(sorted(others)),
        note=f"{_told(*usual)}, the middle of measured deployments, as nothing is said; intervals hold "
        f"{' and '.join(ends)}",
    )
