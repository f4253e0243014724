"""How many tokens a second accelerators serve at full load: compute, weights, cache, links and steps, fitted."""

from dataclasses import dataclass

import numpy as np

from analysis.arrays import FloatArray
from analysis.measured import fitted_times
from analysis.measured.fitted_times import Columns, Part
from analysis.model.weights import weights_read_byte
from analysis.serving.cases import ServingCases

NOISE, DEGREES = 0.25, 4.0
MEMORY_FOR_SERVING = 0.9  # share of the memory engines take for weights and cache
MOST_REQUESTS_PER_CHIP = 1024.0  # schedulers cap how many requests share a step
STEP_PER_LAYER_S = 40e-6
LINK_WHERE_UNKNOWN_BYTE_PER_S = 64e9  # PCIe 5.0 x16, one direction


def concurrent_requests(cases: ServingCases) -> FloatArray:
    """Return how many requests share a step: what the memory beside the weights holds, shape (n,). [1]

    At least one, and no more than schedulers allow.
    """
    room = MEMORY_FOR_SERVING * cases.memory_capacity_byte * cases.n_accelerators - cases.weights_byte
    # Requests come and go: on average one keeps its prompt and half its answer.
    kept = 0.5 * (cases.kv_read_byte + cases.kv_kept_byte)
    return np.clip(room / kept, 1.0, MOST_REQUESTS_PER_CHIP * cases.n_accelerators)


def link_byte_per_token(cases: ServingCases, *, byte_per_number: float = 2.0) -> FloatArray:
    """Return what each chip sends for one token: two all-reduces a layer, shape (n,). [byte]

    References
    ----------
    Shoeybi et al., "Megatron-LM", arXiv:1909.08053, section 3 (two all-reduces a layer in the forward pass); ring
    all-reduce sends 2 (n - 1)/n of the data: Patarasuk and Yuan, J. Parallel Distrib. Comput. 69, 2009.
    """
    chips = cases.tensor_parallel
    return 2 * cases.n_layers * 2 * (chips - 1) / chips * cases.hidden_size * byte_per_number


def _columns() -> Columns:
    columns = Columns()
    columns.add("compute", mean=float(np.log(2.0)), spread=0.5)
    columns.add("narrow", ("NVFP4", "MXFP4"), spread=0.3)
    columns.add("mixture", spread=0.5)
    columns.add("memory", mean=float(np.log(1.3)), spread=0.3)
    columns.add("link", mean=float(np.log(1.5)), spread=0.7)
    columns.add("step", mean=0.0, spread=0.7)
    columns.add("vendor", ("AMD",), spread=0.3)
    return columns


PARTS = ("compute", "weights", "cache", "links", "steps")


def part_sizes(cases: ServingCases, requests: FloatArray) -> tuple[FloatArray, ...]:
    """Return the ideal time of one output token on one accelerator by part, in the order of PARTS. [s]

    ``requests`` share each step, on all accelerators together. The numbers of ``cases`` and ``requests`` broadcast.
    """
    both = (cases.prompt_tokens + cases.output_tokens) / cases.output_tokens
    weights = weights_read_byte(
        weights_byte=cases.weights_byte,
        active_weights_byte=cases.active_share * cases.weights_byte,
        batch=requests,
    )
    link = np.where(
        np.isnan(cases.link_bandwidth_byte_per_s),
        LINK_WHERE_UNKNOWN_BYTE_PER_S,
        cases.link_bandwidth_byte_per_s,
    )
    return (
        2 * cases.n_active_parameters * both / cases.peak_flop_per_s,
        weights / requests / cases.memory_bandwidth_byte_per_s,
        cases.kv_read_byte / cases.memory_bandwidth_byte_per_s,
        cases.tensor_parallel * link_byte_per_token(cases) * both / link + 1e-12,
        STEP_PER_LAYER_S * cases.n_layers * cases.n_accelerators / requests,
    )


def _designs(cases: ServingCases, columns: Columns) -> tuple[FloatArray, ...]:
    n = len(cases)
    every = columns.design(n, vendor=[name.split()[0] for name in cases.accelerator])
    mixture = np.broadcast_to(cases.active_share < 0.95, n).astype(float)
    memory = every + columns.design(n, memory=1.0)
    return (
        every + columns.design(n, compute=1.0, narrow=cases.precision, mixture=mixture),
        memory,
        memory,
        every + columns.design(n, link=1.0),
        every + columns.design(n, step=1.0),
    )


def _parts(cases: ServingCases, columns: Columns) -> tuple[Part, ...]:
    sizes, designs = part_sizes(cases, concurrent_requests(cases)), _designs(cases, columns)
    return tuple(Part(size=size, design=design) for size, design in zip(sizes, designs, strict=True))


@dataclass(frozen=True, kw_only=True)
class ServingModel:
    """A fitted model of throughput at full load, with log residuals on models it had not seen, shape (n,)."""

    columns: Columns
    factors: FloatArray
    residual: FloatArray

    def output_tokens_per_s_per_accelerator(self, cases: ServingCases) -> FloatArray:
        """Return output tokens a second of one accelerator at full load, shape (n,). [tokens/s]"""
        return np.exp(-fitted_times.log_times(_parts(cases, self.columns), self.factors))

    def multipliers(self, cases: ServingCases) -> FloatArray:
        """Return how much longer than ideal each part takes, shape (parts, n), in the order of PARTS. [1]"""
        return np.array([np.exp(design @ self.factors) for design in _designs(cases, self.columns)])

    def binding(self, cases: ServingCases) -> tuple[str, ...]:
        """Return what takes most of the time: compute, weights, cache, links or steps."""
        values = np.array(part_sizes(cases, concurrent_requests(cases))) * self.multipliers(cases)
        return tuple(PARTS[i] for i in np.argmax(values, axis=0))


def bandwidth_only_tokens_per_s(cases: ServingCases, output_tokens_per_s: FloatArray) -> FloatArray:
    """Return what bandwidth alone would predict, scaled to the rows' median, shape (n,). [tokens/s]

    The rival: every step reads the touched weights and the cache, and nothing else takes time.
    """
    _, weights, cache, *_ = _parts(cases, _columns())
    rule = 1.0 / (weights.size + cache.size)
    return rule * np.exp(np.median(np.log(output_tokens_per_s / rule)))


def fit_serving(
    cases: ServingCases, output_tokens_per_s: FloatArray, *, held_out: tuple[str, ...] | None = None
) -> ServingModel:
    """Return the throughput model fitted to results at full load, shape (n,). [tokens/s per accelerator]

    ``held_out`` names what is left out together for the residuals; by default each model.

    Raises
    ------
    ValueError
        Fewer than ten rows.
    """
    if len(cases) < 10:
        raise ValueError(f"the serving fit needs ten rows or more; got {len(cases)}. Pass all usable rows.")
    columns, time_s = _columns(), 1.0 / np.asarray(output_tokens_per_s, dtype=float)
    parts, prior = _parts(cases, columns), columns.prior()
    factors = fitted_times.fit(parts, time_s, prior=prior, noise=NOISE, degrees=DEGREES)
    predicted = fitted_times.held_out_log_times(
        parts,
        time_s,
        devices=held_out or cases.model,
        prior=prior,
        noise=NOISE,
        degrees=DEGREES,
        start=factors,
    )
    return ServingModel(columns=columns, factors=factors, residual=predicted - np.log(time_s))
