from statistics import median

import pytest

from analysis.hardware.matmul_rates import MatmulRates
from data import standing

RATES = MatmulRates.from_rows(
    standing.table("published_matmul").to_dict("records"),
    same_die=standing.table("same_die").to_dict("records"),
)


def test_a_chip_reaches_what_was_measured_on_it_or_on_its_die():
    h100 = RATES.share("H100 SXM")
    assert h100.share == 794.5e12 / 989e12
    assert h100.measured
    assert RATES.share("H800") == h100
    assert RATES.share("H100 SXM", precision="fp8").share == 1402.6e12 / 1979e12


def test_a_chip_nobody_measured_gets_the_median():
    unknown = RATES.share("Abacus 1")
    assert unknown.share == median(RATES.shares["fp16"].values())
    assert not unknown.measured
    assert not RATES.share("").measured


def test_a_precision_nobody_measured_is_refused():
    with pytest.raises(ValueError, match=r"precision is fp16 or fp8; got 'int4'\. BF16 counts as fp16\."):
        RATES.share("H100 SXM", precision="int4")


def test_every_chip_of_the_same_die_names_a_measured_one():
    assert set(RATES.same_die.values()) <= set(RATES.shares["fp16"])
    assert not set(RATES.same_die) & set(RATES.shares["fp16"])
