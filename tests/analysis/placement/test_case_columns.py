"""Numbers of a case have one meaning in every unit, and none is beyond what there is."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from analysis.placement.cases import read_case
from analysis.placement.tables import known
from analysis.predict.columns import CaseError

BASE = {"memory_bandwidth_byte_per_s": "1008e9", "weights_byte": "4.92e9", "n_parameters": "8e9"}
LARGER = {"memory_bandwidth_gbyte_per_s": "1008", "weights_gbyte": "4.92"}


@pytest.mark.parametrize(
    ("row", "column", "value", "words"),
    [
        (LARGER, "memory_bandwidth_gbyte_per_s", "1.008e12", "If these are byte/s, write 1008."),
        (LARGER, "memory_bandwidth_gbyte_per_s", "fast", "a finite number is needed; got 'fast'"),
        (LARGER, "weights_gbyte", "-1", "a number above 0 is needed; got -1"),
        (LARGER, "weights_gbyte", "4920000000", "at most 20000 GB; the largest models have 8,000 GB; got 49"),
        (LARGER, "peak_tflop_per_s", "1.65e14", "at most 50000 TFLOP/s; the fastest chips reach 5,000"),
        (LARGER, "batch", "1e7", "at most 1e+06 requests at once; got 1e7. Check its unit."),
        (LARGER, "batch", "0.5", "a number at least 1 is needed; got 0.5"),
        (LARGER, "weights_gbyte", "4,92", "Write it like 1008 or 4.92, with a point for decimals"),
        (BASE, "memory_bandwidth_byte_per_s", "1008", "got 1008. If these are GB/s, write 1.008e+12."),
        (BASE, "memory_bandwidth_byte_per_s", "1e18", "at most 1e+14 byte/s; the fastest memory on sale"),
        (BASE, "weights_byte", "4.92", "at least 1e+06 byte; got 4.92. If these are GB, write 4.92e+09."),
        (BASE, "peak_flop_per_s", "165", "at least 1e+08 FLOP/s; got 165. If these are TFLOP/s, write 1.65e+14."),
        (BASE, "n_parameters", "8.03", "at least 1e+06 parameters; got 8.03. If these are billion, write 8.03e+09."),
        (BASE, "n_active_parameters", "3", "at least 1e+06 parameters; got 3. If these are billion, write 3e+09."),
        (BASE, "kv_cache_byte_per_token", "1e9", "at most 1e+08 bytes; the largest models keep 10 million; got 1e9."),
        (BASE, "kv_cache_byte_per_token", "-1", "a number at least 0 is needed; got -1. Check its unit"),
        (BASE, "context_tokens", "1e9", "at most 1e+08 tokens; got 1e9. Check its unit."),
        (BASE, "prompt_tokens", "0", "a number above 0 is needed; got 0."),
    ],
)  # fmt: skip
def test_values_beyond_any_device_are_refused_with_the_likely_unit(*, row, column, value, words):
    context = {"context_tokens": "1"} if column == "kv_cache_byte_per_token" else {}
    with pytest.raises(CaseError) as refusal:
        read_case({**context, **row, column: value}, known=known())
    assert f"column {column}: " in str(refusal.value) and words in str(refusal.value)


OLD = ("memory_bandwidth_gbyte_per_s", "peak_tflop_per_s", "weights_gbyte", "active_weights_gbyte")
NEW = ("memory_bandwidth_byte_per_s", "peak_flop_per_s", "weights_byte", "active_weights_byte")
sizes = st.floats(1, 500).map(lambda value: f"{value:.4g}")


@given(bandwidth=sizes, peak=sizes, weights=sizes, share=st.floats(0.05, 1))
def test_older_columns_and_those_in_base_units_mean_the_same(*, bandwidth, peak, weights, share):
    old = (bandwidth, peak, weights, f"{share * float(weights):.4g}")
    assume(float(old[3]) <= float(weights))
    new = (f"{bandwidth}e9", f"{peak}e12", f"{weights}e9", f"{old[3]}e9")
    kinds = {"device_class": "laptop", "backend": "GPU"}
    case = read_case(kinds | dict(zip(OLD, old, strict=True)), known=known())
    other = read_case(kinds | dict(zip(NEW, new, strict=True)), known=known())
    assert case.notes == other.notes
    for name in (*NEW, "n_active_parameters"):
        assert getattr(case, name) == pytest.approx(getattr(other, name), rel=1e-12)
