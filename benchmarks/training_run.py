"""How fast a training run is planned: all plans of 16,384 accelerators, one step at a time and all at once."""

import time

from analysis.hardware.chip import Chip
from analysis.hardware.machine import Machine
from analysis.model.architecture import Architecture
from analysis.training_run.candidates import candidates
from analysis.training_run.plan_search import fastest_plan
from analysis.training_run.step_time import step_time

ACCELERATORS = 16384
BATCH = 4096
ALONE = 100
H100 = Machine(
    chip=Chip(
        peak_fp16_flop_per_s=989e12,
        memory_bandwidth_byte_per_s=3.35e12,
        memory_capacity_byte=80e9,
        link_bandwidth_byte_per_s=450e9,
        network_bandwidth_byte_per_s=50e9,
    ),
    matmul_flop_per_s=794.5e12,
)
MIXTURE = Architecture(
    n_layers=61,
    hidden_size=7168,
    n_heads=128,
    feed_forward_size=2048,
    gated=True,
    n_experts=256,
    n_active_experts=9,
    vocabulary_size=129280,
    sequence_length=4096,
)


def main() -> None:
    """Print the time of a search, and of the same plans one by one."""
    plans = candidates(MIXTURE, accelerators=ACCELERATORS, global_batch=BATCH, overlap=0.5).flat()
    start = time.perf_counter()
    found = fastest_plan(MIXTURE, H100, accelerators=ACCELERATORS, global_batch=BATCH)
    search_s = time.perf_counter() - start
    start = time.perf_counter()
    for index in range(ALONE):
        step_time(MIXTURE, H100, plans=plans.at(index), global_batch=BATCH)
    alone_s = (time.perf_counter() - start) / ALONE * found.tried
    print(
        f"training-run: plan=auto for {ACCELERATORS:,} accelerators, mixture of 256 experts: {found.tried:,} plans "
        f"in {search_s:.2f} s (under 1 s asked); one by one {alone_s:.1f} s, {alone_s / search_s:.0f}x"
    )


if __name__ == "__main__":
    main()
