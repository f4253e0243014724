import pytest

from scripts import lines


@pytest.mark.parametrize(("limit", "status"), [(3, 0), (2, 1)])
def test_more_lines_than_the_limit_fail(limit, status, *, tmp_path, monkeypatch, capsys):
    for folder in ("views", "tests/views"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "one.py").write_text("a = 1\nb = 2\n")
    (tmp_path / "app.py").write_text("a = 1\n")
    monkeypatch.setattr(lines, "LIMIT", limit)
    assert lines.main(tmp_path) == status
    printed = capsys.readouterr()
    counts = {row[:34].strip(): row[34:].split()[0] for row in printed.out.splitlines()}
    assert (counts["views"], counts["all outside tests"], counts["tests"]) == ("2", "3", "2")
    assert bool(printed.err) == bool(status)
