"""The figures of /techniques: years from saving and growth, and the words below them."""

import math

import pytest

from tests.views.techniques.answers import ask, effects_of, value


def test_the_years_are_the_logarithm_of_the_saving_over_that_of_the_growth():
    result = ask()
    saving, growth, years = (result.figure(name) for name in ("saving", "yearly_growth", "years"))
    assert saving.value and growth.value and growth.low and growth.high
    assert years.value == pytest.approx(math.log(saving.value) / math.log(growth.value))
    assert years.low == pytest.approx(math.log(saving.value) / math.log(growth.high))
    assert years.high == pytest.approx(math.log(saving.value) / math.log(growth.low))
    assert result.headline == "4-bit weights are worth 4.7 years of bandwidth growth"


def test_a_wider_level_contains_a_narrower_one():
    wide, narrow = (ask(f"level={level}").figure("years") for level in ("95", "80"))
    ends = [wide.low, narrow.low, narrow.value, narrow.high, wide.high]
    assert ends == sorted(end for end in ends if end is not None)


@pytest.mark.parametrize("phase", ["decode", "prefill", "training"])
@pytest.mark.parametrize("measure", ["time", "bytes", "memory", "flop", "links"])
def test_words_of_key_figures_are_short_enough_to_be_read_whole(phase, measure):
    result = ask(f"technique=flash-attention&second=batching&phase={phase}&measure={measure}&batch=512")
    for figure in result.figures:
        assert not figure.key or max(len(figure.label), len(figure.interval_text)) <= 24, figure


def test_the_product_is_that_of_each_alone_and_only_shown_for_several():
    result = ask("second=speculative&third=batching")
    singles = effects_of(second="speculative", third="batching").singles
    alone = [singles[name].worth.saving for name in ("int4-weights", "speculative", "batching")]
    assert value(result, "product_of_savings") == pytest.approx(math.prod(alone))
    assert "product_of_savings" not in {figure.name for figure in ask().figures}
