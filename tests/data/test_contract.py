import csv
import re

import pytest

from data import contract, releases, sources, standing
from data.contract import DIRECTORY
from tests.cases import cases

RESOURCES = contract.package()["resources"]
KEYS = {"claims": "claim_id", "memory_generations": "memory"}
"""Keys of tables other than their name."""
SUFFIX_UNIT = cases(__file__)


def table_of(resource: dict[str, str]) -> str:
    return resource["schema"].removeprefix("schemas/").removesuffix(".json")


def names_of(resource: str) -> set[str]:
    """Return the keys of the table that a foreign key refers to."""
    if resource == "sources":
        return set(sources.rows())
    table, _, release = resource.partition("-20")
    if release:
        return set(getattr(releases.load(f"20{release}"), table)["name"])
    table = resource.removeprefix("standing-").replace("-", "_")
    return set(standing.table(table)[KEYS.get(table, "name")])


@pytest.mark.parametrize("resource", RESOURCES, ids=lambda resource: resource["name"])
def test_every_table_keeps_to_its_description(resource):
    wanted = contract.schema(table_of(resource)).get("foreignKeys", [])
    keys = {key["reference"]["resource"]: names_of(key["reference"]["resource"]) for key in wanted}
    with (DIRECTORY / resource["path"]).open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, strict=True))
    assert contract.breaches(rows, table=table_of(resource), keys=keys) == []


def test_every_csv_under_data_is_described_and_every_described_file_is_there():
    paths = (path.relative_to(DIRECTORY).as_posix() for path in DIRECTORY.rglob("*.csv"))
    elsewhere = ("inputs/", "releases/standing/", "derived/model_errors/")
    there = {path for path in paths if not path.startswith(elsewhere)}
    assert there == {resource["path"] for resource in RESOURCES}
    schemas = {f"schemas/{path.name}" for path in (DIRECTORY / "schemas").iterdir()}
    assert schemas == {resource["schema"] for resource in RESOURCES}


@pytest.mark.parametrize("table", sorted({table_of(resource) for resource in RESOURCES}))
def test_every_number_has_a_unit_that_its_name_says_and_bounds(table):
    for field in contract.schema(table)["fields"]:
        assert field["description"]
        if field["type"] != "number":
            continue
        assert {"minimum", "maximum"} <= set(field["constraints"]), field["name"]
        endings = [suffix for suffix in SUFFIX_UNIT if field["name"].endswith(suffix)]
        expected = SUFFIX_UNIT[max(endings, key=len)] if endings else "1"
        assert field["unit"] == expected, field["name"]


def test_every_source_is_used_and_credit_is_given():
    used: set[str] = set()
    for resource in RESOURCES:
        with (DIRECTORY / resource["path"]).open(encoding="utf-8", newline="") as file:
            used |= {line["source_id"] for line in csv.DictReader(file) if "source_id" in line}
    assert set(sources.rows()) == used
    assert "Epoch AI" in (DIRECTORY / "README.md").read_text(encoding="utf-8")


def test_the_readme_names_only_what_is_there():
    text = (DIRECTORY / "README.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:curation/)?\w+\.(?:csv|json|py))`", text)
    assert len(named) > 8
    folders = (DIRECTORY, DIRECTORY / "curation", DIRECTORY / "standing", DIRECTORY / "releases" / "2026-07")
    assert [name for name in named if not any((folder / name).exists() for folder in folders)] == []


def field(kind: str, **constraints: object) -> dict[str, object]:
    return {"name": "x", "type": kind, "unit": "W" if kind == "number" else "", "constraints": constraints}


@pytest.mark.parametrize(
    ("cell", "described", "fault"),
    [
        ("", field("string"), ""),
        ("", field("string", required=True), "a value is required here."),
        ("5", field("number", minimum=1, maximum=9), ""),
        ("x", field("number"), "a number is needed; got 'x'."),
        ("inf", field("number"), "a finite number is needed; got 'inf'."),
        ("nan", field("number"), "a finite number is needed; got 'nan'."),
        ("0.5", field("number", minimum=1), "at least 1 W is plausible; got 0.5."),
        ("50", field("number", maximum=9), "at most 9 W is plausible; got 50."),
        ("2024-02-29", field("date"), ""),
        ("2023-02-29", field("date"), "a date as YYYY-MM-DD is needed; got '2023-02-29'."),
        ("1939-12-31", field("date", minimum="1940-01-01"), "a date from 1940-01-01 is plausible"),
        ("2041-01-01", field("date", maximum="2040-12-31"), "a date to 2040-12-31 is plausible"),
        ("yes", field("boolean"), "true or false is needed; got 'yes'."),
        ("c", field("string", enum=["a", "b"]), "one of a, b is needed; got 'c'."),
        ("A", field("string", pattern="[a-z]+"), "text like [a-z]+ is needed; got 'A'."),
    ],
)
def test_a_cell_outside_its_description_says_what_is_needed(*, cell, described, fault):
    assert contract.cell_fault(cell, field=described).startswith(fault)
    assert bool(contract.cell_fault(cell, field=described)) == bool(fault)


HEADER = ["table", "was", "now", "reason"]
ROW = ["accelerators", "A", "B", "r"]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            [["was", "table", "now", "reason"]],
            "renames, row 1: the columns must be table, was, now, reason; got was, table, now, reason.",
        ),
        ([], "renames, row 1: the columns must be table, was, now, reason; got nothing."),
        ([HEADER, ROW[:3]], "renames, row 2: 4 cells are needed; got 3."),
        (
            [HEADER, ROW, ROW],
            "renames, row 3, column 'table, was': 'accelerators / A' is already in row 2; it must be unique.",
        ),
    ],
)
def test_rows_outside_their_description_are_refused_with_their_place(rows, message):
    assert [str(breach) for breach in contract.breaches(rows, table="renames", keys={})] == [message]


def test_a_source_that_is_not_in_the_sources_is_refused():
    rows = [list(contract.columns("exclusions")), ["accelerators", "A", "trends", "r", "nowhere"]]
    problems = contract.breaches(rows, table="exclusions", keys={"sources": {"somewhere"}})
    assert "'nowhere' is not in sources. Add it there or correct it here." in str(problems[0])
    assert contract.breaches(rows, table="exclusions", keys={}) == []


def test_the_unit_of_a_column_can_be_asked_for():
    assert contract.unit("accelerators", column="power_w") == "W"
    assert contract.unit("accelerators", column="vendor") == ""
    with pytest.raises(LookupError, match="accelerators has no column 'colour'; it has name"):
        contract.unit("accelerators", column="colour")
