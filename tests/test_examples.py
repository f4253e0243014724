"""The commands of the README do what it says, on the example tables of docs/examples."""

import csv
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from analysis.placement import __main__ as placement
from analysis.predict.command import run
from analysis.serving import __main__ as serving
from analysis.training_run import __main__ as training_run

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "docs" / "examples"
COMMANDS = re.findall(
    r"^ +python -m (\S+) (predict \S+ --output \S+)$", (ROOT / "README.md").read_text(encoding="utf-8"), re.M
)
PREDICT = {one.COMMAND.module: one.COMMAND for one in (placement, training_run, serving)}


def rows(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def predicted(module, *, tmp_path, monkeypatch):
    line = dict(COMMANDS)[module]
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "examples").symlink_to(EXAMPLES)
    monkeypatch.chdir(tmp_path)
    arguments = shlex.split(line)
    assert run(PREDICT[module], arguments) == 0
    return rows(EXAMPLES / Path(arguments[1]).name), rows(tmp_path / arguments[-1])


def test_the_readme_shows_every_predict_command_and_every_example():
    assert sorted(module for module, _ in COMMANDS) == sorted(PREDICT)
    assert {path.name for path in EXAMPLES.iterdir()} == {Path(line.split()[1]).name for _, line in COMMANDS}


@pytest.mark.parametrize("module", PREDICT)
def test_every_example_is_predicted_and_comes_back_whole(*, module, tmp_path, monkeypatch, capsys):
    cases, answered = predicted(module, tmp_path=tmp_path, monkeypatch=monkeypatch)
    assert capsys.readouterr() == ("", "")
    assert 6 <= len(cases) == len(answered) <= 10
    for before, after in zip(cases, answered, strict=True):
        assert after["problem"] == ""
        assert {name: after[name] for name in before if before[name]} == {
            name: cell for name, cell in before.items() if cell
        }


def test_measured_speeds_of_the_examples_lie_within_the_interval(tmp_path, monkeypatch):
    _, answered = predicted("analysis.placement", tmp_path=tmp_path, monkeypatch=monkeypatch)
    measured = [row for row in answered if row["measured_decode_tokens_per_s"]]
    assert len(measured) >= 3
    for row in measured:
        low, high = (float(row[f"predicted_decode_tokens_per_s{end}"]) for end in ("_low", "_high"))
        assert low < float(row["measured_decode_tokens_per_s"]) < high


def test_measured_rates_of_the_examples_are_met_within_a_fifth(tmp_path, monkeypatch):
    _, answered = predicted("analysis.training_run", tmp_path=tmp_path, monkeypatch=monkeypatch)
    measured = [row for row in answered if row["measured_tflop_per_s"]]
    assert len(measured) >= 6
    for row in measured:
        rate = float(row["tflop_per_s_per_accelerator"])
        assert rate == pytest.approx(float(row["measured_tflop_per_s"]), rel=0.2)


def test_the_notebook_example_of_the_readme_runs():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (lines,) = re.findall(r"^      import views\n(?:      .+\n)+", readme, re.M)
    *before, last = [line.strip() for line in lines.splitlines()]
    names: dict[str, Any] = {}
    exec("\n".join(before), names)
    table, figures, figure, link, citation = eval(last, names)
    assert len(table) > 10
    assert figures.loc["gap_growth", "value"] > 1
    assert figure.data
    assert link.startswith("/growth-gap?release=")
    assert link.split("?")[1] in names["gap"].link
    assert citation.startswith("Scaling Gap (")
