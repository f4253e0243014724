from statistics import median
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.hardware.matmul_rates import MatmulRates, matmul_s
from data import standing

TABLES: Any = {name: standing.table(name).to_dict("records") for name in ("published_matmul", "same_die")}
RATES = MatmulRates.from_rows(TABLES["published_matmul"], same_die=TABLES["same_die"])


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


def test_a_precision_nobody_measured_is_refused_and_a_chip_of_the_same_die_names_a_measured_one():
    with pytest.raises(ValueError, match=r"precision is fp16 or fp8; got 'int4'\. BF16 counts as fp16\."):
        RATES.share("H100 SXM", precision="int4")
    assert set(RATES.same_die.values()) <= set(RATES.shares["fp16"])
    assert not set(RATES.same_die) & set(RATES.shares["fp16"])


@given(rows=st.integers(1, 100_000), inner=st.integers(1, 100_000), columns=st.integers(1, 100_000))
def test_no_product_beats_the_matrix_rate_or_memory_and_large_ones_come_near_a_rate(*, rows, inner, columns):
    def seconds(times: float) -> float:
        size = {"inner": times * inner, "columns": times * columns}
        return float(matmul_s(times * rows, **size, matmul_flop_per_s=800e12, memory_byte_per_s=3e12))

    flop, byte = 2 * rows * inner * columns, 2 * (rows * inner + inner * columns + rows * columns)
    assert seconds(1) == pytest.approx(flop / 800e12 + byte / 3e12)
    assert seconds(1e6) == pytest.approx(1e18 * flop / 800e12, rel=0.01)
