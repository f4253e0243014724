from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
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
backends = st.sampled_from(["GPU", "CPU", "NPU"])
classes = st.sampled_from(["laptop", "desktop_gpu", "phone", "datacenter_gpu", "embedded", "toaster"])
times = st.floats(1.01, 100)


def decode(*cases, level=0.9):
    return predict(cases, models=models(), level=level)


@settings(max_examples=40, deadline=None)
@given(backend=backends, device_class=classes, more=times, batch=st.integers(1, 64))
def test_more_bandwidth_never_hurts(*, backend, device_class, more, batch):
    slow = replace(CASE, backend=backend, device_class=device_class, batch=float(batch))
    speeds = decode(slow, replace(slow, memory_bandwidth_byte_per_s=more * slow.memory_bandwidth_byte_per_s))
    assert speeds["decode"][0][1] >= speeds["decode"][0][0]
    assert speeds["prefill"][0][1] >= speeds["prefill"][0][0]


@settings(max_examples=40, deadline=None)
@given(backend=backends, device_class=classes, more=times)
def test_more_bytes_are_never_faster(*, backend, device_class, more):
    small = replace(CASE, backend=backend, device_class=device_class)
    bigger = replace(
        small, weights_byte=more * small.weights_byte, active_weights_byte=more * small.weights_byte
    )
    longer = replace(small, kv_read_byte=more * small.kv_read_byte)
    speeds = decode(small, bigger, longer)
    assert speeds["decode"][0][1] <= speeds["decode"][0][0]
    assert speeds["decode"][0][2] <= speeds["decode"][0][0]


@settings(max_examples=30, deadline=None)
@given(
    backend=backends,
    device_class=classes,
    active=st.floats(0.05, 1.0),
    batch=st.integers(1, 200),
    more=st.integers(1, 50),
)
def test_a_larger_batch_serves_no_fewer_tokens_and_each_request_no_faster(
    *, backend, device_class, active, batch, more
):
    one = replace(CASE, backend=backend, device_class=device_class, active_weights_byte=active * 4.9e9)
    few, many = replace(one, batch=float(batch)), replace(one, batch=float(batch + more))
    speeds = decode(few, many)
    assert speeds["decode"][0][1] >= speeds["decode"][0][0] * (1 - 1e-9)
    assert speeds["decode"][0][1] / many.batch <= speeds["decode"][0][0] / few.batch * (1 + 1e-9)


@settings(max_examples=30, deadline=None)
@given(backend=backends, device_class=classes, narrow=st.floats(0.05, 0.9), wider=st.floats(0.01, 0.09))
def test_a_wider_level_contains_a_narrower_one(*, backend, device_class, narrow, wider):
    case = replace(CASE, backend=backend, device_class=device_class)
    inner, outer = decode(case, level=narrow), decode(case, level=narrow + wider)
    (middle, low, high), (_, lower, higher) = inner["decode"], outer["decode"]
    assert lower[0] <= low[0] <= middle[0] <= high[0] <= higher[0]


def test_a_class_nobody_measured_gets_the_spread_of_its_kind():
    speeds = decode(CASE, replace(CASE, device_class="toaster"))
    assert speeds["decode"][2][1] / speeds["decode"][0][1] == pytest.approx(
        np.exp(models().decode.spread.half_width(models().decode.spread.scale_by_kind["GPU"], level=0.9))
    )


def test_a_level_in_percent_is_refused_with_the_share_to_pass():
    with pytest.raises(ValueError, match=r"strictly between 0 and 1; got 90\. For 90 % pass 0\.9"):
        decode(CASE, level=90)
