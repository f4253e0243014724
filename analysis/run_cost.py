"""What a run takes in days, energy and money."""

from dataclasses import dataclass

DAY_S = 86400.0
HOUR_S = 3600.0
JOULE_PER_KWH = 3.6e6


@dataclass(frozen=True, kw_only=True)
class RunCost:
    """Time [day], accelerator-hours [h], energy [J] and cost [USD] of a run."""

    days: float
    accelerator_hours: float
    energy_j: float
    cost_usd: float

    @property
    def energy_gwh(self) -> float:
        """Return the energy in the unit of newspapers. [GWh]"""
        return self.energy_j / JOULE_PER_KWH / 1e6


def energy_j(
    *, accelerators: float, power_w_per_accelerator: float, seconds: float, pue: float = 1.0
) -> float:
    """Return the energy of a run: power, time, and the building's overhead. [J]

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
    """Return days, accelerator-hours, energy and cost of a run of ``seconds``.

    Spares, a share of the ``accelerators`` that stand by, are paid for and powered as these are.
    """
    if not 0 <= spare_share < float("inf"):
        raise ValueError(
            f"spare_share is spares over accelerators, zero or more; got {spare_share:g}. Pass 0 for none."
        )
    billed = accelerators * (1 + spare_share)
    hours = billed * seconds / HOUR_S
    return RunCost(
        days=seconds / DAY_S,
        accelerator_hours=hours,
        energy_j=energy_j(
            accelerators=billed,
            power_w_per_accelerator=power_w_per_accelerator,
            seconds=seconds,
            pue=pue,
        ),
        cost_usd=hours * usd_per_accelerator_hour,
    )
