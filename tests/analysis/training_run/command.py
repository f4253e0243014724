"""Runs the command on a table of training runs, for the tests of it."""

import csv
import io

from analysis.training_run.__main__ import COMMAND
from tests.analysis.predict.tables import predicted

CASE = {
    "case": "GPT-3, really",
    "layers": 96,
    "hidden": 12288,
    "heads": 96,
    "vocabulary": 51200,
    "sequence_length": 2048,
    "global_batch": 1536,
    "micro_batch": 1,
    "tensor_parallel": 8,
    "pipeline_parallel": 8,
    "data_parallel": 16,
    "context_parallel": 1,
    "interleave": 3,
    "zero_stage": 0,
    "recompute": "full",
    "accelerator": "A100",
    "accelerators": 1024,
    "tokens": 300e9,
}
NAMES, GPT_3 = tuple(CASE), tuple(CASE.values())


def run(tmp_path, capsys, *rows, names=NAMES):
    """Return the exit status, the rows that were written and what was said on stderr."""
    text = io.StringIO(newline="")
    csv.writer(text).writerows([names, *rows])
    code, written = predicted(COMMAND, folder=tmp_path, text=text.getvalue())
    return code, written, capsys.readouterr().err
