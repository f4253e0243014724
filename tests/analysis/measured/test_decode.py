import numpy as np
import pandas as pd
import pytest

from analysis.measured.decode import DecodeCases, decode_cases, fit_decode, usable
from analysis.model.architecture import Architecture
from analysis.model.kv_cache import kv_cache_byte
from data import standing
from tests.cases import cases

ROW = cases(__file__)["row"]
ARCHITECTURES = standing.table("architectures")
SHAPE = Architecture.from_row(standing.rows("architectures", "name")["Llama 3.1 8B"])


def rows(*changes):
    """Return measured rows, each with some columns changed."""
    return pd.DataFrame([{**ROW, **change} for change in changes])


@pytest.mark.parametrize(
    "change",
    [
        {"n_devices": 2},
        {"batch": 4},
        {"memory_bandwidth_byte_per_s": np.nan},
        {"bytes_read_byte": np.nan},
        {"decode_tokens_per_s": 0.0},
        {"full_read": False},
        {"host_limited": True},
        {"backend": "abacus"},
        {"software": "llama.cpp, sustained"},
    ],
    ids=str,
)
def test_a_row_that_tells_of_something_else_than_reading_weights_is_left_out(change):
    assert usable(rows({}, change)).tolist() == [True, False]


def test_a_row_becomes_a_case_with_the_cache_of_its_architecture():
    table = rows({}, {"architecture": "secret"}, {"context_tokens": 0.0})
    known, unknown, short = decode_cases(table, architectures=ARCHITECTURES).kv_read_byte
    assert known == pytest.approx(float(kv_cache_byte(SHAPE, 1000.0))) and known > 1e8
    assert unknown == short == 0


def test_a_fit_without_enough_rows_says_how_many_came():
    none = np.array([])
    names = dict.fromkeys(("device", "device_class", "backend", "format_family"), ())
    byte = dict.fromkeys(("memory_bandwidth_byte_per_s", "weights_read_byte", "kv_read_byte"), none)
    cases = DecodeCases(**names, **byte, mixture=none.astype(bool))
    with pytest.raises(ValueError, match="one or more cases; got 2 speeds for 0 cases"):
        fit_decode(cases, np.ones(2))
