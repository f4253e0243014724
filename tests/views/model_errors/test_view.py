"""How far off the models are: the page as a reader asks for it."""

import re

import pytest

from analysis.model_errors.comparison import by_model, summary
from analysis.training_run.tables import calibration_sources
from data import sources
from data.releases import names
from tests.analysis.model_errors.rows import row
from tests.views.model_errors.answers import about
from views.model_errors.answer import chosen
from views.model_errors.settings import FORMER, MODELS, ModelErrorsSettings, month, named, rows, word_of
from views.model_errors.view import VIEW
from views.view import answer, read


def ask(**choices):
    return answer(VIEW, ModelErrorsSettings(**choices))


def test_all_models_are_shown_at_first_with_every_row():
    result, errors = ask(), by_model(rows())
    worst_first = [named(name) for name in sorted(errors, key=lambda name: -errors[name].size)]
    assert [str(line[0]).lower() for line in result.table.rows] == worst_first
    assert len(result.exhibits[1].table.rows) == len(rows()) == result.figure("rows").value


def test_several_models_are_never_thrown_together():
    """Key figures and groups are of one model each, whatever rows are grouped by."""
    everything = ask()
    of_model = by_model(rows())
    near, far = (end(of_model, key=lambda name: of_model[name].size) for end in (min, max))
    least = min(of_model, key=lambda name: of_model[name].inside)
    wanted = {near: of_model[near].size, far: of_model[far].size, least: of_model[least].inside}
    keys = [figure for figure in everything.figures if figure.key]
    assert [figure.value for figure in keys] == list(wanted.values())
    names = [named(name).rpartition(": ")[2] for name in wanted]
    assert [figure.label.replace(" (", ": ").rstrip(")").rpartition(": ")[2] for figure in keys] == names
    assert everything.figure("median_error_decode").value == of_model["decode"].size
    names = {name.capitalize() for name in MODELS.values()}
    for by in ("chip", "engine", "software-date", "way", "source"):
        groups = [str(line[0]) for line in ask(group=by).table.rows]
        assert all(group.startswith((*names, "Fewer than")) for group in groups)


@pytest.mark.parametrize("word", MODELS)
def test_one_model_is_shown_by_its_classes(word):
    result = ask(model=word)
    kinds = {named(row.kind, "kind") for row in rows() if word_of(row.model) == word}
    assert {str(line[0]) for line in result.table.rows if "Fewer than" not in str(line[0])} <= kinds
    sources = {row.source_id for row in chosen(ModelErrorsSettings(model=word))}
    assert re.search(rf"\b{len(sources)} sources\b", result.headline)
    for old, new in FORMER.items():
        assert read(VIEW, f"model={old}") == (ModelErrorsSettings(model=new), ())


def test_no_row_is_said_with_what_to_do():
    result = ask(only="no such words")
    assert result.headline == "No measurement matches these choices"
    assert "Clear them, or choose all models" in result.subtitle
    assert not result.figures and not result.table.rows


def test_the_class_furthest_off_is_named_before_anyone_asks():
    of_class = {}
    for one in rows():
        of_class.setdefault((one.model, one.kind), []).append(one)
    sizes = {key: summary(members).size for key, members in of_class.items() if len(members) >= 5}
    (model, kind), size = max(sizes.items(), key=lambda pair: pair[1])
    first = f"By group, the median error is largest for “{named(model)}: {kind}” ({100 * size:.0f}%"
    assert any(text.lower().startswith(first.lower()) for text in ask().sure)


def test_the_answer_is_the_same_for_every_release():
    requested = {release: ask(release=release) for release in names()}
    assert len({result.headline for result in requested.values()}) == 1
    for name, result in requested.items():
        assert f"the same for every release (here {name})" in result.settings_line


def test_what_a_prediction_above_the_measurement_is_depends_on_the_unit():
    def directions(*units):
        return about([row(unit=unit) for unit in units]).directions

    assert (directions("tokens/s"), directions("s")) == (("fast", "slow"), ("long", "short"))
    assert directions("s", "tokens/s") == directions("J") == ("high", "low")


def test_every_row_on_record_is_its_own_names_a_known_source_and_set_nothing():
    keys = [(row.model, row.row_id) for row in rows()]
    assert len(keys) == len(set(keys))
    assert {row.source_id for row in rows()} <= set(sources.rows())
    assert all(row.held_out_by.startswith(("without its ", "never used")) for row in rows())
    assert month()[:4] >= "2026"
    compared = {row.source_id for row in rows() if row.model.startswith("training")}
    assert len(compared & calibration_sources()) == 4 and "rows of four of the compared" in " ".join(
        VIEW.method
    )
