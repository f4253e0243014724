"""What a case says is looked up and checked, and what was assumed is noted."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.model.names import plain
from analysis.placement.cases import read_case
from analysis.placement.tables import known
from analysis.predict.columns import CaseError
from tests.analysis.placement.command import NAMED, PLAIN, refusal, run


def test_plain_numbers_need_only_bandwidth_and_weights(tmp_path):
    code, (row,) = run(tmp_path, "memory_bandwidth_gbyte_per_s,weights_gbyte\n400,4.9\n")
    assert code == 0
    assert 40 < float(row["predicted_decode_tokens_per_s"]) < 85
    assert "no device class given: fell back to all GPU devices" in row["note"]


def test_a_format_is_told_from_the_size_of_a_known_model(tmp_path):
    head = "device,model,format,weights_gbyte\n"
    _, rows = run(tmp_path, head + "RTX 4090,Llama 3 8B,F16,16.06\nRTX 4090,Llama 3 8B,,16.06\n")
    name = "predicted_decode_tokens_per_s"
    assert rows[0][name] == rows[1][name]


def test_an_unknown_class_falls_back_to_its_kind_and_says_so(tmp_path):
    _, rows = run(tmp_path, PLAIN + "wristwatch,NPU,60,1\n")
    assert "fell back" not in rows[0]["note"]
    assert "class 'wristwatch' was not measured on NPU: fell back to all NPU devices" in rows[1]["note"]


def test_a_mixture_is_faster_than_a_dense_model_of_its_size(tmp_path):
    head = "device_class,backend,memory_bandwidth_gbyte_per_s,weights_gbyte,active_weights_gbyte\n"
    _, rows = run(tmp_path, head + "laptop,GPU,400,60,3\nlaptop,GPU,400,60,60\n")
    fast, slow = (float(row["predicted_decode_tokens_per_s"]) for row in rows)
    assert fast > 5 * slow


def test_a_model_that_does_not_fit_the_named_device_is_told(tmp_path):
    head = "device,model,format,batch,context_tokens\n"
    _, rows = run(tmp_path, head + "RTX 4090,Llama 3.1 70B,FP16,,\nRTX 4090,Llama 3.1 8B,Q4_K_M,,\n"
                  "RTX 4090,Llama 3.1 8B,Q4_K_M,64,32768\n")  # fmt: skip
    words = "do not fit the 24 GB of NVIDIA RTX 4090: speed as if they did"
    assert "weights and cache (141 GB) " + words in rows[0]["note"]
    assert words not in rows[1]["note"]
    assert words in rows[2]["note"]


def test_what_a_short_name_was_taken_for_is_told(tmp_path):
    head = "device,model,format\n"
    _, rows = run(
        tmp_path,
        head + "H100,Meta-Llama-3-8B,4-bit\nApple M4 Max,Llama 3 8B,int4\nRTX 4090,Llama 3 8B,Q4_K_M\n",
    )
    assert "H100 taken as NVIDIA H100 SXM5 80GB; there are also NVIDIA H100 PCIe" in rows[0]["note"]
    assert "format 4-bit taken as Q4_K_M, 4.84 bits a weight" in rows[0]["note"]
    assert (
        "Apple M4 Max taken as Apple M4 Max (40-core GPU); there are also Apple M4 Max (32" in rows[1]["note"]
    )
    assert "format int4 taken as MLC q4f16, 4.5 bits a weight" in rows[1]["note"]
    assert rows[2]["note"] == ""


def test_an_unknown_device_goes_by_its_numbers_and_says_so(tmp_path, capsys):
    head = "device,memory_bandwidth_gbyte_per_s,weights_gbyte\n"
    _, (row,) = run(tmp_path, head + "my board,100,2\n")
    assert "device 'my board' is not in our tables: predicted from its numbers and maker" in row["note"]
    (tmp_path / "out.csv").unlink()
    text = NAMED.replace("RTX 4090", "Hailo-10H")
    words = "needed, as the tables have none of Hailo-10H (Raspberry Pi AI HAT+ 2)"
    assert words in refusal(tmp_path, capsys=capsys, text=text)


def test_a_stated_peak_moves_prompt_reading_and_measured_cards_lie_within(tmp_path):
    head = "device_class,backend,memory_bandwidth_gbyte_per_s,peak_tflop_per_s,weights_gbyte\n"
    peaks = (30, 165, 660, 2000)
    _, rows = run(tmp_path, head + "".join(f"desktop_gpu,GPU,1008,{peak},4.918\n" for peak in peaks))
    name = "predicted_prefill_tokens_per_s"
    speeds = [float(row[name]) for row in rows]
    assert speeds == sorted(speeds) and len(set(speeds)) == len(peaks)
    assert "as this is the size of Llama-3-8B-Instruct in Q4_K_M" in rows[0]["note"]
    for row in rows[1:3]:  # 8,500 to 9,700 measured on an RTX 4090 (d026, d052)
        assert float(row[name + "_low"]) < 8500 and float(row[name + "_high"]) > 9700


def test_weights_without_a_format_are_16_bit_unless_their_size_says_otherwise(tmp_path):
    head = "device_class,backend,memory_bandwidth_gbyte_per_s,weights_gbyte,format\n"
    _, rows = run(
        tmp_path,
        head + "".join(f"laptop,GPU,400,{cells}\n" for cells in ("3.3,", "3.3,FP16", "16.06,", "16.06,FP16")),
    )
    name = "predicted_prefill_tokens_per_s"
    assert float(rows[0][name]) == pytest.approx(float(rows[1][name]), rel=0.02)
    assert "no format given: parameters counted at 16 bits each" in rows[0]["note"]
    assert float(rows[2][name]) == pytest.approx(float(rows[3][name]), rel=0.02)


def test_parameters_and_a_format_are_a_model_by_numbers():
    model = {"device": "RTX 4090", "format": "Q4_K_M", "context_tokens": "0"}
    named = read_case({**model, "model": "Mixtral 8x7B"}, known=known())
    whole = known().models[plain("Mixtral 8x7B")]
    numbers = {"n_parameters": str(whole.n_parameters), "n_active_parameters": str(whole.n_active_parameters)}
    assert repr(read_case({**model, **numbers}, known=known())) == repr(named)
    dense = read_case({**model, "n_parameters": "8e9"}, known=known())
    assert dense.weights_byte == dense.active_weights_byte == 8e9 * 4.84 / 8
    assert dense.n_active_parameters == 8e9


def test_numbers_come_before_the_model_that_is_named():
    row = {"device": "RTX 4090", "model": "Mixtral 8x7B", "format": "FP16"}
    named, cut = (read_case({**row, **more}, known=known()) for more in ({}, {"n_parameters": "20e9"}))
    assert cut.weights_byte == 40e9
    assert cut.active_weights_byte / cut.weights_byte == pytest.approx(
        named.active_weights_byte / named.weights_byte
    )


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"n_active_parameters": "3e9"}, "column n_active_parameters: n_parameters is needed beside it, or a model of"),
        (
            {"n_parameters": "8e9", "n_active_parameters": "9e9"},
            "column n_active_parameters: no more than all 8e+09 parameters can be active; got 9e+09. Leave it empty",
        ),
        (
            {"n_parameters": "8e9", "format": "Q99"},
            "column format: 'Q99' is not in our tables (nearest: ",
        ),
        ({"n_parameters": "8e9", "precision": "Q99"}, "column precision: 'Q99' is not in our tables (nearest: "),
        ({"weights_byte": "1e9", "accelerator": "RTX 9999"}, "column accelerator: 'RTX 9999' is not in our tables"),
        (
            {"weights_byte": "1e9", "accelerator": "Ascend 910B"},
            "column accelerator: 'Ascend 910B' could be any of Huawei Ascend 910B, ",
        ),
        ({"model": "Lama 3 9B"}, "Give its weights_byte or n_parameters, or a model we know."),
        ({}, "column weights_byte: needed, as no known model is named. Give the size of the weights in byte, n_param"),
        (
            {"weights_byte": "1e9", "accelerator": ""},
            "column memory_bandwidth_byte_per_s: needed, as no known device is named. Give the bandwidth in byte/s, or",
        ),
    ],
)  # fmt: skip
def test_what_is_lacking_is_named_as_the_row_calls_it(row, words):
    with pytest.raises(CaseError) as refusal:
        read_case({"accelerator": "RTX 4090", **row}, known=known())
    assert words in str(refusal.value)


@settings(max_examples=60, deadline=None)
@given(
    spelling=st.sampled_from(["Llama 3.1 8B", "Mixtral 8x7B", "gpt-oss-20b", "Qwen3 30B-A3B"]),
    maker=st.sampled_from(["", "meta-llama/", "some org/"]),
    tuning=st.sampled_from(["", "-Instruct", " instruct", "-it", "-GGUF"]),
    mark=st.sampled_from([" ", "-", "_", ""]),
    upper=st.booleans(),
    word=st.sampled_from(["device", "accelerator", "gpu"]),
)
def test_every_spelling_of_a_model_is_one_case(*, spelling, maker, tuning, mark, upper, word):
    name = maker + spelling.replace(" ", mark) + tuning
    row = {word: "RTX 4090", "format": "Q4_K_M", "context_tokens": "1000"}
    case = read_case({**row, "model": name.upper() if upper else name}, known=known())
    assert repr(case) == repr(read_case({**row, "model": spelling}, known=known()))


def test_an_engine_moves_the_speed_and_one_nobody_knows_counts_as_llama_cpp(tmp_path):
    head = "device,format,weights_gbyte,engine\n"
    names = ("", "llamacpp", "mlx-lm", "ExecuTorch XNNPACK", "my own loop")
    _, rows = run(tmp_path, head + "".join(f"Apple M4 Pro,Q4_K_M,4.9,{name}\n" for name in names))
    none, llama, mlx, executorch, own = (float(row["predicted_decode_tokens_per_s"]) for row in rows)
    assert none == llama == own
    assert 0.85 < mlx / none < 1.2
    assert executorch < 0.5 * none
    assert "engine 'my own loop' is not one we know: speeds as on llama.cpp" in rows[4]["note"]
    assert "engine" not in rows[1]["note"]


def test_a_format_the_tables_do_not_know_is_read_off_its_name_and_the_size(tmp_path):
    head = "device,model,format,weights_gbyte\n"
    names = ("some-27B-instruct,Q4_K_XL", ",Q4_K_XL", ",Q4_K_M", "some-27B-instruct,odd", ",odd")
    _, rows = run(tmp_path, head + "".join(f"RTX 5090,{name},17.15\n" for name in names))
    sized, named, known, by_model, alone = (float(row["predicted_prefill_tokens_per_s"]) for row in rows)
    for speed in (sized, named):
        assert speed == pytest.approx(known, rel=0.1)
    assert by_model == pytest.approx(known, rel=0.4)  # unpacked as other 4-bit formats are
    assert alone > 2 * known  # nothing says that these are not 16 bits
    assert "parameters counted at 5.08 bits each, from 27B in the model's name" in rows[0]["note"]
    assert "format 'Q4_K_XL' is not in our tables: parameters counted at 4.5 bits each" in rows[1]["note"]


def test_a_name_that_contradicts_the_format_does_not_count(tmp_path):
    head = "device,model,format,weights_gbyte\n"
    _, (row,) = run(tmp_path, head + "RTX 5090,some-27B,Q4_K_XL,2.0\n")
    assert "by its name" in row["note"]
