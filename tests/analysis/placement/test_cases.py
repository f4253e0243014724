from functools import partial

import pytest

from analysis.model.names import plain
from analysis.placement.cases import read_case
from analysis.placement.predict import predict
from analysis.placement.tables import known, models
from analysis.predict.columns import CaseError
from tests.cases import cases

read = partial(read_case, known=known())
LAPTOP = {"device_class": "laptop", "backend": "GPU", "memory_bandwidth_gbyte_per_s": "400"}
CARD = {"device": "RTX 4090", "model": "Llama 3.1 8B", "format": "Q4_K_M"}
NAMELESS = {"device": "RTX 5090", "weights_gbyte": "17.15"}


def speeds(*rows, of="decode"):
    return predict([read(row) for row in rows], models=models())[of][0]


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"memory_bandwidth_gbyte_per_s": "400", "weights_gbyte": "4.9"}, "no device class given: fell back to all"),
        ({"memory_bandwidth_gbyte_per_s": "1.008", "weights_gbyte": "4.9"},
         "1.008 GB/s is slower than any device of our tables: were TB/s meant?"),
        ({**LAPTOP, "device_class": "wristwatch", "backend": "NPU", "weights_gbyte": "1"},
         "class 'wristwatch' was not measured on NPU: fell back to all NPU devices"),
        ({**CARD, "model": "Llama 3.1 70B", "format": "FP16"},
         "weights and cache (141 GB) do not fit the 24 GB of NVIDIA RTX 4090: speed as if they did"),
        ({**CARD, "batch": "64", "context_tokens": "32768"}, "do not fit the 24 GB of NVIDIA RTX 4090"),
        ({**CARD, "device": "H100"}, "H100 taken as NVIDIA H100 SXM5 80GB; there are also NVIDIA H100 PCIe"),
        ({**CARD, "device": "Apple M4 Max"}, "taken as Apple M4 Max (40-core GPU); there are also Apple M4 Max (32"),
        ({**CARD, "format": "4-bit"}, "format 4-bit taken as Q4_K_M, 4.84 bits a weight"),
        ({**CARD, "format": "int4"}, "format int4 taken as MLC q4f16, 4.5 bits a weight"),
        (CARD, ""),
        ({"device": "my board", "memory_bandwidth_gbyte_per_s": "100", "weights_gbyte": "2"},
         "device 'my board' is not in our tables: predicted from its numbers and maker"),
        ({"memory_bandwidth_gbyte_per_s": "1008", "weights_gbyte": "4.918"},
         "as this is the size of Llama-3-8B-Instruct in Q4_K_M"),
        ({**LAPTOP, "weights_gbyte": "3.3"}, "no format given: parameters counted at 16 bits each"),
        ({**CARD, "engine": "my own loop"}, "engine 'my own loop' is not one we know: speeds as on llama.cpp"),
        ({**NAMELESS, "model": "some-27B-instruct", "format": "Q4_K_XL"},
         "parameters counted at 5.08 bits each, from 27B in the model's name"),
        ({**NAMELESS, "format": "Q4_K_XL"}, "is not in our tables: parameters counted at 4.5 bits"),
        ({**NAMELESS, "model": "some-27B", "format": "Q4_K_XL", "weights_gbyte": "2.0"}, "by its name"),
        ({"device": "RTX 4090", "n_parameters": "8e9"}, "no format given: weights counted at 4.5 bits"),
    ],
)  # fmt: skip
def test_what_was_assumed_is_noted(row, words):
    notes = "; ".join(read(row).notes)
    assert words in notes and bool(words) == bool(notes)


def test_a_stated_peak_moves_prompt_reading_and_measured_cards_lie_within():
    card = {"device_class": "desktop_gpu", "memory_bandwidth_gbyte_per_s": "1008", "weights_gbyte": "4.918"}
    rows = [read({**card, "peak_tflop_per_s": peak}) for peak in ("30", "165", "660", "2000")]
    middle, low, high = predict(rows, models=models())["prefill"]
    assert sorted(set(middle)) == middle.tolist()
    assert (low[1:3] < 8500).all() and (high[1:3] > 9700).all()  # measured on an RTX 4090 (d026, d052)


def test_parameters_and_a_format_are_a_model_by_numbers():
    model = {"device": "RTX 4090", "format": "Q4_K_M", "context_tokens": "0"}
    whole = known().models[plain("Mixtral 8x7B")]
    numbers = {"n_parameters": str(whole.n_parameters), "n_active_parameters": str(whole.n_active_parameters)}
    assert repr(read({**model, **numbers})) == repr(read({**model, "model": "Mixtral 8x7B"}))
    dense = read({**model, "n_parameters": "8e9"})
    assert dense.weights_byte == dense.active_weights_byte == 8e9 * 4.84 / 8
    assert dense.n_active_parameters == 8e9


def test_numbers_come_before_the_model_that_is_named():
    row = {"device": "RTX 4090", "model": "Mixtral 8x7B", "format": "FP16"}
    named, cut = (read({**row, **more}) for more in ({}, {"n_parameters": "20e9"}))
    assert cut.weights_byte == 40e9
    assert cut.active_weights_byte * named.weights_byte == pytest.approx(named.active_weights_byte * 40e9)


@pytest.mark.parametrize(("row", "words"), cases(__file__)["lacking"])
def test_what_is_lacking_is_named_as_the_row_calls_it(row, words):
    with pytest.raises(CaseError) as refusal:
        read({"accelerator": "RTX 4090", **row})
    assert words in str(refusal.value)


def test_a_format_the_tables_do_not_know_is_read_off_its_name_and_the_size():
    pairs = (("27B", "Q4_K_XL"), ("", "Q4_K_XL"), ("", "Q4_K_M"), ("27B", "odd"), ("", "odd"))
    rows = ({**NAMELESS, "model": name, "format": of} for name, of in pairs)
    sized, named, in_tables, by_model, alone = speeds(*rows, of="prefill")
    assert (sized, named) == pytest.approx((in_tables, in_tables), rel=0.1)
    assert by_model == pytest.approx(in_tables, rel=0.4)  # unpacked as other 4-bit formats are
    assert alone > 2 * in_tables  # nothing says that these are not 16 bits
    assert read({**NAMELESS, "model": "Llama 3.1 8B"}).format_name == "FP16"


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
        read({**context, **row, column: value})
    assert f"column {column}: " in str(refusal.value) and words in str(refusal.value)
