"""Cases of prompt reading that tests share: the measured rows of the fit, and single made-up ones."""

import numpy as np

from analysis.measured.decode import decode_cases
from analysis.measured.prefill_cases import PrefillCases, prefill_cases, prefill_usable
from data import standing

MEASURED = standing.table("measured_decode")
ROWS = MEASURED.loc[prefill_usable(MEASURED)].reset_index(drop=True)
CASES = prefill_cases(
    ROWS,
    decode_cases(ROWS, architectures=standing.table("architectures")),
    peak_flop_per_s=np.full(len(ROWS), np.nan),
)


def case(device="", device_class="desktop_gpu", *, gbyte_per_s=1008.0, parameters=8.03e9, **more):
    """Return one case; ``more`` are tflop_per_s, tokens, mixture and backend."""
    return PrefillCases(
        device=(device,),
        device_class=(device_class,),
        backend=(more.get("backend", "GPU"),),
        memory_bandwidth_byte_per_s=np.array([1e9 * gbyte_per_s]),
        peak_flop_per_s=np.array([1e12 * more.get("tflop_per_s", np.nan)]),
        n_active_parameters=np.array([parameters]),
        prompt_tokens=np.array([more.get("tokens", 512.0)]),
        mixture=np.array([more.get("mixture", False)]),
    )
