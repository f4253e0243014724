"""Which number of accelerators, of at most so many, ends a run soonest on the wall clock."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from analysis.model.flop import training_flop_per_token
from analysis.training_run.candidates import NoPlanFits
from analysis.training_run.outlook import RunOutlook, outlook
from analysis.training_run.plan_search import Fastest, fastest_of_each
from analysis.training_run.run import TrainingRun


@lru_cache(maxsize=64)
def fastest_run(run: TrainingRun) -> tuple[Fastest, RunOutlook]:
    """Return the plan on at most the run's accelerators whose run ends first, and how it goes.

    The shortest step is not always the shortest run: the more accelerators, the more often one fails. The
    number itself and its halves are tried, each on its fastest plan, failures and ramp included. The latest answers
    are cached.

    Raises
    ------
    NoPlanFits
        If no plan fits on any of them; of the number asked for.
    """

    def outlooks(numbers: Sequence[int]) -> list[tuple[Fastest, RunOutlook] | NoPlanFits]:
        answers = fastest_of_each(run, wanted=[(number, run.global_batch) for number in numbers])
        return [
            answer if isinstance(answer, NoPlanFits) else (answer, outlook(run, plan=answer.plan))
            for answer in answers.values()
        ]

    first = outlooks([run.accelerators])[0]
    soonest_s = np.inf if isinstance(first, NoPlanFits) else first[1].seconds
    # No run is sooner than its matrix products at the best measured rate, at the pace of published runs alike.
    rate = run.machine.matmul_flop_per_s * run.machine.pace
    alone_s = training_flop_per_token(run.model, causal=True) * run.circumstances.tokens / rate
    halves = [run.accelerators >> k for k in range(1, run.accelerators.bit_length())]
    others = outlooks([number for number in halves if alone_s / number < soonest_s])
    ended = [each for each in (first, *others) if not isinstance(each, NoPlanFits)]
    if not ended:
        assert isinstance(first, NoPlanFits)
        raise first
    return min(ended, key=lambda each: (each[1].seconds, float(each[0].plan.accelerators)))
