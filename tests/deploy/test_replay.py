"""The replay of the Dockerfile: it knows every instruction that is in it, and copies what the build may see."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"


@pytest.fixture(scope="module")
def replay() -> ModuleType:
    spec = importlib.util.spec_from_file_location("replay", DEPLOY / "replay.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["replay"] = module
    spec.loader.exec_module(module)
    return module


def test_continued_lines_are_one_instruction_and_comments_are_none(replay):
    text = '# a comment\nFROM x\nRUN a && \\\n    b\nHEALTHCHECK CMD ["a", \\\n  "b"]\n'
    assert [(step.word, step.rest) for step in replay.steps(text)] == [
        ("FROM", "x"),
        ("RUN", "a &&  b"),
        ("HEALTHCHECK", 'CMD ["a",  "b"]'),
    ]


def test_every_instruction_of_the_dockerfile_is_known(replay, tmp_path):
    state = replay.State(root=tmp_path)
    for step in replay.steps((DEPLOY / "Dockerfile").read_text(encoding="utf-8")):
        if step.word != "RUN":  # the replay itself runs these, as root
            replay.done(step, state)
    app = tmp_path / "app"
    assert (app / "app.py").read_bytes() == (DEPLOY.parent / "app.py").read_bytes()
    assert (app / "requirements-mcp.txt").exists()
    assert (app / "data" / "releases" / "2026-07" / "release.json").exists()
    assert not list(app.rglob("__pycache__")) and not list(app.rglob("node_modules"))
    assert (state.user, state.folder, state.command) == ("gap", "/app", ["python", "app.py"])
    assert state.variables["HOST"] == "0.0.0.0"
    assert state.variables["REQUIREMENTS"] == "requirements.txt"
    assert "/healthz" in state.check[-1]


def test_what_the_build_may_not_see_is_not_copied(replay, tmp_path):
    with pytest.raises(
        replay.ReplayError, match=r"COPY tests: Dockerfile\.dockerignore keeps it from the build"
    ):
        replay.done(replay.Step(word="COPY", rest="tests tests"), replay.State(root=tmp_path))


def test_an_instruction_that_is_not_known_is_told(replay, tmp_path):
    with pytest.raises(replay.ReplayError, match=r"ONBUILD is not known here; add it to replay\.py"):
        replay.done(replay.Step(word="ONBUILD", rest="RUN x"), replay.State(root=tmp_path))


def test_without_root_or_mmdebstrap_the_line_says_what_is_needed(replay, *, monkeypatch, capsys):
    monkeypatch.setattr(replay.os, "geteuid", lambda: 1000)
    assert replay.main([]) == 1
    assert capsys.readouterr().err == (
        "This needs root, for chroot, and mmdebstrap: sudo apt-get install mmdebstrap.\n"
    )
