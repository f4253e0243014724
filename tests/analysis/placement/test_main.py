import pytest

from analysis.placement.__main__ import COMMAND
from analysis.placement.cases import DIALECT
from tests.analysis.predict.tables import predicted

NAMED = "device,model,format,context_tokens,mine\nRTX 4090,Llama 3 8B,Q4_K_M,1024,=1+1\n"
PLAIN = "device_class,backend,memory_bandwidth_gbyte_per_s,weights_gbyte\nlaptop,GPU,400,4.9\n"


def run(tmp_path, text, *options):
    return predicted(COMMAND, folder=tmp_path, text=text, options=options)


def test_named_things_are_looked_up_and_other_columns_passed_through(tmp_path):
    code, (row,) = run(tmp_path, NAMED)
    assert code == 0
    assert row["mine"] == "'=1+1"  # no spreadsheet runs it
    assert tuple(row)[-len(DIALECT.added) :] == DIALECT.added
    low, middle, high = (float(row[f"predicted_decode_tokens_per_s{end}"]) for end in ("_low", "", "_high"))
    assert low < 127.74 < high  # measured: XiongjieDai, GPU-Benchmarks-on-LLM-Inference, RTX 4090, 8B Q4_K_M
    assert low < middle < high
    assert float(row["predicted_prefill_tokens_per_s"]) > 1000


def test_the_error_is_given_where_a_measurement_is(tmp_path):
    text = PLAIN.replace("weights_gbyte\n", "weights_gbyte,measured_decode_tokens_per_s\n")
    _, rows = run(tmp_path, text.replace("4.9\n", "4.9,60\n") + "laptop,GPU,400,4.9,\n")
    expected = 100 * (float(rows[0]["predicted_decode_tokens_per_s"]) / 60 - 1)
    assert float(rows[0]["error_percent"]) == pytest.approx(expected, abs=0.01)
    assert rows[1]["error_percent"] == ""


def test_another_level_than_a_share_is_refused(tmp_path, capsys):
    assert run(tmp_path, PLAIN, "--level", "90") == (2, [])
    assert "strictly between 0 and 1; got 90. For 90% pass 0.9" in capsys.readouterr().err
