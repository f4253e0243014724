"""The fitted models of placement and the tables they are looked up in: on which rows, of which accelerators."""

import pytest

from analysis.hardware.device_makers import chip
from analysis.measured.decode import usable
from analysis.measured.prefill_cases import prefill_usable
from analysis.placement.tables import known, models
from data import standing
from tests.analysis.placement.questions import fits


def test_rows_stand_in_the_order_of_their_residuals_and_are_those_that_can_be_used():
    measured, both = standing.table("measured_decode"), models()
    assert both.decode_rows["row_id"].tolist() == measured.loc[usable(measured), "row_id"].tolist()
    assert both.prefill_rows["row_id"].tolist() == measured.loc[prefill_usable(measured), "row_id"].tolist()
    assert len(both.decode.residual) == len(both.decode_rows)
    assert len(both.prefill.residual) == len(both.prefill_rows)
    assert both.decode.cases.device == tuple(map(chip, both.decode_rows["device"]))
    assert both.decode.decode_tokens_per_s == pytest.approx(
        both.decode_rows["decode_tokens_per_s"].to_numpy()
    )


def test_accelerators_of_two_measured_points_or_more_are_known_and_the_most_measured_comes_first():
    known = fits().accelerators
    assert known[0] == "NVIDIA B200"
    assert {"NVIDIA H100 SXM5 80GB", "NVIDIA H200 SXM", "AMD Instinct MI300X"} < set(known)
    assert "NVIDIA L40S" not in known and "NVIDIA A100 SXM4 80 GB" not in known  # one point, and none


def test_files_of_weights_and_whole_models_have_their_size():
    sizes = {size.words: size for size in known().sizes}
    whole = sizes["Llama 3 8B in FP16"]
    assert whole.weights_byte == 2 * whole.n_parameters
    assert sizes["Llama-3-8B-Instruct in Q4_K_M"].weights_byte == 4_918_000_000
