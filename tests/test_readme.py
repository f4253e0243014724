"""What the README tells a newcomer is what the project does today."""

import calendar
import re
import tomllib
from pathlib import Path

import pytest

from data.release_name import correction_of
from data.releases import latest, load
from views import overview
from views.registry import VIEWS
from views.runs.choice import TrainingComputeSettings
from views.runs.disclosure import disclosure
from views.view import answer, read, split

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
README = " ".join(TEXT.split())
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def test_the_readme_is_short():
    assert len(TEXT.splitlines()) <= 120 and len(TEXT.split()) <= 700


@pytest.mark.parametrize(
    ("row", "name"),
    [
        ("a run vs one chip", "gap_growth"),
        ("a run vs its own chips", "run_run_gap_growth"),
        ("within one chip", "chip_chip_gap_growth"),
    ],
)
def test_a_measure_of_the_readme_is_what_the_start_page_computes(row, name):
    shown = answer(overview.VIEW, overview.VIEW.settings()).figure(name)
    match = re.search(rf"\| {row} \| (.+?)× \| (.+?)–(.+?)× \|", README)
    assert match and f"{match[1]}× a year" == shown.text
    digits = len(match[1].partition(".")[2])
    assert match.groups()[1:] == tuple(f"{end or 0:.{digits}f}" for end in (shown.low, shown.high))


def test_the_readme_names_the_month_of_the_data_the_largest_known_run_and_the_share_with_a_value():
    year, month = correction_of(latest()).split("-")
    assert f"The data date from {calendar.month_name[int(month)]} {year}," in README
    known = r"estimate dates from (\w{3})\w* (\d{4}), and that estimate is graded (\w+)\. Only (\d+)% of (\d{4})'s"
    match = re.search(known, README)
    assert match
    result = disclosure(load(latest()), TrainingComputeSettings())
    assert result is not None
    assert (f"{match[1]} {match[2]}", match[3]) == (result.until, result.grade)
    assert (match[4], int(match[5])) == (f"{100 * result.newest.share:.0f}", result.newest.year)


def test_the_pages_of_the_readme_are_those_of_the_menu():
    menu = tomllib.loads((ROOT / "views" / "menu.toml").read_text(encoding="utf-8"))
    listed = re.findall(r"^- \*\*(.+?)\*\*(?:: (.+))?$", TEXT.partition("## Pages")[2], re.MULTILINE)
    assert {entry: pages or entry for entry, pages in listed} == {
        entry: ", ".join(below) for entry, below in menu.items()
    }


def test_every_make_command_is_explained():
    files = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "docs/operations.md", "data/README.md")
    text = "\n".join((ROOT / name).read_text("utf-8") for name in files)
    steps = {"help", "interpreter", "typescript"}
    targets = set(re.findall(r"^([a-z-]+):", MAKEFILE, flags=re.MULTILINE)) - steps
    assert set(re.findall(r"(?:`|^ {4})make ([a-z-]+)", text, flags=re.MULTILINE)) == targets


def test_every_link_of_the_readme_opens_its_view_without_anything_ignored():
    links = re.findall(r"python -m views '(.+?)'", README)
    assert links
    for link in links:
        path, query = split(link)
        assert not read(VIEWS[path], query)[1]


def test_every_file_and_folder_the_readme_names_exists():
    named = {*re.findall(r"\]\(([^)]+)\)", TEXT), *re.findall(r"`([a-z]+/)`", TEXT)}
    assert not {name for name in named if not name.startswith("http") and not (ROOT / name).exists()}
