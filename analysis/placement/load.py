"""How many requests share a step, how long they wait for their turn, and how many machines a load needs."""

from collections.abc import Callable

import numpy as np

from analysis.arrays import BoolArray, FloatArray

HALVINGS = 4
"""So often the gap between too few machines and enough is halved: to 3 % of a step by halves. [1]"""


def tried_batches(most: FloatArray) -> FloatArray:
    """Return the batches to choose from, two to a doubling up to ``most``, shape (batches, cells, places)."""
    most = np.maximum(most, 1.0)
    steps = np.floor(np.exp2(np.arange(0.0, np.log2(np.max(most, initial=1.0)) + 0.5, 0.5)))
    return np.minimum(np.unique(steps)[:, None, None], np.atleast_2d(most))


NEARLY = 1.1  # so much later than the soonest is nearly as soon


def largest_batch(
    tried: FloatArray, *, slow: FloatArray | None = None, late: FloatArray | None = None
) -> FloatArray:
    """Return the largest batch that keeps what is promised, at least one, shape (cells, places).

    ``slow`` and ``late`` say by what share of its limit each of the tried batches takes a step, and to its first token;
    1 is at the limit, None where there is none. Where no batch keeps a limit, those count that are nearly as soon as
    any.
    """
    within = np.ones(np.shape(tried), dtype=bool)
    for share in (slow, late):
        if share is not None:
            least = np.min(np.where(within, share, np.inf), axis=0)
            within &= share <= np.maximum(1.0, NEARLY * least)
    return np.max(np.where(within, tried, 1.0), axis=0)


def carrying(tried: FloatArray, *, full: FloatArray, arriving: FloatArray, largest: FloatArray) -> FloatArray:
    """Return how many requests share a step when so many arrive: the fewest that carry them, (cells, places).

    ``full`` is what each tried batch carries and ``arriving`` what comes. [1/s]
    """
    return np.min(np.where((full >= arriving) & (tried <= largest), tried, largest), axis=0)


def full_load_per_s(
    *,
    step_s: FloatArray,
    prompt_s: FloatArray,
    batch: FloatArray,
    output_tokens: FloatArray,
    mixed: BoolArray,
) -> FloatArray:
    """Return requests a second of one copy at full load, shapes broadcast. [1/s]

    ``mixed`` marks engines whose steps carry their share of prompts already: a request has its place from its first
    token's wait on until its answer is written, as in a closed loop. Elsewhere a prompt stops the others.
    """
    together_s = (prompt_s + np.maximum(output_tokens - 1.0, 0.0) * step_s) / batch
    return 1.0 / np.where(mixed, together_s, prompt_s + output_tokens * step_s / batch)


def waiting_time_s(
    *, requests_per_s: FloatArray, service_time_s: FloatArray, servers: FloatArray | float = 1.0
) -> FloatArray:
    """Return the mean wait before service of exponential length begins, infinite from full load on. [s]

    For more than one of ``servers``, which is how many requests a device works on at once, it is approximate.

    References
    ----------
    One server: M/M/1, Kleinrock, "Queueing Systems", vol. 1, section 3.2. Many: Sakasegawa, Ann. Inst. Stat. Math. 29A,
    1977, equation 2.10.
    """
    load = requests_per_s * service_time_s / servers
    free = np.clip(1.0 - load, 1e-12, None)
    power = np.sqrt(2 * (np.asarray(servers) + 1)) - 1
    wait = service_time_s * np.minimum(load, 1.0) ** power / (servers * free)
    return np.where(load < 1.0, wait, np.inf)


def waiting_s(
    *,
    requests_per_s: FloatArray,
    per_s: FloatArray,
    prompt_s: FloatArray,
    slots: FloatArray,
    machines: FloatArray,
) -> FloatArray:
    """Return the mean wait for a place in a batch, and behind other prompts, shapes broadcast. [s]

    ``requests_per_s`` reach each of ``machines``, which carry ``per_s`` at most, ``slots`` at once; all share one line.
    ``prompt_s`` is what a prompt keeps the others waiting, 0 where its own time holds that wait already.
    """
    line = waiting_time_s(
        requests_per_s=requests_per_s * machines, service_time_s=slots / per_s, servers=slots * machines
    )
    behind = waiting_time_s(requests_per_s=requests_per_s, service_time_s=prompt_s)
    return line + np.where(slots > 1, behind, 0.0)


def machines_for(
    peak_per_s: FloatArray,
    *,
    most_per_s: FloatArray,
    slots: FloatArray,
    prompt_s: FloatArray,
    first_s: Callable[[FloatArray], FloatArray],
    slowest: FloatArray,
    limit_s: float | None,
    utilization: float | FloatArray,
) -> FloatArray:
    """Return how many machines are bought or rented: enough for the utilization, and for the wait where that is less.

    Their number is raised by halves while, at the speed that is promised, the mean wait takes the first token past
    ``limit_s``, and then brought down to the fewest that keep it, to a few per cent; where eleven times as many do not
    help, the utilization counts. ``first_s`` is its time without that wait where so many requests a second reach each
    machine.
    """
    least = np.maximum(np.ceil(peak_per_s / (most_per_s * utilization)), 1.0)
    if limit_s is None:
        return least

    def enough(tried: FloatArray) -> BoolArray:
        wait = waiting_s(
            requests_per_s=peak_per_s / tried,
            per_s=most_per_s * slowest,
            prompt_s=prompt_s,
            slots=slots,
            machines=tried,
        )
        return first_s(peak_per_s / tried) + wait <= limit_s

    chosen, few, settled = least, least, first_s(np.zeros(np.shape(least))) > limit_s
    for times in 1.5 ** np.arange(7.0):
        tried = np.ceil(least * times)
        good = enough(tried)
        chosen = np.where(good & ~settled, tried, chosen)
        few = np.where(good | settled, few, tried)
        settled = settled | good
        if settled.all():
            break
    for _ in range(HALVINGS):
        between = chosen - few > 1
        if not between.any():
            break
        tried = np.where(between, np.floor((few + chosen) / 2), chosen)
        good = enough(tried)
        chosen, few = np.where(between & good, tried, chosen), np.where(between & ~good, tried, few)
    return chosen
