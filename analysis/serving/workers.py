"""Numbers of prefill and decode workers for disaggregated cases that do not state them."""

import math
from dataclasses import dataclass

DECODE_WORKERS, PREFILL_WORKERS = 3.0, 2.0
"""Default numbers of decode and prefill workers. Median and mean of measured deployments that state them. Most have one
prefill worker, large ones many. [1]"""
FEWEST_DECODE, MOST_DECODE = 1.0, 9.0
FEWEST_PREFILL, MOST_PREFILL = 1.0, 6.0
"""Bounds that contain nine in ten of the measured deployments. Intervals cover them. [1]"""


@dataclass(frozen=True, kw_only=True)
class Workers:
    """Numbers of decode and prefill workers. ``others`` are alternative pairs."""

    decode_workers: float
    prefill_workers: float
    others: tuple[tuple[float, float], ...] = ()
    note: str = ""


def disaggregated_workers(
    *,
    decode_workers: float,
    prefill_workers: float,
    accelerators: float,
    decode_chips: float,
    prefill_chips: float,
) -> Workers:
    """Return the numbers of decode and prefill workers, derived from the stated ones. NaN means not stated.

    Given a number of ``accelerators``, those not used for prefill decode. If neither is stated, the typical numbers of
    measured deployments are used.
    """

    def rest(prefill: float) -> float:
        return (accelerators - prefill * prefill_chips) / decode_chips

    if not math.isnan(decode_workers):
        if not math.isnan(prefill_workers):
            return Workers(decode_workers=decode_workers, prefill_workers=prefill_workers)
        return _usual(decode=(decode_workers, decode_workers), usual=(decode_workers, PREFILL_WORKERS))
    if not math.isnan(prefill_workers):
        decode = rest(prefill_workers)
        if decode >= 1:
            note = _note(decode, prefill_workers)
            return Workers(decode_workers=decode, prefill_workers=prefill_workers, note=note)
        return _usual(prefill=(prefill_workers, prefill_workers), usual=(DECODE_WORKERS, prefill_workers))
    most = (accelerators - decode_chips) / prefill_chips
    if not most >= 1:
        return _usual(usual=(DECODE_WORKERS, PREFILL_WORKERS))
    prefill = min(PREFILL_WORKERS, math.floor(most))
    others = {FEWEST_PREFILL, min(MOST_PREFILL, math.floor(most))} - {prefill}
    return Workers(
        decode_workers=rest(prefill),
        prefill_workers=prefill,
        others=tuple((rest(each), each) for each in sorted(others)),
        note=f"{_note(rest(prefill), prefill)}, as nothing is said of them",
    )


def _note(decode: float, prefill: float) -> str:
    return f"prompts read apart: {prefill:g} workers for them and {decode:g} for answers"


def _usual(
    *,
    usual: tuple[float, float],
    decode: tuple[float, float] = (FEWEST_DECODE, MOST_DECODE),
    prefill: tuple[float, float] = (FEWEST_PREFILL, MOST_PREFILL),
) -> Workers:
    """Return the typical numbers of workers in measured deployments, and the bounds of their range."""
    others = {(many, few) for many in decode for few in prefill} - {usual}
    ends = [
        f"{low:g} to {high:g} {what}"
        for (low, high), what in ((prefill, "for them"), (decode, "for answers"))
        if low != high
    ]
    return Workers(
        decode_workers=usual[0],
        prefill_workers=usual[1],
        others=tuple(sorted(others)),
        note=f"{_note(*usual)}, the middle of measured deployments, as nothing is said; intervals hold "
        f"{' and '.join(ends)}",
    )
