"""Which number of accelerators, of at most so many, ends a run soonest on the wall clock."""

from analysis.parallel_plan import Machine, Plans
from analysis.plan_search import Found, NoPlanFits, fastest_of_each
from analysis.training_run.outlook import Circumstances, Outlook, outlook
from analysis.transformer import Transformer

HALVINGS = 20
"""How often the number is halved in the search: enough to come from a million to one."""


def fastest_run(
    model: Transformer,
    machine: Machine,
    *,
    accelerators: int,
    global_batch: int,
    circumstances: Circumstances,
    overlap: float = 0.5,
    like: Plans | None = None,
) -> tuple[Found, int, Outlook]:
    """Return the plan on at most so many accelerators whose run ends first, how many it uses, and the run.

    The shortest step is not always the shortest run: the more accelerators, the more often one fails. The
    number itself and its halves are tried, each on its fastest plan, failures and ramp included.

    Raises
    ------
    NoPlanFits
        If no plan fits on any of them; of the number asked for.
    """
    numbers = sorted({max(accelerators >> k, 1) for k in range(HALVINGS + 1)}, reverse=True)
    answers = fastest_of_each(
        model,
        machine,
        wanted=[(number, global_batch) for number in numbers],
        overlap=overlap,
        like=like,
    )
    runs: list[tuple[Found, int, Outlook]] = []
    for answer in answers.values():
        if isinstance(answer, NoPlanFits):
            continue
        found, used = answer
        run = outlook(model, machine, plan=found.plan, global_batch=global_batch, circumstances=circumstances)
        runs.append((found, used, run))
    if not runs:
        problem = answers[accelerators, global_batch]
        assert isinstance(problem, NoPlanFits)
        raise problem
    return min(runs, key=lambda each: (each[2].seconds, each[1]))
