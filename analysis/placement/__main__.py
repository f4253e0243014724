"""Speed predictions for a table of cases: ``python -m analysis.placement predict cases.csv --output out.csv``."""

import sys
from collections.abc import Mapping, Sequence
from functools import partial

from analysis.placement.cases import DIALECT, STATED, read_case
from analysis.placement.predict import predicted_cells
from analysis.placement.tables import known, models
from analysis.predict.command import Answer, Command, answered, described, run


def answers(rows: Sequence[Mapping[str, str]], /, *, release: str, level: float) -> list[Answer]:
    """Return the predicted cells of each row, or the reason why it has none."""
    return answered(
        rows,
        read=partial(read_case, known=known(release)),
        predict=partial(predicted_cells, models=models(), level=level),
    )


COMMAND = Command(
    module="analysis.placement",
    does="predict decode and prefill speeds of cases",
    words=STATED["words"].format(columns=described(DIALECT.columns)),
    dialect=DIALECT,
    predict=answers,
)

if __name__ == "__main__":
    sys.exit(run(COMMAND))
