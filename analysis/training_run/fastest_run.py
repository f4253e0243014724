"""Which number of accelerators, of at most so many, ends a run soonest on the wall clock."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from analysis.hardware.machine import Machine
from analysis.model.architecture import Architecture
from analysis.model.flop import training_flop_per_token
from analysis.training_run.candidates import NoPlanFits
from analysis.training_run.outlook import Circumstances, RunOutlook, outlook
from analysis.training_run.plan_search import Fastest, fastest_of_each
from analysis.training_run.plans import Plans


@lru_cache(maxsize=64)
def fastest_run(
    model: Architecture,
    machine: Machine,
    *,
    accelerators: int,
    global_batch: int,
    circumstances: Circumstances,
    overlap: float = 0.5,
) -> tuple[Fastest, int, RunOutlook]:
    """Return the plan on at most so many accelerators whose run ends first, how many it uses, and the run.

    The shortest step is not always the shortest run: the more accelerators, the more often one fails. The
    number itself and its halves are tried, each on its fastest plan, failures and ramp included. The latest answers
    are cached.

    Raises
    ------
    NoPlanFits
        If no plan fits on any of them; of the number asked for.
    """

    def runs(numbers: Sequence[int]) -> list[tuple[Fastest, int, RunOutlook] | NoPlanFits]:
        wanted = [(number, global_batch) for number in numbers]
        answers = fastest_of_each(model, machine, wanted=wanted, overlap=overlap)
        return [
            answer if isinstance(answer, NoPlanFits) else (answer[0], answer[1], run_of(answer[0].plan))
            for answer in (answers[each] for each in wanted)
        ]

    def run_of(plan: Plans) -> RunOutlook:
        return outlook(model, machine, plan=plan, global_batch=global_batch, circumstances=circumstances)

    first = runs([accelerators])[0]
    soonest_s = np.inf if isinstance(first, NoPlanFits) else first[2].seconds
    # No run is sooner than its matrix products at the best measured rate, at the pace of published runs alike.
    rate = machine.matmul_flop_per_s * machine.pace
    alone_s = training_flop_per_token(model, causal=True) * circumstances.tokens / rate
    halves = [accelerators >> k for k in range(1, accelerators.bit_length())]
    others = runs([number for number in halves if alone_s / number < soonest_s])
    ended = [each for each in (first, *others) if not isinstance(each, NoPlanFits)]
    if not ended:
        assert isinstance(first, NoPlanFits)
        raise first
    return min(ended, key=lambda each: (each[2].seconds, each[1]))
