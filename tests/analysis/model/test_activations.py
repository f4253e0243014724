from typing import Any

import numpy as np
import pytest

from analysis.model.activations import layer_activation_byte, stage_activation_byte
from tests.analysis.refusals import refusals


@pytest.mark.parametrize(
    ("t", "recompute", "formula"),
    [
        (1, 0, lambda a, s, h, t: 34 + 5 * a * s / h),
        (8, 0, lambda a, s, h, t: 34 / t + 5 * a * s / (h * t)),
        (8, 1, lambda a, s, h, t: 34 / t),
        (8, 2, lambda a, s, h, t: 2),
    ],
)
def test_korthikanti_table_2(*, t, recompute, formula):
    """Korthikanti et al., arXiv:2205.05198, table 2, exactly, for its 175 billion model; sequences split too."""
    s, b, h, a = 2048, 1, 12288, 96
    shape: dict[str, Any] = {"sequence_length": s, "micro_batch": b, "hidden_size": h, "n_heads": a}
    kept = layer_activation_byte(**shape, tensor_parallel=t, recompute=recompute)
    assert float(kept) == pytest.approx(s * b * h * formula(a, s, h, t), rel=1e-12)


def test_korthikanti_equation_5_is_independent_of_pipeline_depth():
    layer = 1e9
    plain = stage_activation_byte(layer, n_layers=96, pipeline_parallel=[1, 8, 32])
    np.testing.assert_allclose(plain, 96e9)
    interleaved = stage_activation_byte(layer, n_layers=96, pipeline_parallel=8, interleave=3)
    assert float(interleaved) == pytest.approx(96e9 * (1 + 7 / 24), rel=1e-12)


test_a_refusal_says_what_it_is_what_came_and_what_to_do = refusals(
    {
        "recompute is 0 (none), 1 (selective) or 2 (full); got 3.":
            lambda: layer_activation_byte(sequence_length=1, micro_batch=1, hidden_size=1, n_heads=1, recompute=3),
    }
)  # fmt: skip
