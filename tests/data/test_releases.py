import shutil

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data import package, releases
from data.curation_tables import HARDWARE, MODELS
from data.epoch import ExportError
from data.releases import from_export, load
from tests.data import exports
from tests.data.cutting import later


def test_a_release_that_does_not_exist_is_refused_with_those_that_do():
    for name in ("1999-01", "..", ""):
        with pytest.raises(LookupError, match="there are 2025-11, "):
            load(name)


@pytest.mark.parametrize("name", releases.names())
def test_as_exported_has_the_export_s_own_values_and_listings(name):
    release = load(name)
    raw = release.exported_accelerators.set_index("name")
    assert set(raw["origin"]) == {"epoch"} and len(raw) == sum(release.accelerators["origin"] == "epoch")
    assert set(raw["representative"]) == {True} and set(raw["excluded"]) == {""}
    for line in release.corrections.query("table == 'accelerators'").to_dict(orient="records"):
        held = raw.loc[line["row"], line["field"]]
        text = held.date().isoformat() if isinstance(held, pd.Timestamp) else held
        assert (pd.isna(held) and line["was"] == "") or text == type(text)(line["was"]), line


def test_a_release_exported_again_comes_back_as_it_was():
    release = load(releases.latest())
    own = from_export(*exports.whole(release), name="mine")
    assert (own.name, own.origin, own.base) == ("mine", "own models and hardware", releases.latest())
    assert own.warnings == ()
    pd.testing.assert_frame_equal(own.accelerators, release.accelerators)
    compute = ["name", "published_on", "training_compute_flop", "hardware", "n_active_parameters"]
    pd.testing.assert_frame_equal(own.training_runs.loc[:, compute], release.training_runs.loc[:, compute])


def test_a_table_that_is_not_given_comes_from_the_base_with_its_standing_tables_and_says_so():
    own = from_export(exports.models(), None, name="2026-07", base="2025-11")
    assert (own.origin, own.base, own.stands_on) == ("own models", "2025-11", "2025-11")
    assert own.accelerators is load("2025-11").accelerators
    assert own.training_runs["name"].tolist() == ["Alpha"]
    assert set(own.corrections["table"]) == {"accelerators"}
    other = from_export(None, exports.hardware(), name="mine")
    assert (other.origin, other.base) == ("own hardware", releases.latest())
    assert other.training_runs is load(releases.latest()).training_runs
    assert other.stands_on == releases.latest() and load("2025-11").stands_on == "2025-11"
    assert [load("2025-11").words, own.words] == ["release 2025-11", "2026-07 on release 2025-11"]
    with pytest.raises(ValueError, match="give a models file, a hardware file, or both"):
        from_export(None, None, name="mine")


def test_faults_of_both_files_come_together_with_their_file_row_and_column():
    with pytest.raises(ExportError) as caught:
        models = exports.models({"published_on": "2024-02-30"})
        from_export(models, exports.hardware({}, {}), name="mine", files=("m.csv", "h.csv"))
    places = [(problem.file, problem.row, problem.column) for problem in caught.value.problems]
    assert places == [("m.csv", 2, "Publication date"), ("h.csv", 3, "Hardware name")]


odd = st.sampled_from(["NA", "null", "a\rb", "1e400"])
cells = st.one_of(st.text(max_size=12), st.floats().map(repr), st.dates().map(str), odd)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_an_export_of_any_cells_is_taken_whole_or_refused(data):
    run = data.draw(st.dictionaries(st.sampled_from([column.name for column in MODELS]), cells))
    part = data.draw(st.dictionaries(st.sampled_from([column.name for column in HARDWARE]), cells))
    try:
        own = from_export(exports.models(run), exports.hardware(part), name="mine")
    except ExportError as refusal:
        assert refusal.problems
    else:
        assert len(own.training_runs) == 1
        assert own.accelerators["origin"].tolist().count("epoch") == 1


def test_a_release_that_arrives_is_the_newest_from_the_next_look_on(*, folder):
    before, fingerprint = releases.latest(), package.fingerprint()
    later(folder, "2030-01-15")
    assert releases.latest() == before
    assert releases.look() == ("2030-01-15",)
    assert releases.latest() == "2030-01-15"
    assert releases.load("2030-01-15").name == "2030-01-15"
    assert package.fingerprint() != fingerprint
    assert releases.look() == ()


def test_a_release_is_not_served_while_it_is_being_copied(*, folder):
    there = later(folder, "2030-01-15")
    whole = (there / "accelerators.csv").read_bytes()
    (there / "accelerators.csv").write_bytes(whole[:-100])
    assert releases.look() == ()
    assert "2030-01-15" not in releases.names()
    (there / "accelerators.csv").write_bytes(whole)
    assert releases.look() == ("2030-01-15",)


def test_a_folder_that_is_emptied_leaves_the_releases_that_were_read(*, folder):
    before = releases.names()
    for name in before:
        shutil.rmtree(folder / name)
    assert releases.look() == ()
    assert releases.names() == before


def test_a_release_stays_frozen_however_many_others_are_read(folder):
    for month in range(1, 10):
        later(folder, f"2030-0{month}")
    assert len(releases.look()) == 9
    every = [load(name) for name in releases.names()]
    assert all(map(releases.is_frozen, every))
