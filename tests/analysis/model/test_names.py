import pytest

from analysis.model.names import UnknownModel, find_model, formats, known_model, nearest, plain, readable
from analysis.placement.tables import known
from data import standing
from tests.cases import cases

CASES = cases(__file__)

KNOWN = known()


@pytest.mark.parametrize(("name", "known_as"), CASES["formats"])
def test_the_words_people_use_for_formats_are_known(name, known_as):
    known_formats = formats(standing.table("measured_decode"), standing.table("quantisation"))
    assert known_formats[plain(name)].name == known_as


@pytest.mark.parametrize(("name", "known_as"), CASES["names"])
def test_models_are_known_by_the_names_of_repositories_and_benchmarks(name, known_as):
    assert find_model(name, KNOWN.models).name == known_as


@pytest.mark.parametrize("name", standing.rows("architectures", "name"))
def test_a_model_of_the_table_is_known_by_its_own_name(name):
    assert find_model(name, KNOWN.models).name == name


@pytest.mark.parametrize("name", standing.rows("model_names", "name"))
def test_a_model_of_the_same_shape_is_known_by_the_other(name):
    row = standing.rows("model_names", "name")[name]
    assert find_model(name, KNOWN.models).name == row["architecture"]
    assert plain(name) not in {plain(other) for other in standing.rows("architectures", "name")}


@pytest.mark.parametrize("name", ["", "  ", "fp8", "Llama 9 700B", "meta-llama/"])
def test_a_name_of_no_model_means_none(name):
    assert known_model(name, KNOWN.models) is None
    with pytest.raises(UnknownModel, match=r"is not in our tables \(nearest: .*\). Name one of them."):
        find_model(name, KNOWN.models)


def test_suggestions_are_names_that_can_be_read():
    assert nearest(plain("Lama 3 8B"), KNOWN.models).startswith("Llama 3 8B")
    assert readable("as it is") == "as it is"
