import numpy as np

from analysis.serving.points import fewest_chips, full_load_points
from analysis.serving.tables import measured_points
from data import standing


def test_each_measurement_counts_once_and_has_its_load():
    points = measured_points()
    assert len(points) > 1000
    assert set(points.rows["duplicate_of"]) == {""}
    assert np.isfinite(points.deployments.concurrency[points.closed]).all()
    assert np.isnan(points.token_s[~points.closed]).all()
    assert set(points.rows["load"]) == {"closed loop", "burst", "offline"}
    counted = ~points.closed & np.isfinite(points.deployments.concurrency)
    assert counted.sum() == 35, "requests that a source counts and sends at once are a burst"
    assert (points.deployments.burst == (points.rows["load"] == "burst") | counted).all()


def test_the_fewest_chips_hold_the_weights_with_a_third_to_spare():
    assert fewest_chips(40e9, capacity_byte=80e9, most=8.0) == 1
    assert fewest_chips(140e9, capacity_byte=80e9, most=8.0) == 4
    assert fewest_chips(1e15, capacity_byte=80e9, most=8.0) == 8
    assert fewest_chips(1e15, capacity_byte=80e9, most=6.0) == 4


def test_published_throughputs_at_full_load_join_the_points():
    rows = full_load_points(standing.table("measured_serving"), prompts={"Llama 2 70B": 294.0})
    assert len(rows) > 200
    assert set(rows["load"]) == {"offline"}
    assert "s003" not in set(rows["point_id"])  # its card is none of the release
    spread = rows[rows["expert_parallel"] > 1]
    assert list(spread["attention_data_parallel"]) == list(spread["expert_parallel"])
    mlperf = rows[rows["source_id"] == "mlperf-inference-5.1"]
    assert set(mlperf["architecture"]) == {"Llama 2 70B"} and set(mlperf["prompt_tokens"]) == {294.0}
    assert {day.year for day in rows["software_on"]} == {2025}
