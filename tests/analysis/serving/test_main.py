import pytest

from analysis.serving.served_case import DIALECT, PREDICTED
from tests.analysis.serving.served import CASE, ONE, run


def test_a_case_is_predicted_with_intervals(tmp_path):
    code, (row,) = run(tmp_path, ONE + CASE)
    assert code == 0
    assert tuple(row)[-len(DIALECT.added) :] == DIALECT.added
    for name in PREDICTED[::3]:
        low, middle, high = (float(row[f"{name}{end}"]) for end in ("_low", "", "_high"))
        assert 0 < low < middle < high
    # Measured: 4.2 ms a token, 38 ms to the first; AIConfigurator's sample, gpt-oss-120b on four B200, vLLM 0.15.1.
    assert float(row["predicted_time_per_output_token_s"]) == pytest.approx(0.0042, rel=0.2)
    assert float(row["predicted_time_to_first_token_s"]) == pytest.approx(0.038, rel=0.5)


def test_a_level_that_is_none_is_refused(tmp_path, capsys):
    code, rows = run(tmp_path, ONE + CASE, "--level", "90")
    assert (code, rows) == (2, [])
    assert "a level lies between 0 and 1; got 90. Write 0.9 for 90%." in capsys.readouterr().err


def test_what_does_not_fit_is_told(tmp_path):
    _, (row,) = run(tmp_path, ONE + "DeepSeek-R1,H100,1,fp8,1024,1024,16,vllm\n")
    assert "weights and one request do not fit the memory" in row["note"]
