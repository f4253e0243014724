"""Batch sizes, queueing times and numbers of machines for a load."""

from collections.abc import Callable

import numpy as np

from analysis.arrays import BoolArray, FloatArray

HALVINGS = 4
"""Number of bisections between too few machines and enough. Four narrow a step of 50% to 3%. [1]"""


def tried_batches(most: FloatArray) -> FloatArray:
    """Return the batch sizes to try, two per doubling, shape (batches, cells, places)."""
    most = np.maximum(most, 1.0)
    steps = np.floor(np.exp2(np.arange(0.0, np.log2(np.max(most, initial=1.0)) + 0.5, 0.5)))
    return np.minimum(np.unique(steps)[:, None, None], np.atleast_2d(most))


NEARLY = 1.1  # times this factor above the minimum count as nearly minimal


def largest_batch(
    tried: FloatArray, *, slow: FloatArray | None = None, late: FloatArray | None = None
) -> FloatArray:
    """Return the largest batch that meets the limits, but at least one request, shape (cells, places).

    ``slow`` and ``late`` are the ratios of step time and of time to first token to their limits, by batch; 1 is at the
    limit, None means no limit. If no batch meets a limit, batches that come close to the minimum count.
    """
    within = np.ones(np.shape(tried), dtype=bool)
    for share in (slow, late):
        if share is not None:
            least = np.min(np.where(within, share, np.inf), axis=0)
            within &= share <= np.maximum(1.0, NEARLY * least)
    return np.max(np.where(within, tried, 1.0), axis=0)


def carrying(tried: FloatArray, *, full: FloatArray, arriving: FloatArray, largest: FloatArray) -> FloatArray:
    """Return the smallest batch that lets a machine keep up with the load, shape (cells, places).

    ``full`` is the capacity of each candidate batch and ``arriving`` the load. [1/s]
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
    """Return the requests per second of one copy at full load. Shapes broadcast. [1/s]

    ``mixed`` marks engines whose steps include their share of prefill: a request occupies a slot from its wait for the
    first token until its answer is complete, as in a closed loop. On other engines prefill blocks other requests.
    """
    together_s = (prompt_s + np.maximum(output_tokens - 1.0, 0.0) * step_s) / batch
    return 1.0 / np.where(mixed, together_s, prompt_s + output_tokens * step_s / batch)


def waiting_time_s(
    *, requests_per_s: FloatArray, service_time_s: FloatArray, servers: FloatArray | float = 1.0
) -> FloatArray:
    """Return the mean wait before service of exponentially distributed length. Infinite at full load or above. [s]

    It is approximate for more than one of ``servers``, the number of requests that a device processes at once.

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
    """Return the mean wait for a slot in a batch and for other prompts. Shapes broadcast. [s]

    ``requests_per_s`` arrive at each of ``machines``, which serve at most ``per_s`` a second, ``slots`` at once; all
    share one queue. ``prompt_s`` is how long prefill blocks other requests, 0 if its own time includes that wait.
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
    """Return how many machines are needed to keep the utilization and the wait within their limits.

    At the promised speed, the number grows by half while the mean wait takes the time to first token past ``limit_s``,
    and is then bisected to the fewest that meet it, within a few percent. If eleven times as many do not help, the
    utilization decides. ``first_s`` returns the time to first token without that wait, given requests a second per
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
