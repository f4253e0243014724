"""Runs the command on a table of training runs, for the tests of it."""

import csv
import io

from analysis.training_run.__main__ import COMMAND
from tests.analysis.predict.tables import predicted
from tests.cases import cases

CASE = cases(__file__)["case"]
NAMES, GPT_3 = tuple(CASE), tuple(CASE.values())


def run(tmp_path, capsys, *rows, names=NAMES):
    """Return the exit status, the rows that were written and what was said on stderr."""
    text = io.StringIO(newline="")
    csv.writer(text).writerows([names, *rows])
    code, written = predicted(COMMAND, folder=tmp_path, text=text.getvalue())
    return code, written, capsys.readouterr().err
