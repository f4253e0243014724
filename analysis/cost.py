"""Cost and energy of requests and training runs, on rented or owned hardware."""

from dataclasses import dataclass

import numpy as np

from analysis.arrays import FloatArray
from analysis.units import DAY_S, HOUR_S, JOULE_PER_KWH, YEAR_S

SERVER_POWER = 1.5
"""Power of an accelerator with its share of the server, relative to the chip's own power. At most 10.2 kW for
eight chips of 700 W (NVIDIA DGX H100), less in use. [1]"""


def rented_usd_per_1000_requests(
    *,
    price_usd_per_hour: float | FloatArray,
    requests_per_s_at_full_load: float | FloatArray,
    utilization: float | FloatArray,
) -> FloatArray:
    """Return the rent for 1,000 requests at a given utilization. Shapes broadcast. [USD]

    Raises ValueError if utilization is outside (0, 1].
    """
    return (
        1000.0
        * np.asarray(price_usd_per_hour, dtype=float)
        / (HOUR_S * np.asarray(requests_per_s_at_full_load) * _share(utilization))
    )


def owned_usd_per_1000_requests(
    *,
    price_usd: float | FloatArray,
    years: float,
    share: float,
    requests_per_day: float | FloatArray,
    energy_j_per_request: float | FloatArray,
    electricity_usd_per_kwh: float,
) -> FloatArray:
    """Return the cost of 1,000 requests on an owned device. Shapes broadcast. [USD]

    ``share`` is the part of the price charged to this work: 0 for a device that is owned anyway. The price is spread
    evenly over ``years``; electricity is added.

    Raises ValueError if years or requests are not positive, or share is outside [0, 1].
    """
    requests = np.asarray(requests_per_day, dtype=float)
    if not years > 0 or np.any(requests <= 0):
        raise ValueError(
            f"a device is used for more than 0 years and 0 requests a day; got {years:g} and {np.min(requests):g}. "
            "Pass the years it is kept and at least one request a day."
        )
    if not 0 <= share <= 1:
        raise ValueError(
            f"share is the part of the price charged to this work, 0 to 1; got {share:g}. For half pass 0.5."
        )
    price = 1000.0 * share * np.asarray(price_usd, dtype=float) / (years * (YEAR_S / DAY_S) * requests)
    return price + 1000.0 * np.asarray(energy_j_per_request) / JOULE_PER_KWH * electricity_usd_per_kwh


def _share(utilization: float | FloatArray) -> FloatArray:
    share = np.asarray(utilization, dtype=float)
    if np.any(share <= 0) or np.any(share > 1) or np.any(np.isnan(share)):
        raise ValueError(
            f"utilization is a share above 0 and up to 1; got {np.min(share):g} to "
            f"{np.max(share):g}. For 60% pass 0.6."
        )
    return share


@dataclass(frozen=True, kw_only=True)
class RunCost:
    """The duration [day], energy [J] and cost [USD] of a run."""

    days: float
    energy_j: float
    cost_usd: float

    @property
    def energy_gwh(self) -> float:
        """Return the energy of the run. [GWh]"""
        return self.energy_j / JOULE_PER_KWH / 1e6


def run_energy_j(
    *, accelerators: float, power_w_per_accelerator: float, seconds: float, pue: float = 1.0
) -> float:
    """Return the energy of a run, computed from its accelerator count, power, duration and PUE. [J]

    ``power_w_per_accelerator`` includes its share of the server. ``pue`` is total power over computing power.

    References
    ----------
    Patterson et al., "Carbon Emissions and Large Neural Network Training", arXiv:2104.10350, section 2.5.
    """
    if pue < 1:
        raise ValueError(
            f"pue is total power over computing power, at least 1; got {pue:g}. Good halls reach 1.1."
        )
    return accelerators * power_w_per_accelerator * seconds * pue


def run_cost(
    *,
    accelerators: float,
    seconds: float,
    power_w_per_accelerator: float,
    pue: float,
    usd_per_accelerator_hour: float,
    spare_share: float = 0.0,
) -> RunCost:
    """Return the duration, energy and cost of a run that takes ``seconds``.

    Spares, given as a share of the ``accelerators``, are charged and powered like the others.
    """
    if not 0 <= spare_share < float("inf"):
        raise ValueError(
            f"spare_share is spares over accelerators, zero or more; got {spare_share:g}. Pass 0 for none."
        )
    billed = accelerators * (1 + spare_share)
    return RunCost(
        days=seconds / DAY_S,
        energy_j=run_energy_j(
            accelerators=billed, power_w_per_accelerator=power_w_per_accelerator, seconds=seconds, pue=pue
        ),
        cost_usd=billed * seconds / HOUR_S * usd_per_accelerator_hour,
    )
