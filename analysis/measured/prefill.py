"""Prefill speed of a device: useful FLOP/s per byte/s of bandwidth, fitted by class and vendor."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.arrays import FloatArray
from analysis.hardware.device_makers import BACKENDS
from analysis.measured import fitted_times
from analysis.measured.engines import REFERENCE
from analysis.measured.fitted_times import Columns, Part
from analysis.measured.held_out import Spread, spread
from analysis.measured.prefill_by_peak import PeakRule, fit_peak_rule
from analysis.measured.prefill_cases import PrefillCases, attention

NOISE, DEGREES = 0.25, 3.0
FLOP_PER_BYTE = {"GPU": 40.0, "CPU": 8.0, "NPU": 60.0}  # starting values of useful FLOP per byte/s


def _columns(cases: PrefillCases) -> Columns:
    columns = Columns()
    columns.add("level", spread=0.7)
    columns.add("kind", BACKENDS, spread=0.7)
    columns.add("class", sorted(set(cases.groups)), spread=0.5)
    columns.add("maker", sorted(set(cases.makers) - {""}), spread=0.5)
    columns.add("attention", mean=1.0, spread=0.5)
    columns.add("early", spread=0.1)
    columns.add("mixture", spread=0.3)
    columns.add("size", spread=0.1)
    columns.add("format", sorted(set(cases.formats) - {""}), spread=0.2)
    columns.add("engine", sorted(set(cases.engines) - {"", REFERENCE}), spread=0.2)
    columns.add("device", sorted(set(cases.device)), spread=0.25)
    return columns


SIZE_AT_PARAMETERS = 8e9


def _parts(cases: PrefillCases, columns: Columns, *, makers: tuple[str, ...]) -> tuple[Part, ...]:
    per_byte = np.array([FLOP_PER_BYTE[name] for name in cases.backend])
    design = columns.design(
        len(cases),
        level=1.0,
        kind=cases.backend,
        attention=cases.attention,
        early=cases.early_doublings,
        mixture=cases.is_mixture,
        size=np.log(cases.n_active_parameters / SIZE_AT_PARAMETERS),
        format=cases.formats,
        engine=cases.engines,
        device=cases.device,
        maker=makers,
        **{"class": cases.groups},
    )
    useful = per_byte * cases.memory_bandwidth_byte_per_s
    return (Part(size=2.0 * cases.n_active_parameters / useful, design=design),)


def _usual_makers(cases: PrefillCases) -> dict[str, str]:
    """Return the vendor with the most measured chips in each GPU class, keyed by the class's name in the fit."""
    chips = {
        chip
        for chip in zip(cases.groups, cases.makers, cases.device, strict=True)
        if chip[1]  # a GPU whose vendor is known
    }
    counted = Counter((name, made_by) for name, made_by, _ in sorted(chips))
    return {name: made_by for (name, made_by), _ in reversed(counted.most_common())}


@dataclass(frozen=True, kw_only=True)
class PrefillModel:
    """A fitted prefill model, with its held-out log residuals, shape (n,), and their spread.

    ``usual_makers`` represent unnamed devices, whose spread is ``unnamed``; ``by_peak`` is for unnamed devices with a
    stated peak.
    """

    columns: Columns
    factors: FloatArray
    residual: FloatArray
    spread: Spread
    usual_makers: dict[str, str]
    unnamed: Spread
    by_peak: PeakRule | None

    def tokens_per_s(self, cases: PrefillCases) -> FloatArray:
        """Return the prefill speed of one request, shape (n,). [tokens/s]

        A prompt takes 2 FLOP per active parameter and token. Attention adds a fitted power of :func:`attention`, and on
        early engines a factor per doubling beyond 512 tokens; mixtures, formats and engines have a factor each. Larger
        models reach more FLOP/s. Classes without rows use those of their backend and vendor. A GPU of unknown name and
        vendor follows its stated peak, or else the usual vendor of its class.

        Notes
        -----
        For named devices bandwidth predicts better than the peaks in our tables, which are of tensor units for some and
        of shaders for others: the median error on left-out devices is 25%, against 22% for
        :mod:`analysis.measured.prefill_by_peak` on the two thirds of the rows that state the peak of the matrix units.
        """
        made_by = cases.makers
        usual = tuple(
            name or self.usual_makers.get(kind, "") for name, kind in zip(made_by, cases.groups, strict=True)
        )
        rate = np.exp(-fitted_times.log_times(_parts(cases, self.columns, makers=usual), self.factors))
        at = self._goes_by_peak(cases)
        if self.by_peak is not None and at.any():
            rate[at] = self.by_peak.tokens_per_s(cases.at(at))
        # A stated peak does not predict what a processor or an NPU reaches, but it is an upper limit.
        most = cases.peak_flop_per_s / (2.0 * cases.n_active_parameters)
        limited = np.array([name != "GPU" for name in cases.backend], dtype=bool) & (most < rate)
        return np.where(limited, most, rate)

    def half_width(self, cases: PrefillCases, *, level: float) -> FloatArray:
        """Return the half-width of the interval of log speed at a level, shape (n,)."""
        spreads = [self.spread] * len(cases)
        unknown, peak = self._is_unnamed(cases), self._goes_by_peak(cases)
        for i in np.flatnonzero(unknown).tolist():
            spreads[i] = self.by_peak.spread if self.by_peak and peak[i] else self.unnamed
        rows = zip(spreads, cases.groups, cases.backend, strict=True)
        return np.array([spread.half_width(spread.scale(*row), level=level) for spread, *row in rows])

    def slowdown(self, prompt_tokens: FloatArray) -> FloatArray:
        """Return the time per token relative to that of a 512-token prompt, in the shape of ``prompt_tokens``. [1]"""
        return np.exp(self.columns.factors("attention", self.factors)[""] * attention(prompt_tokens))

    @property
    def size_power(self) -> float:
        """Return the exponent (below 0) of model size in the prefill time per FLOP. [1]"""
        return self.columns.factors("size", self.factors)[""]

    def _is_unnamed(self, cases: PrefillCases) -> NDArray[np.bool_]:
        measured = self.columns.levels("device")
        rows = zip(cases.device, cases.makers, cases.backend, strict=True)
        return np.array(
            [kind == "GPU" and not made_by and name not in measured for name, made_by, kind in rows],
            dtype=bool,
        )

    def _goes_by_peak(self, cases: PrefillCases) -> NDArray[np.bool_]:
        return self._is_unnamed(cases) & (cases.peak_flop_per_s > 0) & (self.by_peak is not None)


def prompt_time_s(
    tokens_per_s: FloatArray, *, prompt_tokens: FloatArray, weights_time_s: FloatArray
) -> FloatArray:
    """Return the prefill time, which is at least that of one pass over the weights. Shapes broadcast. [s]

    ``weights_time_s`` is the time to read all weights once, as in decode.
    """
    return np.maximum(np.asarray(prompt_tokens, dtype=float) / tokens_per_s, weights_time_s)


def fit_prefill(cases: PrefillCases, prefill_tokens_per_s: FloatArray) -> PrefillModel:
    """Fit the prefill model to measured speeds [tokens/s], shape (n,).

    Raises ValueError if there are fewer than five rows.
    """
    if len(cases) < 5:
        raise ValueError(f"the prefill fit needs five rows or more; got {len(cases)}. Pass all usable rows.")
    columns, time_s = _columns(cases), 1.0 / np.asarray(prefill_tokens_per_s, dtype=float)
    parts, prior = _parts(cases, columns, makers=cases.makers), columns.prior()
    factors, residual = fitted_times.fit_and_check(
        parts, time_s, groups=(cases.device, cases.sources), prior=prior, noise=NOISE, degrees=DEGREES
    )
    names = {"devices": cases.device, "classes": cases.groups, "kinds": cases.backend}
    usual, of_maker = _usual_makers(cases), columns.factors("maker", factors)
    # If a row had no name, its vendor's factor would be that of the usual vendor.
    other = [
        of_maker.get(usual.get(kind, ""), 0.0) - of_maker.get(made_by, 0.0)
        for kind, made_by in zip(cases.groups, cases.makers, strict=True)
    ]
    return PrefillModel(
        columns=columns,
        factors=factors,
        residual=residual,
        spread=spread(residual, **names),
        usual_makers=usual,
        unnamed=spread(residual + np.array(other), **names),
        by_peak=fit_peak_rule(cases, np.asarray(prefill_tokens_per_s, dtype=float)),
    )
