import csv
from dataclasses import replace

import pytest

from data import curate, curation_tables, drafts, inputs, releases, seal, standing
from data.release_name import correction_of
from tests.cases import cases
from tests.data.cutting import NEWEST, NEXT
from tests.data.exports import correction

LINE = correction("power_w", was="700", now="701", row="NVIDIA H200 SXM", source_id="epoch-ml-hardware")


@pytest.mark.parametrize("name", releases.names())
def test_the_newest_correction_of_a_release_is_what_today_s_curation_makes_of_its_inputs(name):
    """Where a table differs on purpose, a correction is due: ``python -m data.curate --correct``."""
    newest = [one for one in releases.names() if correction_of(one) == correction_of(name)][-1]
    stored = inputs.read(name)
    files = {kind: (kind, content) for kind, content in stored.items()}
    built = drafts.draft(files, release=newest, say=lambda line: None, strict=True, subset=True)
    sealed = releases.sealed(newest).files
    differs = [table for table, text in built.texts.items() if text.encode() != sealed[table].whole()]
    assert not differs, (
        f"{', '.join(differs)} of release {newest} would be other ones with today's data/curation: run "
        f"`python -m data.curate --correct {correction_of(name)}`."
    )
    assert built.inputs == stored


def correct(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have one more correction among our tables: an H200 with one watt more."""
    lines = curation_tables.read()
    more = replace(lines, corrections=[*lines.corrections, LINE])
    monkeypatch.setattr(curation_tables, "read", lambda: more)


def test_a_correction_that_corrects_nothing_is_refused(folder, capsys):
    before = seal.names(folder)
    assert curate.main(["--correct", "2026-07"]) == 1
    assert (
        f"refused, nothing was written:\nrelease {NEWEST} already has these tables and standing tables. "
        "Change data/curation, data/standing or data/sources.csv first."
    ) in capsys.readouterr().err
    assert seal.names(folder) == before


def test_a_changed_value_makes_the_next_correction_and_the_release_stays(*, folder, monkeypatch, capsys):
    correct(monkeypatch)
    before = {path: path.read_bytes() for path in folder.rglob("*.*") if path.is_file()}
    assert curate.main(["--correct", "2026-07"]) == 0
    printed = capsys.readouterr().out
    assert f"Changes from {NEWEST} to {NEXT}" in printed
    assert "changed NVIDIA H200 SXM, power_w: 700 -> 701" in printed
    assert "standing tables: 0 changed" in printed
    assert all(path.read_bytes() == content for path, content in before.items())
    assert releases.latest() == NEXT
    parts = (releases.load(name).accelerators.set_index("name") for name in (NEWEST, NEXT))
    old, new = (part.loc["NVIDIA H200 SXM", "power_w"] for part in parts)
    assert (old, new) == (700, 701)
    old, new = (releases.sealed(name).record.provenance for name in (NEWEST, NEXT))
    assert old == new and len(new) == 3
    assert curate.main(["--correct", "2026-07"]) == 1
    assert f"release {NEXT} already has these tables" in capsys.readouterr().err


def test_a_changed_standing_table_makes_a_correction_and_the_release_keeps_its_own(folder, capsys):
    path = folder.parent / "standing" / "electricity.csv"
    rows = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
    path.write_text(path.read_text(encoding="utf-8").replace(rows[1][0], "a-new-row", 1), encoding="utf-8")
    assert curate.main(["--correct", "2026-07"]) == 0
    printed = capsys.readouterr().out
    assert "standing tables: 1 changed\n  electricity: 1 lines came, 1 went" in printed
    assert "0 added, 0 changed, 0 gone" in printed
    for name, first in ((NEWEST, rows[1][0]), (NEXT, "a-new-row")):
        with releases.reading(name):
            assert standing.table("electricity").iloc[0, 0] == first


def test_inputs_that_were_changed_are_refused(folder, capsys):
    (path,) = (folder.parent / "inputs" / "2026-07").glob("models-*.csv")
    path.write_bytes(path.read_bytes().replace(b"e+25", b"e+26", 1))
    assert curate.main(["--correct", "2026-07"]) == 1
    assert "has not the models that the release was built from: restore them" in capsys.readouterr().err


def test_what_a_sealed_release_was_built_from_stays_when_its_name_is_cut_again(folder, capsys):
    before = inputs.read("2026-07")
    for kind, content in before.items():
        (folder.parent / f"{kind}.csv").write_bytes(content.rpartition(b"\n")[0].rpartition(b"\n")[0] + b"\n")
    files = ("--models", str(folder.parent / "models.csv"), "--hardware", str(folder.parent / "hardware.csv"))
    assert curate.main([*files, "--release", "2026-07"]) == 1
    assert "is sealed and cannot be overwritten" in capsys.readouterr().err
    assert inputs.read("2026-07") == before


def test_a_release_that_is_not_there_cannot_be_corrected(folder, capsys):
    assert curate.main(["--correct", "2019-01"]) == 1
    assert "there is no release '2019-01'; there are 2025-11, " in capsys.readouterr().err


@pytest.mark.parametrize(("arguments", "words"), cases(__file__)["commands"])
def test_the_command_needs_an_export_or_a_release_to_correct(*, arguments, words, capsys):
    with pytest.raises(SystemExit):
        curate.main(arguments)
    assert words in " ".join(capsys.readouterr().err.split())
