"""What short links are made of is on record."""

import json

import pytest

from scripts import record_defaults
from scripts.record_defaults import changed, main, pages_now
from views.short_link import recorded
from views.short_link.recorded import Recorded, pages

PAGE = Recorded(
    path="/hello", defaults={"since": "2020", "who": "all"}, words={"since": (), "who": ("all", "none")}
)


def test_the_defaults_of_every_page_are_on_record():
    new = [words for page in pages_now() if (words := changed(page))]
    assert not new, (
        f"{'; '.join(new)}. Short links already given away must keep their meaning: "
        "run `python -m scripts.record_defaults` and commit views/short_link/recorded.json."
    )


@pytest.fixture
def said(capsys):
    """Return what was printed since the last call."""
    return lambda: capsys.readouterr().out


@pytest.fixture
def record(monkeypatch, tmp_path):
    """Return what sets the page as it is now, and what reads the record, which holds one page."""
    file = tmp_path / "recorded.json"
    file.write_text(recorded.as_text([PAGE]), encoding="utf-8")
    monkeypatch.setattr(record_defaults, "FILE", file)
    for module in (recorded, record_defaults):
        monkeypatch.setattr(module, "pages", lambda: (PAGE,))

    def stands(**settings: str):
        words = {name: ("all", "none", "some") if name == "who" else () for name in settings}
        page = Recorded(path="/hello", defaults=settings, words=words)
        monkeypatch.setattr(record_defaults, "pages_now", lambda: [page])
        return page

    def entries():
        return [recorded.from_json(item) for item in json.loads(file.read_text(encoding="utf-8"))]

    return stands, entries


def test_what_changed_is_said_and_added_at_the_end(record, said):
    stands, entries = record
    now = stands(since="", level="90")
    assert main(["--check"]) == 1
    assert entries() == [PAGE]
    assert main([]) == 0
    change = "/hello: level is new, who is gone, since is empty by default, was 2020\n"
    assert said() == f"{change}{change}pages recorded in recorded.json: 1\n"
    assert entries() == [PAGE, now]


def test_new_words_are_recorded_only_on_request(record, said):
    stands, entries = record
    now = stands(since="2020", who="all")
    assert main([]) == 0
    assert said() == "all is on record\n"
    assert main(["--words"]) == 0
    assert "/hello: new words" in said()
    assert entries() == [PAGE, now]


def test_a_new_page_is_new():
    assert changed(Recorded(path="/new", defaults={}, words={})) == "/new is new"


def test_every_word_a_link_can_say_is_in_the_record():
    words = {page.path: page.words for page in pages_now()}
    assert (
        words["/accelerators"]["rule"][:2] == ("flagships", "frontier")
        or "frontier" in words["/accelerators"]["rule"]
    )
    assert words["/training-compute"]["until"] == ("end",)
    assert words["/training-run"]["tokens"] == ("",)
    assert words["/data"]["find"] == ()
    assert [page.path for page in pages()][:2] == ["/", "/growth-gap"]
