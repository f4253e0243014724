"""Shared results for /training-run: the run with its plan, its cost, and comparable runs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

from analysis.cost import RunCost, run_cost
from analysis.intervals import product_bounds
from analysis.model_errors.comparison import by_model, from_text
from analysis.model_errors.errors import Errors
from analysis.training_run.device_memory import DeviceMemory, device_memory
from analysis.training_run.more_accelerators import RunOnNumber, runs_by_number
from analysis.training_run.outlook import RunOutlook, outlook
from analysis.training_run.pace import NINE_IN_TEN, Pace
from analysis.training_run.plans import Plans
from analysis.training_run.published import kind_of
from data import records
from data.releases import Release
from data.standing import rows
from views.lazy_sequence import LazySequence
from views.training_run.inputs import RunInputs
from views.training_run.settings import TrainingRunSettings


@cache
def held_out_by_source() -> Errors:
    """Return the recorded errors of speeds of training runs, each predicted without its source (/model-errors)."""
    record = records.FOLDER / "model_errors/training.csv"
    return by_model(from_text(record.read_text(encoding="utf-8")))["training"]


@dataclass(frozen=True, kw_only=True)
class Answer:
    """A run with its plan: the fastest of ``tried`` plans, or one set by hand."""

    settings: TrainingRunSettings
    release: Release
    inputs: RunInputs
    plan: Plans
    tried: int

    @property
    def used(self) -> int:
        """Return the number of accelerators used."""
        return round(float(self.plan.accelerators))

    @property
    def searched(self) -> bool:
        """Return whether the plan is the result of a search."""
        return self.tried > 1

    @cached_property
    def memory(self) -> DeviceMemory:
        """Return the parts of the memory in use on the fullest accelerator."""
        run = self.inputs.run
        return device_memory(run.model, run.machine, plans=self.plan, global_batch=run.global_batch)

    @cached_property
    def run(self) -> RunOutlook:
        """Return the run's wall-clock time, its parts and its goodput."""
        return outlook(self.inputs.run, plan=self.plan)

    @cached_property
    def cost(self) -> RunCost:
        """Return the cost of the run, including spares."""
        return run_cost(
            accelerators=self.used,
            seconds=self.run.seconds,
            power_w_per_accelerator=self.inputs.power_w,
            pue=self.settings.pue,
            usd_per_accelerator_hour=self.inputs.price.usd,
            spare_share=self.inputs.run.circumstances.spare_share,
        )

    def time_bounds(self, spreads: float) -> tuple[float, float]:
        """Return bounds of the run's time, as those of a pace, over its prediction. Both are 1 if none is known. [1]"""
        return Pace(spread=self.inputs.pace.spread if self.kind else 0.0).bounds(spreads)

    @property
    def cost_bounds(self) -> tuple[float, float]:
        """Return the 90% bounds of the cost, divided by the cost, from those of the time and of prices. [1]"""
        return product_bounds(self.time_bounds(NINE_IN_TEN), self.inputs.price.spread)

    @cached_property
    def kind(self) -> str | None:
        """Return the kind of comparable published runs. None if no published run is comparable."""
        chip = self.inputs.run.machine.chip.name.split()[0]
        return kind_of(
            chip_kind=str(rows("training_kinds", "chip").get(chip, {}).get("kind", "")),
            precision=self.inputs.run.machine.precision,
            sequence_token=self.inputs.run.model.sequence_length,
            accelerators=self.used,
            experts=self.inputs.run.model.n_experts,
        )

    @cached_property
    def by_number(self) -> Sequence[RunOnNumber]:
        """Return the run on increasing numbers of accelerators. It is computed on first access."""
        run = replace(self.inputs.run, accelerators=self.used)
        return LazySequence(lambda: iter(runs_by_number(run)))
