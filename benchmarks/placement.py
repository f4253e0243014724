"""How long placement takes: fitting with every device left out once, and a full map with a thousand draws."""

import time

import numpy as np

from analysis.chances import probability_of_time, speed_factors
from analysis.placement.models import fit_placement
from analysis.placement.tables import tables

CELLS, PLACES, DRAWS = 40 * 40, 14, 1000


def seconds(work) -> float:
    """Return the shortest of three runs. [s]"""
    taken = []
    for _ in range(3):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return min(taken)


def main() -> None:
    """Print both times."""
    ours = tables()

    def fitted():
        return fit_placement(ours.measured, architectures=ours.architectures, edge_devices=ours.edge_devices)

    spread = fitted().decode.spread
    scales = np.linspace(0.1, 0.5, PLACES)
    cells = np.random.default_rng(0).random((2, CELLS, PLACES))

    def chance_map() -> None:
        factors = speed_factors(spread, scales, draws=DRAWS, seed=1)
        probability_of_time(fixed_s=0.2 * cells[0], scaled_s=cells[1], factors=factors, limit_s=1.0)

    print(f"placement: fit and every device left out once: {seconds(fitted):.2f} s")
    print(
        f"placement: chances of {CELLS} cells x {PLACES} places x {DRAWS} draws: {seconds(chance_map):.3f} s"
    )


if __name__ == "__main__":
    main()
