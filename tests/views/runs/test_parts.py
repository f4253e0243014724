"""What a run is made of, and why one is left out."""

import numpy as np
import pytest

from data.releases import latest, load
from views.runs import rows as run_rows
from views.runs.choice import TrainingComputeSettings
from views.runs.parts import FACTORS, with_parts

RELEASE = load(latest())


def test_runs_built_on_another_model_and_runs_without_parts_stay_out_with_their_reason():
    runs = with_parts(RELEASE, run_rows.candidates(RELEASE, TrainingComputeSettings()))
    reason = dict(zip(runs["name"], runs["missing"], strict=True))
    assert reason["Flan-PaLM 540B"].startswith("built on another model")
    assert reason["Claude 2"] == "no chip named"
    assert reason["ERNIE 3.0 Titan"].startswith("several kinds of chip")
    assert reason["GPT-2 (1.5B)"] == "number of chips unknown"
    assert reason["Llama 3.1-405B"] == ""
    used = runs.loc[runs["missing"] == ""]
    product = used["chips"] * used["time"] * used["flop_per_s_per_chip"] * used["utilization"]
    np.testing.assert_allclose(product, used["training_compute_flop"])
    assert (used["utilization"] <= 1).all()
    assert runs.loc[runs["missing"] != "", list(FACTORS)].isna().all(axis=None)


def test_the_peak_is_that_of_the_precision_a_run_states():
    runs = with_parts(RELEASE, run_rows.candidates(RELEASE, TrainingComputeSettings())).set_index("name")
    assert runs.loc["Inflection-2", "peak_flop_per_s"] == pytest.approx(1978.9e12, rel=0.01)
    assert runs.loc["Llama 3.1-405B", "peak_flop_per_s"] == pytest.approx(989.4e12, rel=0.01)
    assert runs.loc["Noisy Student (L2)", "peak_flop_per_s"] == pytest.approx(123e12, rel=0.01)
    assert runs.loc["AlexNet", "peak_flop_per_s"] == pytest.approx(1.58e12, rel=0.05)
