"""Time of collective communication, by pattern, message size and number of devices."""

import numpy as np
from numpy.typing import ArrayLike

from analysis.arrays import FloatArray


def _arrays(*values: ArrayLike) -> list[FloatArray]:
    return [np.asarray(value, dtype=np.float64) for value in values]


def _checked(message_byte: ArrayLike, *, ranks: ArrayLike, bandwidth: ArrayLike) -> list[FloatArray]:
    size, n, rate = _arrays(message_byte, ranks, bandwidth)
    if (n < 1).any():
        raise ValueError(f"ranks counts devices, at least 1; got {n.min():g}. Pass 1 for no communication.")
    if (rate <= 0).any():
        raise ValueError(
            f"bandwidth is positive, in byte/s per direction and device; got {rate.min():g}. "
            "Take it from the datasheet."
        )
    return [size, n, rate]


def ring_all_reduce_s(
    message_byte: ArrayLike, *, ranks: ArrayLike, bandwidth: ArrayLike, latency_s: float = 0.0
) -> FloatArray:
    """Return the time of a ring all-reduce: 2 (n - 1)/n S/B, and 2 (n - 1) hops of latency. [s]

    ``bandwidth`` is per direction and device. [byte/s] The bytes sent per device hardly depend on n.

    References
    ----------
    Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms", J. Parallel Distrib. Comput. 69, 2009.
    """
    size, n, rate = _checked(message_byte, ranks=ranks, bandwidth=bandwidth)
    return 2 * (n - 1) / n * size / rate + 2 * (n - 1) * latency_s


def reduce_scatter_s(
    message_byte: ArrayLike, *, ranks: ArrayLike, bandwidth: ArrayLike, latency_s: float = 0.0
) -> FloatArray:
    """Return the time of a ring reduce-scatter or all-gather: (n - 1)/n S/B and n - 1 hops of latency. [s]

    References
    ----------
    See :func:`ring_all_reduce_s`, which consists of both.
    """
    return ring_all_reduce_s(message_byte, ranks=ranks, bandwidth=bandwidth, latency_s=latency_s) / 2


def tree_all_reduce_s(
    message_byte: ArrayLike, *, ranks: ArrayLike, bandwidth: ArrayLike, latency_s: float = 0.0
) -> FloatArray:
    """Return the time of a double-binary-tree all-reduce: 2 S/B and 2 log2 n hops of latency. [s]

    The time is zero for one device.

    References
    ----------
    Sanders, Speck and Traff, "Two-tree algorithms for full bandwidth broadcast, reduction and scan",
    Parallel Computing 35, 2009.
    """
    size, n, rate = _checked(message_byte, ranks=ranks, bandwidth=bandwidth)
    return np.where(n > 1, 2 * size / rate + 2 * np.log2(n) * latency_s, 0.0)


def all_to_all_s(
    message_byte: ArrayLike, *, ranks: ArrayLike, bandwidth: ArrayLike, latency_s: float = 0.0
) -> FloatArray:
    """Return the time of an all-to-all: each device sends an equal part of its S bytes to each other device. [s]

    It is (n - 1)/n S/B if every device has full bandwidth to all others at once, plus n - 1 message latencies.

    References
    ----------
    Thakur, Rabenseifner and Gropp, "Optimization of Collective Communication Operations in MPICH",
    Int. J. High Perform. Comput. Appl. 19, 2005, section 3.4 (pairwise exchange).
    """
    size, n, rate = _checked(message_byte, ranks=ranks, bandwidth=bandwidth)
    return (n - 1) / n * size / rate + (n - 1) * latency_s


def dispatch_s(
    message_byte: ArrayLike,
    *,
    copies: ArrayLike,
    ranks: ArrayLike,
    domains: ArrayLike,
    link_byte_per_s: float,
    network_byte_per_s: float,
    latency_s: float = 0.0,
) -> FloatArray:
    """Return the time for each device to send its S bytes of tokens to their experts. [s]

    A token goes to ``copies`` of the experts on ``ranks`` devices, which fill ``domains`` scale-up domains. It crosses
    the network once for every other domain that has one of its experts, m (1 - (1 - 1/m)^k) (m - 1)/m times on average.
    There it is copied over the chip link k (r - 1)/r times among the r devices of a domain.

    References
    ----------
    DeepSeek-AI, "DeepSeek-V3 Technical Report", arXiv:2412.19437, section 3.2.2.
    """
    size, n, link = _checked(message_byte, ranks=ranks, bandwidth=link_byte_per_s)
    k, m, network = _arrays(copies, domains, min(network_byte_per_s, link_byte_per_s))
    m = np.minimum(np.maximum(m, 1.0), n)
    abroad = m * (1 - (1 - 1 / m) ** k) * (m - 1) / m
    at_home = k * (1 - m / n)
    return size * (abroad / network + at_home / link) + (n - 1) * latency_s


def group_bandwidth(
    *,
    ranks: ArrayLike,
    stride: ArrayLike,
    domain_size: float,
    link_byte_per_s: float,
    network_byte_per_s: float,
) -> FloatArray:
    """Return the bandwidth per device of a ring over ``ranks`` devices spaced ``stride`` apart. [byte/s]

    Within a scale-up domain it is that of the chip link. A ring that leaves the domain uses the network ports of all
    its members there, up to the bandwidth of the chip link.

    References
    ----------
    Cho et al., "BlueConnect: Decomposing All-Reduce for Deep Learning on Heterogeneous Network Hierarchy",
    MLSys 2019, section 4.
    """
    n, step = _arrays(ranks, stride)
    members = np.clip(np.floor(domain_size / step), 1, n)
    outside = np.minimum(link_byte_per_s, members * network_byte_per_s)
    return np.where(n * step <= domain_size, link_byte_per_s, outside)
