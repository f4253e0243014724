"""Which rows an answer is about, and what it says of them all."""

import pytest

from tests.analysis.model_errors.rows import row
from tests.views.model_errors.answers import about
from views.model_errors.answer import chosen
from views.model_errors.settings import ModelErrorsSettings


def test_words_keep_the_rows_that_have_them_all():
    kept = chosen(ModelErrorsSettings(only="LLAMA.cpp decode"))
    assert kept and {(row.engine, row.model) for row in kept} <= {("llama.cpp", "decode"), ("", "decode")}


@pytest.mark.parametrize(
    ("units", "directions"),
    [
        (["tokens/s"], ("fast", "slow")),
        (["s"], ("long", "short")),
        (["s", "tokens/s"], ("high", "low")),
        (["J"], ("high", "low")),
    ],
)
def test_what_a_prediction_above_the_measurement_is_depends_on_the_unit(*, units, directions):
    assert about([row(unit=unit) for unit in units]).directions == directions
