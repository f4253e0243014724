"""Settings of /training-run: the model, the machine, the plan, reliability and cost."""

from dataclasses import dataclass
from functools import partial

from analysis.refusal import Refusal
from data.by_release import ByRelease
from data.releases import load
from data.standing import rows
from views import written
from views.chips.rents import RentSettings
from views.settings import Conflict, choice, decimal, month, same_as, whole_number
from views.training_run import defaults
from views.training_run.defaults import accelerators
from views.training_run.inputs import AS_SEARCHED, CHIPS_TIME, DEGREES, chosen_machine, searched_degree
from views.view import ReleaseSettings, pinned

WORDS = written.settings(__file__)
own_number = partial(decimal, None, low=0.0, zero_is_unset=True)
own_count = partial(whole_number, None, low=0, zero_is_unset=True)
"""Return a setting for a number that replaces another. If empty, or 0 in old links, it does not."""
degree = partial(whole_number, None, low=1)
"""Return a setting for a degree of a manual plan, by default the fastest plan's degree."""
SHAPE = frozenset({"layers", "hidden", "heads", "vocabulary", "experts", "active_experts"})
"""Settings for a custom model only."""
PUBLISHED_NUMBERS = frozenset({"batch", "sequence", "expert_overlap", "hours_per_failure"})
"""Settings whose default is a number in the model's recipe."""
BETWEEN_SITES = frozenset({"local_steps", "wide_area"})
"""Settings for a run on several sites only."""


@dataclass(frozen=True, kw_only=True)
class TrainingRunSettings(ReleaseSettings):
    """Settings of /training-run: the model, machine, plan and circumstances. Empty settings use their default."""

    model: str = choice(
        "llama-3.1-405b",
        computed=ByRelease(
            lambda: {**defaults.architectures(), defaults.CUSTOM: ("Custom model", "any shape")}
        ),
        **WORDS["model"],
    )
    accelerator: str = choice("h100-sxm", computed=ByRelease(defaults.offered), **WORDS["accelerator"])
    accelerators: int = whole_number(16384, low=1, high=1_000_000, **WORDS["accelerators"])
    plan: str = choice(defaults.PUBLISHED, **WORDS["plan"])
    tokens: int | None = own_count(high=1_000_000, **WORDS["tokens"])
    compute: int | None = own_count(high=999_999_999, **WORDS["compute"])
    batch: float | None = decimal(None, low=0.01, high=1000.0, step=0.1, **WORDS["batch"])
    sequence: int | None = whole_number(None, low=128, high=1_048_576, **WORDS["sequence"])
    ramp_from: float = decimal(1.0, low=0.01, high=1000.0, step=0.1, **WORDS["ramp_from"])
    ramp_tokens: int | None = own_count(high=1_000_000, **WORDS["ramp_tokens"])
    layers: int = whole_number(96, low=1, high=1000, **WORDS["layers"])
    hidden: int = whole_number(12288, low=64, high=200_000, **WORDS["hidden"])
    heads: int = whole_number(96, low=1, high=2048, **WORDS["heads"])
    vocabulary: int = whole_number(51200, low=256, high=1_000_000, **WORDS["vocabulary"])
    experts: int = whole_number(1, low=1, high=4096, **WORDS["experts"])
    active_experts: int = whole_number(1, low=1, high=4096, **WORDS["active_experts"])
    precision: str = choice(defaults.PUBLISHED, **WORDS["precision"])
    peak: float | None = own_number(high=1e6, step=1.0, **WORDS["peak"])
    bandwidth: float | None = own_number(high=1e4, step=0.1, **WORDS["bandwidth"])
    memory: float | None = own_number(high=1e5, step=1.0, **WORDS["memory"])
    link: float | None = own_number(high=1e5, step=1.0, **WORDS["link"])
    network: float | None = own_number(high=1e5, step=1.0, **WORDS["network"])
    domain: int | None = own_count(high=100_000, **WORDS["domain"])
    jitter: float = decimal(0.8, low=0.0, high=50.0, step=0.1, **WORDS["jitter"])
    storage: float = decimal(2000.0, low=0.1, high=1e6, step=10.0, **WORDS["storage"])
    available: int | None = own_count(high=1_000_000, **WORDS["available"])
    tensor: int | None = degree(high=1024, **WORDS["tensor"])
    pipeline: int | None = degree(high=1000, **WORDS["pipeline"])
    context: int | None = degree(high=1024, **WORDS["context"])
    expert: int | None = degree(high=4096, **WORDS["expert"])
    interleave: int | None = degree(high=100, **WORDS["interleave"])
    micro_batch: int | None = degree(high=1024, **WORDS["micro_batch"])
    zero: str = choice(AS_SEARCHED, **WORDS["zero"])
    recompute: str = choice(AS_SEARCHED, **WORDS["recompute"])
    overlap: int | None = whole_number(None, low=0, high=100, **WORDS["overlap"])
    expert_overlap: int | None = whole_number(None, low=0, high=100, **WORDS["expert_overlap"])
    software: str = month(CHIPS_TIME, low=2020, high=2026, unbounded=CHIPS_TIME, **WORDS["software"])
    hours_per_failure: int | None = whole_number(None, low=10, high=100_000_000, **WORDS["hours_per_failure"])
    restart: float = decimal(10.0, low=0.0, high=10000.0, step=1.0, **WORDS["restart"])
    spares: float = decimal(0.0, low=0.0, high=50.0, step=0.5, **WORDS["spares"])
    checkpoint: float | None = own_number(high=10000.0, step=1.0, **WORDS["checkpoint"])
    saving: str = choice("stop", **WORDS["saving"])
    price: float | None = own_number(high=10000.0, step=0.1, **WORDS["price"])
    rents: str = same_as(RentSettings, "rents", **WORDS["rents"])
    power: float | None = own_number(high=100_000.0, step=10.0, **WORDS["power"])
    pue: float = decimal(1.2, low=1.0, high=3.0, step=0.01, **WORDS["pue"])
    sites: int = whole_number(1, low=1, high=1000, **WORDS["sites"])
    local_steps: int = whole_number(100, low=1, high=100_000, **WORDS["local_steps"])
    wide_area: float = decimal(100.0, low=0.01, high=100_000.0, step=1.0, **WORDS["wide_area"])

    def applies(self, name: str) -> bool:
        """Return whether a setting can change the result, given the other choices."""
        if not super().applies(name):
            return False
        if name in SHAPE:
            return self.model == defaults.CUSTOM
        if name == "expert_overlap":
            if self.model == defaults.CUSTOM:
                return self.experts > 1
            return rows("architectures", "name")[defaults.architectures()[self.model]]["n_experts"] > 1
        if name in DEGREES:
            return self.plan == "manual"
        if name in BETWEEN_SITES:
            return self.sites > 1
        return {"ramp_from": bool(self.ramp_tokens), "tokens": not self.compute}.get(name, True)

    def number(self, name: str) -> float:
        """Return a batch [million tokens], sequence length [tokens] or expert overlap [%], by default the recipe's."""
        own = getattr(self, name)
        return defaults.as_published(name, model=self.model)[0] if own is None else own

    def where_empty(self, name: str) -> str:
        """Return an empty setting's default and the default's origin, or a text if no default is known."""
        if name == "tokens":
            tokens, basis = defaults.tokens_of(self.model)
            return f"{basis}: {tokens / 1e9:,.6g}"
        if name in PUBLISHED_NUMBERS:
            number, basis = defaults.as_published(name, model=self.model)
            return f"{basis}: {number:,.4g}" if number < 1e4 else f"{basis}: {number:,.0f}"
        if name in DEGREES and self.plan == "manual":
            searched = searched_degree(self, name)
            return (
                f"{searched:,}, as the fastest plan"
                if isinstance(searched, int)
                else super().where_empty(name)
            )
        if name not in (*defaults.CHIP_NUMBERS, "price"):
            return super().where_empty(name)
        product, release = accelerators()[self.accelerator], pinned(self).release
        if name == "price":
            row = defaults.trainable_rows(load(release)).get(product)
            price = defaults.price_of(str(row["name"]) if row else product, product=product, release=release)
            return f"{'median on demand' if price.listed else defaults.ASSUMED}: ${price.usd:,.2f}"
        try:
            precision = chosen_machine(self, product=product, release=load(release)).precision
        except Refusal:
            return super().where_empty(name)
        number = defaults.chip_number(name, product, precision=precision, release=release)
        return number or super().where_empty(name)

    def option_label(self, name: str, word: str) -> str:
        """Return an option's label. The label for a searched degree states the degree's value in the fastest plan."""
        label = super().option_label(name, word)
        if name not in DEGREES or word != AS_SEARCHED or self.plan != "manual":
            return label
        searched = searched_degree(self, name)
        return label if searched is None else f"{super().option_label(name, str(searched))} (fastest plan)"

    def conflicts(self) -> tuple[Conflict, ...]:
        """Return conflicts between numbers of experts, between batch and sequence, or between batch and ramp."""
        batch, sequence = self.number("batch"), int(self.number("sequence"))
        rules = (
            (
                self.active_experts > self.experts,
                ("active_experts", "experts"),
                f"at most as many active experts as experts ({self.experts})",
            ),
            (
                sequence > batch * 1e6,
                ("sequence", "batch"),
                f"a batch of one sequence at least ({sequence:,} tokens)",
            ),
            (
                bool(self.ramp_tokens) and self.ramp_from > batch,
                ("ramp_from", "ramp_tokens", "batch"),
                f"a ramp that starts at most at the batch ({batch:.3g} million tokens)",
            ),
        )
        return tuple(Conflict(names=names, allowed=allowed) for broken, names, allowed in rules if broken)
