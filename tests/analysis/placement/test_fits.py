"""The fitted models of placement: on which rows, in which order, and of which accelerators."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from analysis.hardware.device_makers import chip
from analysis.measured.decode_cases import usable
from analysis.measured.prefill_cases import prefill_usable
from analysis.placement.fits import fit_full_load
from analysis.placement.tables import models, tables
from analysis.serving import cases as serving_rows
from data.serving import full_load_points, serving_speeds
from tests.analysis.placement.questions import fits

NAMED = {"architectures": tables().architectures, "accelerators": tables().accelerators}


def test_rows_stand_in_the_order_of_their_residuals_and_are_those_that_can_be_used():
    measured, both = tables().measured, models()
    assert both.decode_rows["row_id"].tolist() == measured.loc[usable(measured), "row_id"].tolist()
    assert both.prefill_rows["row_id"].tolist() == measured.loc[prefill_usable(measured), "row_id"].tolist()
    assert len(both.decode.residual) == len(both.decode_rows)
    assert len(both.prefill.residual) == len(both.prefill_rows)
    assert both.decode.cases.device == tuple(map(chip, both.decode_rows["device"]))
    assert both.decode.decode_tokens_per_s == pytest.approx(
        both.decode_rows["decode_tokens_per_s"].to_numpy()
    )


def test_a_peak_of_matrix_units_comes_before_that_of_shaders():
    rows = models().prefill_rows
    edge = tables().edge_devices.set_index("name")
    peak = {name: edge.loc[name, "peak_fp16_flop_per_s"] for name in edge.index}
    stated = [name for name in set(rows["edge_device"]) if name in peak and peak[name] > 0]
    assert "NVIDIA GeForce RTX 4090" in stated or len(stated) > 10
    assert models().prefill.by_peak is not None


def test_full_load_is_fitted_to_the_rows_that_can_be_used_and_scatters_as_on_models_left_out():
    full_load = fits().full_load
    keep = serving_rows.usable(serving_speeds(), **NAMED)
    assert len(full_load.rows) == keep.sum() == len(full_load.model.residual)
    assert set(full_load.spread.scale_by_class) == {"accelerator"}
    typical = np.median(np.abs(full_load.model.residual))
    assert 0.5 < full_load.spread.scale("accelerator", "GPU") / typical < 3


def test_accelerators_of_two_rows_or_more_are_named_with_the_most_rows_first():
    names = ["once", "thrice", "twice", "thrice", "twice", "thrice"]
    named = replace(fits().full_load, rows=pd.DataFrame({"accelerator": names}))
    assert named.accelerators == ("thrice", "twice")


def test_too_few_rows_of_full_load_are_refused():
    keep = serving_rows.usable(serving_speeds(), **NAMED)
    few = serving_speeds().loc[keep].iloc[:5]
    with pytest.raises(ValueError, match="serving fit needs ten rows or more; got 5"):
        fit_full_load(few, checked=full_load_points(), **NAMED)


def test_an_accelerator_of_which_nothing_was_fitted_lies_further_off():
    """The rows that say so set nothing: none is of an accelerator with two rows or more in the fit."""
    full_load = fits().full_load
    assert not set(full_load.unmeasured_rows["accelerator"]) & set(full_load.accelerators)
    assert len(full_load.unmeasured_rows) == len(full_load.unmeasured_residual)
    assert len(full_load.unmeasured_rows) >= 60
    assert len(set(full_load.unmeasured_rows["accelerator"])) >= 8
    measured, other = full_load.accelerators[0], "AMD Instinct MI300X"
    assert full_load.spread_of(measured) is full_load.spread
    assert full_load.spread_of(other) is full_load.unmeasured
    widths = [
        made.half_width(made.scale("accelerator", "GPU"), level=0.9)
        for made in (full_load.spread, full_load.unmeasured)
    ]
    assert widths[1] > 1.3 * widths[0]
