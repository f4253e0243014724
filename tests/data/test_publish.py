"""Replacing a folder or a file in one step."""

from pathlib import Path

import pytest

from data import publish


def write(folder: Path, text: str) -> None:
    with publish.replacing(folder) as work:
        (work / "a.txt").write_text(text, encoding="utf-8")


def test_a_new_folder_appears_whole(tmp_path: Path):
    write(tmp_path / "r", "one")
    assert (tmp_path / "r" / "a.txt").read_text(encoding="utf-8") == "one"
    assert [path.name for path in tmp_path.iterdir()] == ["r"]


@pytest.mark.parametrize("by_kernel", [True, False])
def test_an_old_folder_is_replaced_and_nothing_is_left_over(
    *, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by_kernel: bool
):
    if not by_kernel:
        monkeypatch.setattr(publish, "_exchanged_by_kernel", lambda work, *, target: False)
    write(tmp_path / "r", "one")
    write(tmp_path / "r", "two")
    assert (tmp_path / "r" / "a.txt").read_text(encoding="utf-8") == "two"
    assert [path.name for path in tmp_path.iterdir()] == ["r"]


def test_an_interrupted_writer_leaves_the_old_folder(tmp_path: Path):
    write(tmp_path / "r", "one")
    with pytest.raises(KeyboardInterrupt), publish.replacing(tmp_path / "r") as work:
        (work / "a.txt").write_text("half", encoding="utf-8")
        raise KeyboardInterrupt
    assert (tmp_path / "r" / "a.txt").read_text(encoding="utf-8") == "one"
    assert [path.name for path in tmp_path.iterdir()] == ["r"]


def test_an_exchange_that_fails_half_way_puts_the_old_folder_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    write(tmp_path / "r", "one")
    monkeypatch.setattr(publish, "_exchanged_by_kernel", lambda work, *, target: False)
    rename = Path.rename

    def failing(self: Path, target: Path) -> Path:
        if target == tmp_path / "r" and not self.name.endswith("-old"):
            raise OSError("disk full")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", failing)
    with pytest.raises(OSError, match="disk full"):
        write(tmp_path / "r", "two")
    assert (tmp_path / "r" / "a.txt").read_text(encoding="utf-8") == "one"


def test_what_a_killed_run_left_is_cleared_and_an_old_folder_moved_aside_is_put_back(tmp_path: Path):
    for left in (".r-abc", ".r-abc-old"):
        (tmp_path / left).mkdir()
    (tmp_path / ".r-abc-old" / "a.txt").write_text("one", encoding="utf-8")
    with pytest.raises(KeyboardInterrupt), publish.replacing(tmp_path / "r"):
        raise KeyboardInterrupt
    assert (tmp_path / "r" / "a.txt").read_text(encoding="utf-8") == "one"
    assert [path.name for path in tmp_path.iterdir()] == ["r"]


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path):
    target = tmp_path / "d.json"
    publish.write_file(target, text="one\n")
    with pytest.raises(UnicodeEncodeError):
        publish.write_file(target, text="\ud800")
    assert target.read_text(encoding="utf-8") == "one\n"
    assert [path.name for path in tmp_path.iterdir()] == ["d.json"]
