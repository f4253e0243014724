"""A hundredth of the attack, in seconds: nothing of it may fell the server. `make attack` does all of it."""

import pytest

from benchmarks import attack
from benchmarks.attack import ATTACKS, Row, attacked, main, ordinary
from views.registry import VIEWS
from views.view import read, split


def test_a_small_attack_of_each_kind_but_the_slow_ones_is_held():
    said: list[str] = []
    rows = attacked(["hostile", "abandoned", "bombs", "uploads"], share=0.01, say=said.append)
    assert [row.test for row in rows if not row.held] == [], said
    assert "reflect" in said[1]
    assert rows[-1].test == "afterwards"


def test_the_links_that_readers_ask_beside_an_attack_are_sound_and_differ():
    links = [ordinary("/training-compute", number) for number in range(728)]
    assert len(set(links)) == 728
    assert not [link for link in links if read(VIEWS["/training-compute"], split(link)[1])[1]]


def test_a_server_elsewhere_is_never_attacked(monkeypatch):
    class Elsewhere:
        def __init__(self, _name, *, folder):
            self.folder = folder

        def __enter__(self):
            return "http://192.0.2.1:80", 1

        def __exit__(self, *_):
            return None

    monkeypatch.setattr(attack, "started", Elsewhere)
    with pytest.raises(
        ValueError, match=r"^Only a server on this machine is attacked; got http://192\.0\.2\.1:80\.$"
    ):
        attacked(["hostile"], share=0.01)


def test_what_fell_is_named_and_the_command_fails(monkeypatch, capsys):
    row = Row(test="uploads nobody asked for", load="1", result="1 x 204", held=False)
    monkeypatch.setattr(attack, "attacked", lambda names, *, share: [row])
    assert main(["--only", "uploads"]) == 1
    assert capsys.readouterr().out == "0 of 1 held; fell: uploads nobody asked for\n"


def test_an_unknown_attack_is_refused(capsys):
    with pytest.raises(SystemExit):
        main(["--only", "nothing"])
    assert f"choose from {', '.join(ATTACKS)}" in capsys.readouterr().err.replace("'", "")
