"""Runs the command on a table of training runs, for the tests of it."""

import csv

from analysis.predict.command import run as run_command
from analysis.training_run.__main__ import COMMAND

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
