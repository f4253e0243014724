"""Figures and text of the decomposition of growth into factors."""

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from analysis.growth_accounting import FACTORS, PartGrowth, agreeing
from charts.chart import Role
from views import wording, written
from views.exhibits import growth_figure
from views.result import Figure

BESIDE = {
    "power": ("training_power_w", "Power drawn"),
    "cost": ("training_cost_usd_2023", "Cost"),
    "parameters": ("n_parameters", "Parameters"),
    "data": ("dataset_size_datapoint", "Training data"),
}
"""Quantities to compare with compute, keyed by name: the column and label of each."""


@dataclass(frozen=True, kw_only=True)
class Factor:
    """A factor's names (in a list, in short form, on a phone, and as the leading factor) and its colour role."""

    label: str
    short: str
    on_axis: str
    leads: str
    role: Role

    @property
    def within(self) -> str:
        """Return the factor's name for use inside a sentence."""
        return self.label if self.label.startswith("FLOP") else self.label.lower()


WORDS = {name: Factor(**stated) for name, stated in written.toml(__file__, name="factors.toml").items()}
"""The factors and ``total``, which is compute itself, keyed by name."""


def figures(parts: Mapping[str, PartGrowth], *, method: str) -> tuple[Figure, ...]:
    """Return figures of the growth of compute and each part, with each factor's share."""
    total = parts["total"]
    known, every = "Compute of runs with every factor known", "Compute of all selected runs"
    figures = [_figure(total, name="yearly_growth", label=known, method=method, key=False)]
    for name in FACTORS:
        share = parts[name].share_of(total)
        shared = "" if share is None else f"; {wording.share(share)} of the growth in logarithms"
        figures.append(
            _figure(
                parts[name],
                name=f"{name}_growth",
                label=WORDS[name].label,
                method=f"{method}{shared}",
                key=name != "utilization",
            )
        )
        if share is not None:
            figures.append(
                Figure(
                    name=f"{name}_share",
                    label=f"{WORDS[name].label}, share of the growth",
                    value=share,
                    unit="1",
                    text=wording.share(share),
                    method="share of the yearly growth in logarithms",
                    n=total.n,
                    key=False,
                )
            )
    figures.append(_figure(parts["all"], name="all_runs_growth", label=every, method=method, key=False))
    figures += [
        _figure(parts[name], name=f"{name}_growth", label=label, method=method, key=False)
        for name, (_, label) in BESIDE.items()
        if name in parts
    ]
    return tuple(figures)


def _figure(part: PartGrowth, *, name: str, label: str, method: str, key: bool = True) -> Figure:
    return growth_figure(name, part, label=label, level=part.level, method=method, n=part.n, key=key)


def notes(parts: Mapping[str, PartGrowth]) -> tuple[str, ...]:
    """Return the caveats, one sentence each: what utilization contains, and how few runs there are."""
    total = parts["total"]
    rough = (f"Only {total.n} runs have every factor known, so the split is rough.",) if total.rough else ()
    return (
        "Utilization is computed from compute and the other three factors, so it inherits all their errors.",
        *rough,
    )


def sure(selected: pd.DataFrame, parts: Mapping[str, PartGrowth]) -> tuple[str, ...]:
    """Return sentences on the uncertainty: missing runs, and the computation of utilization."""
    return (_missing_note(selected, parts), _utilization_note(selected))


def _missing_note(selected: pd.DataFrame, parts: Mapping[str, PartGrowth]) -> str:
    counts = selected.loc[selected["missing"] != "", "missing"].value_counts().head(2)
    reasons = wording.listed([f"“{words}” ({wording.counted(n, 'run')})" for words, n in counts.items()])
    times, low, high = parts["total"].against(parts["all"])
    level = wording.percent(parts["total"].level)
    alike = "no clear difference" if low <= 1 <= high else "a clear difference"
    return (
        f"{parts['total'].n} of {len(selected)} selected runs have every factor known. The compute of these "
        f"{parts['total'].n} runs grows {wording.times(parts['total'].value)} a year, and that of all selected runs "
        f"{wording.times(parts['all'].value)}: {alike} (ratio {wording.times(times)}, {level} interval "
        f"{wording.factors(low, high)})."
        + (f" The most frequent reasons for a missing factor are {reasons}." if reasons else "")
    )


def _utilization_note(selected: pd.DataFrame) -> str:
    both = selected.loc[selected["utilization"].notna() & selected["mfu"].notna()]
    words = "If Epoch AI estimated compute with an assumed utilization, our utilization only repeats that assumption."
    if both.empty:
        return words
    near = agreeing(both["utilization"].to_numpy(dtype=float), both["mfu"].to_numpy(dtype=float))
    known = wording.counted(len(both), "run")
    return f"{words} Our value is within 15% of the reported one for {near} of {known} with reported utilization."
