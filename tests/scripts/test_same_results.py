import json
import shutil
from pathlib import Path

import pytest

from scripts.same_results import main, random_links
from views.registry import VIEWS
from views.view import read

FEW = ("--views", "training-compute", "--processes", "1")


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("record") / "before"
    assert main(["record", str(folder), *FEW, "--links", "2"]) == 0
    return folder


@pytest.mark.parametrize("view", VIEWS.values(), ids=lambda view: view.name)
def test_random_links_are_sound_but_for_conflicts_and_the_same_at_every_call(view):
    links = random_links(view, 20)
    assert links == random_links(view, 20)
    assert len(set(links)) > 15
    conflicts_apart = [read(view, link.partition("?")[2])[1] for link in links]
    assert sum(bool(ignored) for ignored in conflicts_apart) <= 10


def test_two_records_of_one_state_are_identical(*, recorded, tmp_path, capsys):
    again = tmp_path / "again"
    assert main(["record", str(again), "--as", str(recorded), *FEW, "--links", "1"]) == 0
    assert main(["compare", str(recorded), str(again)]) == 0
    assert capsys.readouterr().out.endswith("identical: 2 links and every form\n")


def test_a_changed_number_a_changed_form_and_a_lost_answer_are_named(*, recorded, tmp_path, capsys):
    changed = shutil.copytree(recorded, tmp_path / "changed")
    path = changed / "training-compute.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    content["answers"]["/training-compute"]["result"]["figures"][0]["value"] = 5.0
    content["forms"]["pptx"] = content["page"]["page"]["chart"] = "0"
    del content["answers"]["/training-compute"]["question"]
    path.write_text(json.dumps(content), encoding="utf-8")
    assert main(["compare", str(recorded), str(changed)]) == 1
    printed = capsys.readouterr().out.splitlines()
    assert any("figures/0/value" in line and "-> 5.0" in line for line in printed)
    for place in ("forms/pptx", "page/page/chart"):
        assert any(line.startswith(f"training-compute/{place}: ") for line in printed)
    (lost,) = [line for line in printed if line.endswith("-> nothing")]
    assert lost.startswith("training-compute/answers//training-compute/question: ")
    assert printed[-1] == "4 differences in 3 links and their forms"


def test_a_record_of_nothing_is_no_proof(tmp_path, capsys):
    assert main(["compare", str(tmp_path), str(tmp_path)]) == 1
    assert capsys.readouterr().out == f"nothing to compare: {tmp_path} holds no record of a view.\n"


def test_a_view_that_is_not_there_is_told_with_those_that_are(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main(["record", str(tmp_path), "--views", "no-such-view"])
    names = ", ".join(view.name for view in VIEWS.values())
    assert f"there is no view no-such-view; there are {names}" in capsys.readouterr().err
