import pytest

from analysis.hardware.device_makers import chip
from analysis.measured.decode import usable
from analysis.measured.prefill_cases import prefill_usable
from analysis.placement.tables import models
from data import standing


def test_rows_stand_in_the_order_of_their_residuals_and_are_those_that_can_be_used():
    measured, both = standing.table("measured_decode"), models()
    assert both.decode_rows["row_id"].tolist() == measured.loc[usable(measured), "row_id"].tolist()
    assert both.prefill_rows["row_id"].tolist() == measured.loc[prefill_usable(measured), "row_id"].tolist()
    assert len(both.decode.residual) == len(both.decode_rows)
    assert len(both.prefill.residual) == len(both.prefill_rows)
    assert both.decode.cases.device == tuple(map(chip, both.decode_rows["device"]))
    speeds = both.decode_rows["decode_tokens_per_s"].to_numpy()
    assert both.decode.decode_tokens_per_s == pytest.approx(speeds)
