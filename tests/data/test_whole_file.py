import stat

import pytest

from data.whole_file import write_whole


def test_a_file_is_written_with_its_line_ends_and_can_be_read_by_all(tmp_path):
    path = tmp_path / "out.csv"
    write_whole(path, "a,b\r\nμ,2\n")
    assert path.read_bytes() == "a,b\r\nμ,2\n".encode()
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


def test_the_file_of_before_stays_and_no_part_is_left_when_writing_fails(tmp_path):
    path = tmp_path / "out.csv"
    path.write_text("before")
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "\ud800")
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_not_there_is_an_error_of_the_system(tmp_path):
    with pytest.raises(OSError, match="No such file or directory"):
        write_whole(tmp_path / "none" / "out.csv", "text")
