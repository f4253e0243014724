"""Predictions of serving under load: ``python -m analysis.serving predict cases.csv --output out.csv``."""

import sys
from collections.abc import Mapping, Sequence
from functools import partial

from analysis.predict.command import Answer, Command, answered, described, run
from analysis.serving.predict import predicted_cells
from analysis.serving.served_case import DIALECT, STATED, read_case
from analysis.serving.tables import model, served_tables


def answers(rows: Sequence[Mapping[str, str]], /, *, release: str, level: float) -> list[Answer]:
    """Return the predicted cells of each row, or the reason why it has none."""
    return answered(
        rows,
        read=partial(read_case, tables=served_tables(release)),
        predict=partial(predicted_cells, fit=model(), level=level),
    )


COMMAND = Command(
    module="analysis.serving",
    does="predict times and throughput of served models under load",
    words=STATED["words"].format(columns=described(DIALECT.columns)),
    dialect=DIALECT,
    predict=answers,
)

if __name__ == "__main__":
    sys.exit(run(COMMAND))
