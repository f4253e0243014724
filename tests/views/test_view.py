import time
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, cast

import hypothesis
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.exports import exported_rows, written
from data.curation_tables import HARDWARE, MODELS
from data.epoch import ExportError
from data.releases import from_export, latest, load, names
from tests.data import exports
from tests.length import LONG
from views import accelerators, training_compute
from views.registry import VIEWS
from views.view import answer, link, pinned, read, split

CONTROLS = "".join(map(chr, (1, 7, 11, 27, 31, 127, 0x85, 0x202E, 0xFEFF, 0xFFFE)))


def exported_runs(release):
    """Return a release's training runs as an Epoch export writes them."""
    runs = load(release).training_runs
    runs = runs.loc[
        runs["training_compute_flop"].notna() & runs["published_on"].notna() & (runs["excluded"] == "")
    ]
    return [
        {
            **{name: str(getattr(run, name)) for name in ("name", "organisation", "domain", "base_model")},
            "published_on": f"{run.published_on:%Y-%m-%d}",
            "training_compute_flop": repr(run.training_compute_flop),
            "confidence": str(run.confidence).capitalize(),
            **{"country": "", "n_parameters": ""},
        }
        for run in cast(Iterable[Any], runs.itertuples())
    ]


def test_a_readers_own_export_equal_to_ours_gives_our_numbers():
    own = from_export(exports.models(*exported_runs(latest())), None, name="your export")
    for query in ("", "since=2020&domain=language", "rule=notable&since=2010"):
        chosen, _ = read(training_compute.VIEW, query)
        ours = answer(training_compute.VIEW, chosen)
        theirs = answer(training_compute.VIEW, chosen, release=own)
        for name in ("yearly_growth", "doubling_time_years", "n_points", "value"):
            assert theirs.figure(name).value == pytest.approx(ours.figure(name).value)
        assert (theirs.release, theirs.settings["release"], theirs.link) == ("your export", "your export", "")
        assert "Data: your export (own models)" in theirs.settings_line


def own_runs(count):
    """Return a reader's own release of so many runs, each ten times the last a year later."""
    runs = (
        {"name": f"M{n}", "published_on": f"{2013 + n}-05-01", "training_compute_flop": f"1e{18 + n}"}
        for n in range(count)
    )
    return from_export(exports.models(*runs), None, name="your export")


@pytest.mark.parametrize("path", ["/", "/training-compute"])
def test_few_rows_of_ones_own_give_no_rate(path):
    view = VIEWS[path]
    few, enough = (answer(view, view.settings(), release=own_runs(count)) for count in (9, 10))
    assert "a year" not in few.headline and "a year" in enough.headline
    assert not [figure for figure in few.figures if figure.key and "a year" in figure.text]


def test_a_readers_own_export_is_never_kept_for_the_next_reader():
    small = own_runs(11)
    chosen, _ = read(training_compute.VIEW, "interval=classical")
    before = answer(training_compute.VIEW, chosen)
    theirs = answer(training_compute.VIEW, chosen, release=small)
    assert theirs.figure("yearly_growth").value == pytest.approx(10, rel=0.01)
    assert theirs.figure("n_points").value == 11
    assert answer(training_compute.VIEW, chosen) == before
    assert answer(accelerators.VIEW, read(accelerators.VIEW, "")[0], release=small).figures


def test_latest_is_pinned_to_the_newest_release_and_a_pinned_one_stays():
    view = VIEWS["/"]
    assert pinned(view.settings()).release == latest()
    old = view.settings(release=names()[0])
    assert pinned(old) == old
    assert f"release={names()[0]}" in link(view, old)
    assert answer(view, old).release == names()[0]
    assert answer(view, view.settings()).settings["release"] == latest()


@pytest.mark.parametrize(
    ("text", "path", "query"),
    [
        ("/training-compute?since=2020", "/training-compute", "since=2020"),
        ("training-compute", "/training-compute", ""),
        ("https://example.org:8501/data/?find=a%20b#top", "/data", "find=a%20b"),
        ("https://example.org", "/", ""),
        ("http://[::1", "/", ""),
        ("?a=1?b", "/", "a=1?b"),
        ("", "/", ""),
    ],
)
def test_a_link_splits_into_path_and_query(*, text, path, query):
    assert split(text) == (path, query)


@given(st.text(max_size=60))
def test_any_text_splits(text):
    path, _ = split(text)
    assert path.startswith("/")


@pytest.fixture(scope="module")
def own_releases():
    """Return releases made from a reader's own files: both, models alone, hardware alone."""
    chips: Any = load(latest()).accelerators.loc[lambda parts: parts["origin"] == "epoch"]
    known = chips[["name", "vendor", "type"]].assign(
        released_on=chips["released_on"].dt.strftime("%Y-%m-%d").fillna(""),
        memory_bandwidth_byte_per_s=[
            "" if rate != rate else repr(rate) for rate in chips["memory_bandwidth_byte_per_s"]
        ],
    )
    hardware = exports.hardware(*known.to_dict("records"))
    models = exports.models(*exported_runs(latest()))
    given = ((models, hardware), (models, None), (None, hardware))
    return [from_export(*files, name="your export") for files in given]


@pytest.mark.parametrize("view", VIEWS.values(), ids=lambda view: view.name)
def test_every_view_answers_from_a_readers_own_export(view, own_releases):
    for own in own_releases[: 3 if LONG else 1]:
        theirs = answer(view, view.settings(), release=own)
        assert theirs.headline and theirs.exhibits and theirs.release == "your export"


ODD = {
    "number": ("1e308", "1e-308", "5e-324", "1e309", "-1", "-0", "NaN", "٣", "0x10", "1 000", "=1+1", ""),
    "date": ("1940-01-01", "2040-12-31", "2041-01-01", "2026-02-30", "0000-00-00", "2026-07-01", "soon", ""),
    "list": (";;;", ",", "a," * 5000, "\n\n", ""),
    "text": ("<script>alert(1)</script>", "{{7*7}}", "=HYPERLINK(1)", f"a{CONTROLS}b", "漢" * 300_000, '"', ""),
}  # fmt: skip
"""Cells as nobody should write them, and somebody will, by the kind of their column."""


@hypothesis.settings(max_examples=100)
@given(st.randoms(use_true_random=False))
def test_odd_rows_are_refused_or_left_out_or_every_view_answers_from_them(draw):
    release, place = load(latest()), draw.randrange(2)
    columns, table = ((MODELS, "training_runs"), (HARDWARE, "accelerators"))[place]
    known = exported_rows((release.training_runs, release.exported_accelerators)[place], columns, table=table)
    rows = draw.sample(known, draw.choice([1, 60, 60]))
    if draw.random() < 0.2:
        rows = [{**rows[0], "name": row["name"]} for row in rows]
    for column in draw.sample(columns, draw.choice([1, 1, len(columns) // 2])):
        cells, share = draw.choice([ODD.get(column.kind, ODD["text"]), ("",)]), draw.choice([0.03, 1.0])
        for row in rows:
            row |= {column.name: draw.choice(cells)} if draw.random() < share else {}
    files: list[bytes | None] = [None, None]
    files[place] = written(rows, columns)
    try:
        own = from_export(files[0], files[1], name="your export")
    except ExportError as refusal:
        assert str(refusal)
        return
    for path in draw.sample([path for path in VIEWS if path not in ("/story", "/claims")], 5):
        assert answer(VIEWS[path], VIEWS[path].settings(), release=own).headline


@pytest.mark.parametrize(
    ("path", "name", "values"),
    [
        ("/growth-accounting", "top", (7, 8, 9)),
        ("/track-record", "since", ("2011", "2010", "2013")),
        ("/track-record?series=memory-bandwidth", "since", ("2011", "2010", "2013")),
        ("/track-record?rule=all", "since", ("2011", "2010", "2013")),
        ("/claims?find=time", "verdict", ("off", "wrong", "supported")),
        ("/fleet", "level", ("80", "95", "50")),
    ],
)
def test_an_answer_to_other_choices_takes_less_than_a_third_of_a_second(*, path, name, values):
    path, query = split(path)
    chosen, taken = read(VIEWS[path], query)[0], []
    answer(VIEWS[path], chosen)
    for value in values:
        start = time.process_time()
        VIEWS[path].build(replace(chosen, **{name: value}), load(latest()))
        taken.append(time.process_time() - start)
    assert min(taken) < 0.3
