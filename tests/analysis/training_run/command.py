"""Runs the command on a table of training runs, for the tests of it."""

import csv

from analysis.predict.command import run as run_command
from analysis.training_run.__main__ import COMMAND

NAMES = (
    "case",
    "layers",
    "hidden",
    "heads",
    "vocabulary",
    "sequence_length",
    "global_batch",
    "micro_batch",
    "tensor_parallel",
    "pipeline_parallel",
    "data_parallel",
    "context_parallel",
    "interleave",
    "zero_stage",
    "recompute",
    "accelerator",
    "accelerators",
    "tokens",
)
GPT_3 = (
    "GPT-3, really",
    96,
    12288,
    96,
    51200,
    2048,
    1536,
    1,
    8,
    8,
    16,
    1,
    3,
    0,
    "full",
    "A100",
    1024,
    300e9,
)


def write(path, *rows, names=NAMES):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([names, *rows])
    return path


def read(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def run(tmp_path, capsys, *rows, names=NAMES):
    source, output = write(tmp_path / "cases.csv", *rows, names=names), tmp_path / "out.csv"
    code = run_command(COMMAND, ["predict", str(source), "--output", str(output)])
    return code, output, capsys.readouterr().err
