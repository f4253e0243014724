import csv
import io

import pytest

from data import contract, curation_tables, inputs, intake
from data.curation_tables import HARDWARE, MODELS
from tests.data import exports


def cells(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode(), newline="")))


def with_notes(content: bytes) -> bytes:
    """Return an export with an abstract, and a link in the middle of a note."""
    header, *rows = cells(content)
    text = io.StringIO()
    place = header.index("Link")
    writer = csv.writer(text)
    writer.writerow(["Abstract", *header])
    for row in rows:
        row[place] = f"As they write,\n{row[place]}, in a note"
        writer.writerow(["We present a model.", *row])
    return text.getvalue().encode()


def test_what_is_kept_reads_as_the_whole_export_does():
    rows = [{"name": f"M{number}", "organisation": "A,B\nC"} for number in range(30)]
    rows[4]["mfu"] = "45"
    models = exports.models(*rows)

    def taken(models: bytes) -> intake.Taken:
        files = {"training_runs": ("m.csv", models)}
        return intake.take(files, lines=curation_tables.read(), ground={})["training_runs"]

    whole = taken(models)
    (left_out,) = whole.left_out
    assert left_out.row == 6
    stored = inputs.facts(with_notes(models), kind="models", left_out={left_out.row})
    again = taken(stored)
    assert not again.left_out
    assert again.curated.frame.equals(whole.curated.frame)
    assert inputs.facts(stored, kind="models", left_out=()) == stored
    header, *rows = cells(stored)
    assert "Abstract" not in header
    assert {row[header.index("Link")] for row in rows} == {"https://example.org/alpha"}


def test_control_characters_are_not_kept():
    stored = inputs.facts(exports.models({"name": "A\x1c B\x85"}), kind="models", left_out=())
    assert cells(stored)[1][0] == "A  B "


@pytest.mark.parametrize(
    "path", sorted((contract.DIRECTORY / "inputs").rglob("*.csv")), ids=lambda path: path.name
)
def test_the_repository_keeps_columns_of_facts_and_links_alone(path):
    header, *rows = cells(path.read_bytes())
    columns = MODELS if path.name.startswith("models") else HARDWARE
    kinds = {alias: column.kind for column in columns for alias in column.aliases}
    assert set(header) <= set(kinds)
    for name, column in zip(header, zip(*rows, strict=True), strict=True):
        if kinds[name] == "link":
            assert all(not cell or (cell.startswith("http") and len(cell.split()) == 1) for cell in column)
