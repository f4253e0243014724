from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.placement.cases import PlacementCase
from analysis.placement.predict import predict
from analysis.placement.tables import models

CASE = PlacementCase(
    device="",
    device_class="laptop",
    backend="GPU",
    format_name="Q4_K_M",
    memory_bandwidth_byte_per_s=400e9,
    peak_flop_per_s=float("nan"),
    weights_byte=4.9e9,
    active_weights_byte=4.9e9,
    n_active_parameters=8.0e9,
    kv_read_byte=1e8,
    batch=1.0,
    prompt_tokens=512.0,
    measured_decode_tokens_per_s=float("nan"),
)
classes = st.sampled_from(["laptop", "desktop_gpu", "phone", "datacenter_gpu", "embedded", "toaster"])


@given(
    backend=st.sampled_from(["GPU", "CPU", "NPU"]),
    device_class=classes,
    more=st.floats(1.01, 100),
    active=st.floats(0.05, 1.0),
    batch=st.integers(1, 200),
    level=st.floats(0.05, 0.9),
)
def test_bandwidth_helps_bytes_hurt_and_batches_share(*, backend, device_class, more, active, batch, level):
    one = replace(CASE, backend=backend, device_class=device_class, active_weights_byte=active * 4.9e9)
    now = replace(one, batch=float(batch))
    many = replace(one, batch=float(batch) * more)
    wider = replace(now, memory_bandwidth_byte_per_s=more * 400e9)
    bigger = replace(now, weights_byte=more * 4.9e9, active_weights_byte=more * now.active_weights_byte)
    longer = replace(now, kv_read_byte=more * 1e8)
    speeds = predict([now, many, wider, bigger, longer], models=models(), level=level)
    middle, low, high = speeds["decode"]
    each = middle[:2] / [now.batch, many.batch]
    assert middle[1] >= middle[0] * (1 - 1e-9) and each[1] <= each[0] * (1 + 1e-9)
    assert middle[2] >= middle[0] >= max(middle[3], middle[4])
    assert speeds["prefill"][0][2] >= speeds["prefill"][0][0]
    _, lower, higher = predict([now], models=models(), level=level + 0.05)["decode"]
    assert lower[0] <= low[0] <= middle[0] <= high[0] <= higher[0]
    single, _, highest = predict([one], models=models(), level=level)["decode"]
    assert batch == 1 or high[0] / middle[0] > highest[0] / single[0]


def test_a_class_nobody_measured_gets_the_spread_of_its_kind():
    middle, _, high = predict([replace(CASE, device_class="toaster")], models=models())["decode"]
    spread = models().decode.spread
    assert high / middle == pytest.approx(np.exp(spread.half_width(spread.scale_by_kind["GPU"], level=0.9)))
