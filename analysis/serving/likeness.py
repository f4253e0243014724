"""How alike deployments are: the covariance of what the mechanisms leave unexplained, by what two of them share."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from analysis.arrays import BoolArray, FloatArray, IntArray
from analysis.serving.deployment import Deployments

SHARED = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
Spreads = dict[str, float]
SPREADS: dict[str, Spreads] = {
    kind: {name: stated[kind] for name, stated in SHARED.items()} for kind in ("token", "first", "load")
}
"""By kind of time: the spread of what each thing that deployments share explains. [log time]"""


@dataclass(frozen=True, kw_only=True)
class Traits:
    """What deployments are compared by: words as texts, loads as logarithms; each of shape (n,)."""

    words: dict[str, tuple[str, ...]]
    load: FloatArray  # (n, 4): log of concurrency, prompt, answer, chips

    def __len__(self) -> int:
        """Return the number of deployments."""
        return len(self.load)

    def at(self, places: IntArray) -> "Traits":
        """Return those at these places."""
        words = {name: tuple(column[place] for place in places) for name, column in self.words.items()}
        return Traits(words=words, load=self.load[places])


def traits(deployments: Deployments, *, concurrency: FloatArray) -> Traits:
    """Return what deployments are compared by; ``concurrency`` has the requests in flight, shape (n,)."""
    d = deployments
    disaggregated = ["disaggregated" if mark else "" for mark in d.disaggregated]
    year = ["" if np.isnan(value) else f"{value:.2f}" for value in d.year]
    plan = [
        f"{tensor:g}/{data:g}/{expert:g}/{pipeline:g}/{drafted:g}"
        for tensor, data, expert, pipeline, drafted in zip(
            d.tensor, d.data, d.expert, d.pipeline, d.drafted, strict=True
        )
    ]

    def joined(*columns: tuple[str, ...] | list[str]) -> tuple[str, ...]:
        return tuple("|".join(parts) for parts in zip(*columns, strict=True))

    setup = joined(d.model, d.accelerator, d.engine, d.format_name, disaggregated)
    software = joined(d.engine, d.version, year)
    return Traits(
        words={
            "maker": d.maker,
            "engine": joined(d.engine, disaggregated),
            "software": software,
            "model": d.model,
            "chip": d.accelerator,
            "engine_model": joined(d.engine, d.model),
            "chip_model": joined(d.accelerator, d.model),
            "setup": setup,
            "setup_software": joined(setup, software),
            "plan": joined(setup, plan),
            "same_software": joined(setup, plan, software),
        },
        load=np.column_stack(
            [
                np.log(concurrency),
                np.log(d.prompt_tokens),
                np.log(d.output_tokens),
                np.log(d.tensor * d.data * d.pipeline),
            ]
        ),
    )


def covariance(one: Traits, other: Traits, *, spreads: Spreads) -> FloatArray:
    """Return the covariance of what is unexplained of two sets of deployments, shape (n, m). [log time squared]

    Each thing that two deployments share (a maker, a model, an engine...) adds its variance; things shared at a load
    add less the further apart the loads are.

    References
    ----------
    Rasmussen and Williams, "Gaussian Processes for Machine Learning", 2006, sections 2.2 and 4.2.4 (sums of products
    of covariances are covariances).
    """
    total = np.zeros((len(one), len(other)))
    same: dict[str, BoolArray] = {}

    def alike(word: str) -> BoolArray:
        if word not in same:
            codes: dict[str, int] = {}
            left = np.array([codes.setdefault(name, len(codes)) for name in one.words[word]])
            right = np.array([codes.setdefault(name, len(codes)) for name in other.words[word]])
            same[word] = left[:, None] == right[None, :]
        return same[word]

    for name, spread in spreads.items():
        shared = SHARED[name]
        if "fades" not in shared:
            total[alike(name)] += spread**2
            continue
        left, right = np.nonzero(alike(shared["word"]))
        distance = ((one.load[left] - other.load[right]) / shared["fades"]) ** 2
        total[left, right] += spread**2 * np.exp(-0.5 * distance.sum(axis=1))
    return total


def variance(spreads: Spreads) -> float:
    """Return the variance of what is unexplained of a deployment that shares nothing with any. [log time squared]"""
    return sum(spread**2 for spread in spreads.values())
