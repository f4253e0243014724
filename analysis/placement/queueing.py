"""How long a request waits for its turn, and when its first token reaches the reader."""

import numpy as np

from analysis.arrays import FloatArray


def waiting_time_s(
    *,
    requests_per_s: float | FloatArray,
    service_time_s: float | FloatArray,
    servers: float | FloatArray = 1.0,
    variation: float | FloatArray = 1.0,
) -> FloatArray:
    """Return the mean wait before service begins, infinite from full load on; shapes broadcast. [s]

    ``variation`` is the coefficient of variation of service times: 0 for equal requests (M/D/1), 1 for exponential
    (M/M/1). For ``servers`` > 1, whose number is the requests a device works on at once, Sakasegawa's approximation.

    References
    ----------
    Pollaczek-Khinchine: Kleinrock, "Queueing Systems", vol. 1, section 5.6, with
    (1 + variation^2)/2; Sakasegawa, Ann. Inst. Stat. Math. 29A, 1977, equation 2.10 for many servers.
    """
    arrivals, service = np.asarray(requests_per_s, dtype=float), np.asarray(service_time_s, dtype=float)
    servers, variation = np.asarray(servers, dtype=float), np.asarray(variation, dtype=float)
    for name, value, least in (
        ("requests_per_s", arrivals, 0.0),
        ("service_time_s", service, 0.0),
        ("servers", servers, 1.0),
        ("variation", variation, 0.0),
    ):
        if np.any(value < least) or np.any(np.isnan(value)):
            raise ValueError(f"{name} is {least:g} or more; got {np.min(value):g}. Check its unit and sign.")
    load = arrivals * service / servers
    free = np.clip(1.0 - load, 1e-12, None)
    wait = (
        (1 + variation**2)
        / 2
        * service
        * np.minimum(load, 1.0) ** (np.sqrt(2 * (servers + 1)) - 1)
        / (servers * free)
    )
    return np.where(load < 1.0, wait, np.inf)
