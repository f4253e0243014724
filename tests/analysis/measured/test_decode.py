"""How the decode model is fitted: what it leaves out, what it finds, and what it refuses."""

import numpy as np
import pytest

from analysis.measured.decode import fit_decode
from analysis.measured.decode_cases import DecodeCases
from analysis.placement.tables import models

CHECKED = models().decode


def test_fitted_efficiencies_are_shares_of_the_bandwidth():
    for name, share in CHECKED.model.bandwidth_efficiency().items():
        # On a CPU the processor's own time is a part beside the reading, so that the two share what is measured.
        assert 0.2 < share < (1.1 if name.endswith("CPU") else 1.05), name
    for name, overhead in CHECKED.model.overhead_s().items():
        assert 2e-4 < overhead < 2e-2, name


def test_a_fit_without_enough_rows_says_how_many_came():
    none = np.array([])
    cases = DecodeCases(
        device=(),
        device_class=(),
        backend=(),
        format_family=(),
        memory_bandwidth_byte_per_s=none,
        weights_read_byte=none,
        kv_read_byte=none,
        mixture=none.astype(bool),
    )
    with pytest.raises(ValueError, match="one or more cases; got 2 speeds for 0 cases"):
        fit_decode(cases, np.ones(2))
