"""Predicts speeds of a table of cases: ``python -m analysis.placement predict cases.csv --output out.csv``."""

import sys
from collections.abc import Mapping, Sequence
from functools import partial

from analysis.placement.case_columns import DIALECT
from analysis.placement.cases import read_case
from analysis.placement.predict import predicted_cells
from analysis.placement.tables import known, models
from analysis.predict.command import Answer, Command, answered, described, run

WORDS = (
    "Each case names a device or gives memory_bandwidth_byte_per_s, and names a model or gives weights_byte or "
    f"n_parameters. All that is read: {described(DIALECT.columns)}. peak_flop_per_s is the dense peak of the tensor or "
    "matrix units at 16 bits; it tells how fast prompts are read where no device is named. Without format, "
    "weights_byte alone is taken as 16-bit parameters unless it is the size of a file we know. engine is the program "
    "that runs the model, as people write it (llama.cpp, MLX, vLLM, ExecuTorch); without it, llama.cpp. Names in "
    "brackets with gbyte and tflop are in these units. Intervals are in the columns that end in _low and _high."
)


def answers(rows: Sequence[Mapping[str, str]], /, *, release: str, level: float) -> list[Answer]:
    """Return the predicted cells of each row, or why there are none."""
    return answered(
        rows,
        read=partial(read_case, known=known(release)),
        predict=partial(predicted_cells, models=models(), level=level),
    )


COMMAND = Command(
    module="analysis.placement",
    does="predict decode and prefill speeds of cases",
    words=WORDS,
    dialect=DIALECT,
    predict=answers,
)

if __name__ == "__main__":
    sys.exit(run(COMMAND))
