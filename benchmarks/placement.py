"""How long placement takes: fitting with every device left out once, a new answer, and the whole map, as ratios."""

import time

from analysis.placement.answers import answers_to
from analysis.placement.fits import fit_placement
from analysis.placement.tables import tables
from data.releases import latest, load
from views.placement.cheapest_map import cheapest_map_exhibit
from views.placement.inputs import inputs_of
from views.placement.settings import PlacementSettings

SETTINGS = PlacementSettings(work="branch-documents")


def seconds(work) -> float:
    """Return the shortest of three runs. [s]"""
    taken = []
    for _ in range(3):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return min(taken)


def main() -> None:
    """Print the map's time over that of its cells one by one, and the answer's over the fit's."""
    ours, release = tables(), load(latest())

    def fitted() -> None:
        fit_placement(ours.measured, architectures=ours.architectures, edge_devices=ours.edge_devices)

    inputs = inputs_of(SETTINGS, release)
    one = seconds(lambda: answers_to(inputs.question))
    whole = seconds(lambda: cheapest_map_exhibit(SETTINGS, inputs, source=""))
    fit = seconds(fitted)
    draws = inputs.question.luck.step.shape[1]
    print(
        f"placement: map of 40 x 40 cells, {len(inputs.names)} places, {draws} draws: "
        f"{whole / (1600 * one):.4f} of its cells one by one (in all {whole:.2f} s)"
    )
    print(f"placement: a new answer takes {one / fit:.3f} of the fit with every device left out once")


if __name__ == "__main__":
    main()
