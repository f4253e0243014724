import pytest

from data import download
from tests.data.misbehaving import serving

TABLE = b"name,value\n" + b"alpha,1\n" * 40


def test_a_file_comes_as_it_is_also_from_a_new_place_on_the_same_host():
    with serving({"a.csv": TABLE}) as site:
        assert download.csv_file(f"{site}/a.csv") == TABLE
        assert download.csv_file(f"{site}/moved/a.csv") == TABLE


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("page", "answers with a web page, not with CSV"),
        ("page-called-csv", "answers with a web page, not with CSV"),
        ("short", f"ends after {len(TABLE) // 2:,} of {len(TABLE):,} bytes"),
        ("short-unsaid", "ends in the middle of a line"),
        ("failing", "answers 500 Internal Server Error. Try again later."),
        ("empty", "is empty"),
        ("elsewhere", "leads to https://example.org/notable_ai_models.csv, which is another place"),
        ("other-port", "leads to http://127.0.0.1:1/notable_ai_models.csv, which is another place"),
        ("no-port", "leads to http://127.0.0.1:99999/notable_ai_models.csv, which is another place"),
        ("colourful", r"answers 500 \x1b[31mRed\x07. Try again later."),
        ("silent", "is silent for 1 s"),
    ],
)
def test_a_server_that_misbehaves_is_refused_in_one_line_with_its_address(how, words):
    with serving({"a.csv": TABLE}) as site:
        with pytest.raises(download.DownloadError) as refused:
            download.csv_file(f"{site}/{how}/a.csv", silence_s=1.0)
        assert words in str(refused.value)
        assert f"{site}/{how}/a.csv" in str(refused.value)
        assert "\n" not in str(refused.value)


def test_a_file_larger_than_any_export_is_refused(monkeypatch):
    monkeypatch.setattr(download, "MOST_BYTE", 100)
    words = "larger than 100 bytes"
    with serving({"a.csv": TABLE}) as site, pytest.raises(download.DownloadError, match=words):
        download.csv_file(f"{site}/a.csv")


def test_nobody_there_is_told():
    with serving({}) as site:
        pass
    with pytest.raises(download.DownloadError, match="cannot be fetched"):
        download.csv_file(f"{site}/a.csv")


def test_an_address_is_of_the_web():
    words = "begins with https:// or http://; got 'file:///etc/passwd'"
    with pytest.raises(download.DownloadError, match=words):
        download.csv_file("file:///etc/passwd")
