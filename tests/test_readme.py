"""What the README tells a newcomer is what the project does today."""

import calendar
import re
from pathlib import Path

import pytest

from data.release_name import correction_of
from data.releases import latest, load, names
from views import overview
from views.growth_gap import view as growth_gap
from views.registry import VIEWS
from views.runs.choice import TrainingComputeSettings
from views.runs.disclosure import disclosure
from views.view import answer, read, split

ROOT = Path(__file__).parent.parent
README = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def figure(name, view=overview.VIEW):
    return answer(view, view.settings()).figure(name)


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        (r"needs (.+?) the compute each year \(90 % interval (.+?)–(.+?)\)", "compute_growth"),
        (r"outgrow the bandwidth of its own chips by (.+?) a year \((.+?)–(.+?)\)", "run_run_gap_growth"),
        (r"outgrows memory bandwidth by (.+?) a year \((.+?)–(.+?), all", "chip_chip_gap_growth"),
    ],
)
def test_a_rate_of_the_readme_is_what_the_views_compute(sentence, name):
    match = re.search(sentence, README)
    assert match, sentence
    shown = figure(name)
    assert f"{match[1]} a year" == shown.text
    assert f"90 %: {match[2]}–{match[3]}×" == shown.interval_text


def test_the_bandwidth_of_the_readme_is_what_the_views_compute():
    match = re.search(r"a leading chip gets (\d+) % more memory bandwidth \((\d+)–(\d+) %\)", README)
    assert match
    shown = figure("bandwidth_growth")
    assert [int(number) for number in match.groups()] == [
        round(100 * (end - 1)) for end in (shown.value or 0, shown.low or 0, shown.high or 0)
    ]


def test_the_readme_names_the_largest_known_run_and_the_share_with_a_value():
    match = re.search(
        r"known value is of (\w{3})\w* (\d{4}), and its estimate is graded (\w+)\. Only (\d+) % of (\d{4})'s",
        README,
    )
    assert match
    result = disclosure(load(latest()), TrainingComputeSettings())
    assert result is not None
    assert (f"{match[1]} {match[2]}", match[3]) == (result.until, result.grade)
    assert (match[4], int(match[5])) == (f"{100 * result.newest.share:.0f}", result.newest.year)


def test_the_words_of_the_readme_fit_the_intervals():
    chips, runs = figure("chip_chip_gap_growth"), figure("run_run_gap_growth")
    assert (chips.low or 0) > 1
    assert (runs.low or 0) > 1
    assert (figure("run_chip_gap", growth_gap.VIEW).low or 0) > (runs.high or 0) ** 2


def test_the_readme_names_the_month_of_the_newest_release():
    year, month = correction_of(latest()).split("-")
    assert f"Data of {calendar.month_name[int(month)]} {year};" in README
    assert "Two frozen releases" in README and len(set(map(correction_of, names()))) == 2


def test_every_make_command_of_the_readme_is_in_the_makefile():
    commands = set(re.findall(r"\bmake ([a-z-]+)(?=[ `.;,])", README))
    targets = set(re.findall(r"^([a-z-]+):", MAKEFILE, flags=re.MULTILINE))
    assert {"run", "test", "test-pythons", "check", "setup", "bench", "lock"} <= commands <= targets


def test_every_link_of_the_readme_opens_its_view_without_anything_ignored():
    links = re.findall(r"python -m views '(.+?)'", README)
    assert links
    for link in links:
        path, query = split(link)
        assert not read(VIEWS[path], query)[1]


def test_every_file_and_folder_the_readme_names_exists():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    named = {*re.findall(r"\]\(([^)]+)\)", text), *re.findall(r"`([a-z]+/)`", text)}
    assert not {name for name in named if not name.startswith("http") and not (ROOT / name).exists()}
