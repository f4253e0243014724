from pathlib import Path

import pytest

from data import publish


def write(folder: Path, text: str) -> None:
    with publish.replacing(folder) as work:
        (work / "a.txt").write_text(text, encoding="utf-8")


def test_a_folder_appears_whole_and_takes_the_place_of_an_older_one(tmp_path):
    (tmp_path / ".r-abc").mkdir()  # what a killed run left
    for text in ("one", "two"):
        write(tmp_path / "r", text)
        assert (tmp_path / "r" / "a.txt").read_text(encoding="utf-8") == text
        assert [path.name for path in tmp_path.iterdir()] == ["r"]


def test_an_interrupted_writer_leaves_the_old_folder(tmp_path):
    write(tmp_path / "r", "one")
    with pytest.raises(KeyboardInterrupt), publish.replacing(tmp_path / "r") as work:
        (work / "a.txt").write_text("half", encoding="utf-8")
        raise KeyboardInterrupt
    assert (tmp_path / "r" / "a.txt").read_text(encoding="utf-8") == "one"
    assert [path.name for path in tmp_path.iterdir()] == ["r"]


def test_a_file_is_replaced_whole_with_its_line_ends_or_not_at_all(tmp_path):
    target = tmp_path / "d.csv"
    publish.write_file(target, text="a\r\nμ\n")
    with pytest.raises(UnicodeEncodeError):
        publish.write_file(target, text="\ud800")
    assert target.read_bytes() == "a\r\nμ\n".encode()
    assert [path.name for path in tmp_path.iterdir()] == ["d.csv"]
    with pytest.raises(OSError, match="No such file or directory"):
        publish.write_file(tmp_path / "none" / "d.csv", text="")
