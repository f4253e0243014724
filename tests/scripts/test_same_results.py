"""The command that holds that a change of the code changed nothing a reader gets."""

import json
from pathlib import Path

import pytest

from scripts.same_results import compare, main, random_links
from views.registry import VIEWS
from views.view import read


def compared(before: Path, after: Path) -> tuple[int, list[str]]:
    printed: list[str] = []
    return compare(before, after, say=printed.append), printed


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("record") / "before"
    assert (
        main(["record", str(folder), "--views", "training-compute", "--links", "2", "--processes", "1"]) == 0
    )
    return folder


def copied(recorded: Path, folder: Path) -> Path:
    folder.mkdir()
    for path in recorded.glob("*.json"):
        (folder / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    return folder


@pytest.mark.parametrize("view", VIEWS.values(), ids=lambda view: view.name)
def test_random_links_are_sound_but_for_conflicts_and_the_same_at_every_call(view):
    links = random_links(view, 20)
    assert links == random_links(view, 20)
    assert len(set(links)) > 15
    conflicts_apart = [read(view, link.partition("?")[2])[1] for link in links]
    assert sum(bool(ignored) for ignored in conflicts_apart) <= 10


def test_two_records_of_one_state_are_identical(recorded, tmp_path):
    again = tmp_path / "again"
    arguments = ["--views", "training-compute", "--links", "1", "--processes", "1"]
    assert main(["record", str(again), "--as", str(recorded), *arguments]) == 0
    assert main(["compare", str(recorded), str(again)]) == 0
    assert compared(recorded, again) == (0, ["identical: 2 links and every form"])


def test_a_changed_number_a_changed_form_and_a_lost_answer_are_named(recorded, tmp_path):
    changed = copied(recorded, tmp_path / "changed")
    path = changed / "training-compute.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    content["answers"]["/training-compute"]["result"]["figures"][0]["value"] = 5.0
    content["forms"]["pptx"] = content["page"]["page"]["chart"] = "0"
    del content["answers"]["/training-compute"]["question"]
    path.write_text(json.dumps(content), encoding="utf-8")
    code, printed = compared(recorded, changed)
    assert code == 1
    assert any("figures/0/value" in line and "-> 5.0" in line for line in printed)
    for place in ("forms/pptx", "page/page/chart"):
        assert any(line.startswith(f"training-compute/{place}: ") for line in printed)
    assert any(
        line.startswith("training-compute/answers//training-compute/question: ")
        and line.endswith("-> nothing")
        for line in printed
    )
    assert printed[-1] == "4 differences in 3 links and their forms"


def test_a_record_of_nothing_is_no_proof(tmp_path):
    assert compared(tmp_path, tmp_path) == (1, [f"nothing to compare: {tmp_path} holds no record of a view."])


def test_a_view_that_is_not_there_is_told_with_those_that_are(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main(["record", str(tmp_path), "--views", "no-such-view"])
    names = ", ".join(view.name for view in VIEWS.values())
    assert f"there is no view no-such-view; there are {names}" in capsys.readouterr().err
