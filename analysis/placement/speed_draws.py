"""Seeded draws of prediction errors at each place, from the residuals of the fitted models."""

import re
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.arrays import FloatArray
from analysis.placement.fits import PlacementFits
from analysis.placement.places import Places
from analysis.placement.served import PlaceResiduals

DRAWS, SEED = 1000, 20261121


@dataclass(frozen=True, kw_only=True)
class SpeedDraws:
    """Seeded draws, shape (places, draws): factors on decode and prefill speed, and a phone's sustained share."""

    step: FloatArray
    prompt: FloatArray
    sustained: FloatArray

    def of(self, place: NDArray[np.intp]) -> "SpeedDraws":
        """Return the draws for the given places, shape (pairs, draws)."""
        return SpeedDraws(**{name: draws[place] for name, draws in vars(self).items()})

    def quantile(self, share: float) -> "SpeedDraws":
        """Return a quantile of each factor's draws at each place, as one draw, shape (places, 1)."""
        draws = vars(self).items()
        return SpeedDraws(**{name: np.quantile(of, share, axis=1, keepdims=True) for name, of in draws})


def typical_speeds(shape: tuple[int, ...], *, sustained: FloatArray) -> SpeedDraws:
    """Return one draw, shape (*shape, 1), with factors of 1 and the median of ``sustained`` on phones."""
    ones = np.ones((*shape, 1))
    return SpeedDraws(step=ones, prompt=ones, sustained=np.full(ones.shape, np.median(sustained)))


def draw_speeds(
    places: Places,
    *,
    fits: PlacementFits,
    residuals: PlaceResiduals,
    sustained: FloatArray,
    draws: int = DRAWS,
) -> SpeedDraws:
    """Return seeded draws for each place, independent of other places.

    Steps and prompts of devices have spreads by class and backend. Those of accelerators use the ``residuals`` of the
    serving model, in the quantiles of left-out points, wider if nothing similar was measured. Errors of steps
    and of first tokens are drawn independently: their correlation over the points is only a quarter. ``sustained``,
    shape (n,), are the published ratios of sustained to initial speed.
    """
    step, prompt, kept = np.ones((3, len(places), draws))
    rows = zip(places.name, places.speed_class, places.backend, places.accelerator, strict=True)
    for row, (name, speed_class, backend, accelerator) in enumerate(rows):
        seed = np.random.SeedSequence([SEED, *name.encode()])
        uniform = np.random.default_rng(seed).random((3, draws))
        if accelerator:
            step[row] = np.exp(fits.serving.drawn("token", residuals.step_spread[row], uniform=uniform[0]))
            prompt[row] = np.exp(fits.serving.drawn("first", residuals.first_spread[row], uniform=uniform[1]))
            continue
        group = f"{speed_class} {backend}"
        decode = fits.devices.decode.spread
        prefill = fits.devices.prefill.spread
        step[row] = decode.draws(decode.scale(group, backend), uniform[0])
        prompt[row] = prefill.draws(prefill.scale(group, backend), uniform[1])
        kept[row] = np.quantile(sustained, uniform[2])
    return SpeedDraws(step=step, prompt=prompt, sustained=kept)


_BURST = re.compile(r"burst was ([0-9.]+) tok/s")


def sustained_ratios(measured: pd.DataFrame) -> FloatArray:
    """Return the ratio of sustained to initial speed in each phone test that states both, shape (n,). [1]

    Raises ValueError if no row states both speeds.
    """
    rows = measured.loc[
        measured["software"].str.contains("sustained") & (measured["device_class"] == "phone")
    ]
    ratios = [
        speed / float(burst.group(1))
        for speed, note in zip(rows["decode_tokens_per_s"], rows["note"], strict=True)
        if (burst := _BURST.search(note))
    ]
    if not ratios:
        raise ValueError(
            "no phone's row states a sustained speed and its first; got none in the table. Add a row whose software "
            "says sustained and whose note says 'burst was ... tok/s'."
        )
    return np.array(ratios)
