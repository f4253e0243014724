import numpy as np
import pytest

from analysis.measured.engines import REFERENCE, engine
from analysis.placement.tables import models
from data import standing
from tests.cases import cases


@pytest.mark.parametrize(("name", "known"), cases(__file__)["names"])
def test_an_engine_is_known_by_what_people_call_it(*, name, known):
    assert engine(name) == known


def test_nearly_all_measured_rows_name_an_engine_and_most_the_one_that_others_stand_beside():
    named = [engine(name) for name in standing.table("measured_decode")["software"]]
    assert named.count("") <= 0.02 * len(named)
    assert named.count(REFERENCE) > 0.5 * len(named)


def test_the_fit_knows_how_far_engines_lie_from_llama_cpp():
    fit = models().decode.model
    factors = {name: np.exp(value) for name, value in fit.columns.factors("engine", fit.factors).items()}
    assert REFERENCE not in factors
    assert 0.9 < factors["Ollama"] < 1.1 and 0.85 < factors["MLX"] < 1.1
    # Inside an app on three phones; d407-d414 were measured by its makers with their runner, on one.
    assert factors["ExecuTorch"] > 2.0
    assert 0.8 < factors["ExecuTorch runner"] < 1.25
