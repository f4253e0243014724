"""Predicts served models under load: ``python -m analysis.serving predict cases.csv --output out.csv``."""

import sys
from collections.abc import Mapping, Sequence
from functools import partial

from analysis.predict.command import Answer, Command, answered, described, run
from analysis.serving.case_columns import DIALECT
from analysis.serving.predict import predicted_cells
from analysis.serving.served_case import read_case
from analysis.serving.tables import model, served_tables

WORDS = (
    "Each case names a model and an accelerator; what else is empty is assumed, and the note says so. All that is "
    f"read: {described(DIALECT.columns)}. tensor_parallel accelerators share each layer, data_parallel groups of them "
    "have requests of their own, expert_parallel spreads whole experts; accelerators beyond their product hold further "
    "copies. concurrency is the requests in flight over all accelerators; without it as many as the memory holds. "
    "mode disaggregated, or prefill_workers, has prompts read by prefill_workers of prefill_accelerators each, answers "
    "written by decode_workers; without mode the same accelerators do both, two to three times as slow as "
    "measured where they did not; without workers the middle of measured deployments is taken, and intervals hold the "
    "rest. draft "
    "is the tokens drafted at a step, or mtp. Times are seconds, means over requests in a closed loop; throughput "
    "counts output tokens of one accelerator. Intervals are in the columns that end in _low and _high."
)


def answers(rows: Sequence[Mapping[str, str]], /, *, release: str, level: float) -> list[Answer]:
    """Return the predicted cells of each row, or why there are none."""
    return answered(
        rows,
        read=partial(read_case, tables=served_tables(release)),
        predict=partial(predicted_cells, fit=model(), level=level),
    )


COMMAND = Command(
    module="analysis.serving",
    does="predict times and throughput of served models under load",
    words=WORDS,
    dialect=DIALECT,
    predict=answers,
)

if __name__ == "__main__":
    sys.exit(run(COMMAND))
