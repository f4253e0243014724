"""What limits this training run?"""

from collections.abc import Mapping

from analysis.device_memory import USABLE_SHARE, DeviceMemory, device_memory, fits
from analysis.parallel_plan import Plans
from analysis.plan_search import NoPlanFits, fastest_of_at_most
from analysis.run_cost import RunCost, run_cost
from analysis.training_run.outlook import Outlook, outlook
from charts.chart import Bar, BarChart, Role
from data.releases import Release
from views import training_run_scaling, training_run_years, wording
from views.axes import linear_axis
from views.result import Column, Exhibit, Figure, Source, Table
from views.training_run_inputs import Inputs, inputs, manual_plan
from views.training_run_settings import TrainingRunSettings
from views.training_run_words import days_words, percent
from views.view import CURATION, EPOCH_AI, Finding, View

PARTS: Mapping[str, tuple[str, Role, str, str]] = {
    "matrix_s": ("Matrix products", "compute", "the matrix products themselves", "take faster or more chips"),
    "attention_s": (
        "Attention",
        "compute",
        "attention over the sequence",
        "shorten the sequence or its window",
    ),
    "memory_bound_s": (
        "Memory-bound work",
        "memory",
        "work bound by memory bandwidth",
        "fuse kernels or take chips with more bandwidth",
    ),
    "tensor_s": (
        "Tensor-parallel exchange",
        "links",
        "exchange between tensor-parallel chips",
        "use fewer of them or a faster chip link",
    ),
    "context_s": (
        "Context-parallel exchange",
        "links",
        "exchange of keys and values",
        "use fewer context-parallel chips or fewer key-value heads",
    ),
    "expert_s": (
        "Expert exchange",
        "links",
        "sending tokens to experts",
        "keep experts inside a scale-up domain",
    ),
    "pipeline_s": (
        "Pipeline exchange",
        "links",
        "sending activations between stages",
        "overlap it or use fewer pieces",
    ),
    "data_s": (
        "Data-parallel exchange",
        "links",
        "exchange of gradients and weights",
        "overlap it, grow the batch or take a faster network",
    ),
    "imbalance_s": (
        "Uneven stages",
        "context",
        "waiting for the fullest stage",
        "choose a pipeline depth that divides the layers",
    ),
    "bubble_s": (
        "Pipeline bubble",
        "context",
        "stages that wait for work",
        "use fewer stages, more interleaving or a larger batch",
    ),
    "optimizer_s": ("Optimizer", "memory", "the optimizer", "split its states (ZeRO 1)"),
    "jitter_s": (
        "Waiting for the slowest",
        "context",
        "waiting for the slowest chip",
        "weed out slow chips and links",
    ),
    "wide_area": (
        "Between sites",
        "links",
        "exchange between sites",
        "take more local steps between meetings",
    ),
    "ramp": ("Batch ramp", "context", "the small batches of the ramp", "shorten the ramp"),
    "checkpoint": ("Checkpoints", "edge", "writing checkpoints", "write them in the background or faster"),
    "failure": ("Failures", "edge", "failures and restarts", "restart faster and save more often"),
}
WORK = ("matrix_s", "attention_s")
DEMAND = Source(
    title="Published tables, prices and model shapes gathered from public sources",
    publisher="Scaling Gap",
    url="/data",
    licence="CC BY 4.0",
)


def build(settings: TrainingRunSettings, release: Release) -> Finding:
    """Return how long the run takes, what it costs, what limits it, and what more accelerators would do."""
    data_words = f"Chips: Epoch AI (CC BY 4.0), curated, release {release.name}."
    try:
        found = inputs(settings, release)
    except (ValueError, LookupError) as problem:
        return _impossible(str(problem), words=data_words, memory=None, capacity_byte=0.0)
    overlap = settings.overlap / 100
    try:
        if settings.plan == "manual":
            plan = manual_plan(settings, found)
            used, tried = found.accelerators, 1
        else:
            best, used = fastest_of_at_most(
                found.model,
                found.machine,
                accelerators=found.accelerators,
                global_batch=found.global_batch,
                overlap=overlap,
            )
            plan, tried = best.plan, best.tried
    except (NoPlanFits, ValueError) as problem:
        return _impossible(str(problem), words=data_words, memory=None, capacity_byte=0.0)
    memory = device_memory(found.model, found.machine, plans=plan, global_batch=found.global_batch)
    words = f"{_plan_words(plan)}. {data_words}"
    if not fits(memory, found.machine):
        need, have = float(memory.total_byte) / 1e9, found.machine.memory_capacity_byte / 1e9
        return _impossible(
            f"this plan needs {need:,.0f} GB on each accelerator of {have:,.0f} GB; recompute more, split "
            "further, or let plan=auto choose",
            words=words,
            memory=memory,
            capacity_byte=found.machine.memory_capacity_byte,
        )
    run = outlook(
        found.model,
        found.machine,
        plan=plan,
        global_batch=found.global_batch,
        circumstances=found.circumstances,
    )
    cost = run_cost(
        accelerators=used,
        seconds=run.seconds,
        power_w_per_accelerator=found.power_w,
        pue=settings.pue,
        usd_per_accelerator_hour=found.price_usd,
    )
    limit = _limit(run)
    headline = _headline(settings, found, run, cost, used=used, limit=limit)
    steps = training_run_scaling.curve(found, like=plan, asked=used, overlap=overlap)
    exhibits = [
        _time_exhibit(run, headline=headline, source=words),
        _memory_exhibit(memory, found, source=words),
        training_run_scaling.scaling(steps, source=words),
        training_run_scaling.goodput_exhibit(found, used=used, source=words),
        training_run_scaling.exchange_exhibit(found, source=words),
        training_run_years.later_exhibit(
            release, found, accelerators=used, plan=plan, overlap=overlap, source=words
        ),
        training_run_scaling.measured_exhibit(release.base or release.name, source=words),
    ]
    return Finding(
        headline=headline,
        figures=_figures(found, run, cost, used=used, memory=memory, limit=limit, settings=settings),
        exhibits=tuple(item for item in exhibits if item is not None),
        settings_line=words,
        notes=_notes(settings, found, run, used=used, tried=tried, limit=limit, steps=steps),
        sources=(EPOCH_AI, CURATION, DEMAND),
    )


def _plan_words(plan: Plans) -> str:
    names = ("tensor", "pipeline", "data", "context", "expert")
    degrees = {name: plan.one(f"{name}_parallel") for name in names}
    told = " × ".join(f"{name} {n:.0f}" for name, n in degrees.items() if n > 1 or name == "data")
    kinds = ("no recomputation", "selective recomputation", "full recomputation")
    return wording.sentence_case(
        f"{told}, interleaving {plan.one('interleave'):.0f}, micro-batch {plan.one('micro_batch'):.0f}, "
        f"ZeRO {plan.one('zero_stage'):.0f}, {kinds[int(plan.one('recompute'))]}"
    )


def _limit(run: Outlook) -> str:
    """Return the largest part of the wall clock that is no matrix work."""
    return max((name for name in run.shares if name not in WORK), key=lambda name: run.shares[name])


def _headline(
    settings: TrainingRunSettings, found: Inputs, run: Outlook, cost: RunCost, *, used: int, limit: str
) -> str:
    share = percent(run.shares[limit])
    work = percent(sum(run.shares[name] for name in WORK))
    return (
        f"{found.name} on {used:,} {found.chip.name} takes {days_words(cost.days)}: {work} of the time is matrix "
        f"work, and {PARTS[limit][2]} costs most of the rest ({share})"
    )


def _figures(
    found: Inputs,
    run: Outlook,
    cost: RunCost,
    *,
    used: int,
    memory: DeviceMemory,
    limit: str,
    settings: TrainingRunSettings,
) -> tuple[Figure, ...]:
    method = "step-time model, see Method"
    million = cost.cost_usd / 1e6
    money = (
        f"${wording.significant(million, 3)} million"
        if million >= 1
        else f"${wording.significant(cost.cost_usd, 3)}"
    )
    energy = cost.energy_gwh
    told = f"{wording.significant(energy)} GWh" if energy >= 1 else f"{wording.significant(energy * 1e3)} MWh"
    return (
        Figure(
            name="days", label="Time", value=cost.days, unit="day", text=days_words(cost.days), method=method
        ),
        Figure(
            name="cost_usd",
            label="Cost",
            value=cost.cost_usd,
            unit="USD",
            text=money,
            interval_text=f"${found.price_usd:.2f} an hour",
            method=f"accelerator-hours × price, {found.price_basis}",
        ),
        Figure(
            name="energy_j",
            label="Energy",
            value=cost.energy_j,
            unit="J",
            text=told,
            interval_text=f"{found.power_w:,.0f} W each, PUE {settings.pue:g}",
            method="power with server × time × PUE",
        ),
        Figure(
            name="mfu",
            label="Utilization",
            value=run.mfu,
            unit="1",
            text=percent(run.mfu),
            interval_text="of peak, whole run",
            method="model FLOPs over peak and wall clock, the causal half of attention where it is fused",
        ),
        Figure(
            name="goodput",
            label="Work that counts",
            value=float(run.goodput.work),
            unit="1",
            text=percent(float(run.goodput.work)),
            method="Young and Daly, failures at random",
            key=False,
        ),
        Figure(
            name="limit_share",
            label=PARTS[limit][0],
            value=run.shares[limit],
            unit="1",
            text=percent(run.shares[limit]),
            method="largest part of the wall clock that is no matrix work",
            key=False,
        ),
        Figure(
            name="memory_byte",
            label="Memory per accelerator",
            value=float(memory.total_byte),
            unit="byte",
            text=wording.quantity(float(memory.total_byte), "byte"),
            method="fullest accelerator, first pipeline stage",
            key=False,
        ),
        Figure(
            name="accelerators",
            label="Accelerators used",
            value=float(used),
            unit="",
            text=f"{used:,}",
            key=False,
        ),
        Figure(
            name="steps",
            label="Steps",
            value=run.steps,
            unit="",
            text=wording.significant(run.steps, 3),
            method="tokens over batch, with the ramp",
            key=False,
        ),
    )


def _notes(
    settings: TrainingRunSettings,
    found: Inputs,
    run: Outlook,
    *,
    used: int,
    tried: int,
    limit: str,
    steps: tuple[training_run_scaling.Step, ...],
) -> tuple[str, ...]:
    notes = [f"Against {PARTS[limit][2]}: {PARTS[limit][3]}."]
    if settings.plan == "auto":
        notes.append(f"The plan is the fastest of {tried:,} that were tried.")
    if used < found.accelerators:
        notes.append(
            f"{found.accelerators - used:,} of {found.accelerators:,} accelerators stand idle: the batch of "
            f"{found.global_batch:,} sequences splits faster over {used:,}."
        )
    if settings.available and settings.available < settings.accelerators:
        notes.append(
            f"Only {settings.available:,} of the {settings.accelerators:,} accelerators wanted are available."
        )
    if found.assumed:
        notes.append(f"Assumed for the {found.chip.name}: {'; '.join(found.assumed)}.")
    stop = training_run_scaling.stops_helping(steps)
    if stop and stop <= used:
        notes.append(f"Doubling the accelerators stops helping at {stop:,}; this run uses {used:,}.")
    if float(run.goodput.work) < 0.5:
        notes.append(
            "More than half of the time is lost to failures: save more often or take fewer accelerators."
        )
    return tuple(notes)


def _time_exhibit(run: Outlook, *, headline: str, source: str) -> Exhibit:
    shown = [(name, share) for name, share in run.shares.items() if share >= 0.0005]
    shown.sort(key=lambda item: -item[1])
    bars = tuple(
        Bar(
            label=PARTS[name][0],
            value=100 * share,
            text=f"{100 * share:.1f} %",
            role=PARTS[name][1],
            emphasised=name == shown[0][0],
            detail=(f"to change it: {PARTS[name][3]}",),
        )
        for name, share in shown
    )
    top = max(bar.value for bar in bars)
    return Exhibit(
        chart=BarChart(
            title=headline,
            subtitle="Share of the wall clock by part; exchange is what nothing hides.",
            alt=f"{headline}.",
            source=source,
            x=linear_axis("Share of the wall clock [%]", [0.0, top * 1.1], lambda value: f"{value:g} %"),
            base=0.0,
            bars=bars,
        ),
        table=Table(
            columns=(
                Column(name="part", label="Part", kind="text"),
                Column(name="share", label="Share of the wall clock", unit="1"),
                Column(name="time_s", label="In the whole run", unit="s", kind="scientific"),
                Column(name="to_change", label="To change it", kind="text"),
            ),
            rows=tuple(
                (PARTS[name][0], share, share * run.seconds, PARTS[name][3])
                for name, share in run.shares.items()
            ),
        ),
    )


def _memory_exhibit(memory: DeviceMemory, found: Inputs, *, source: str) -> Exhibit:
    capacity = found.machine.memory_capacity_byte
    total = float(memory.total_byte)
    title = f"The fullest accelerator holds {total / 1e9:,.0f} of {capacity / 1e9:,.0f} GB"
    return _memory_chart(memory, title=title, capacity_byte=capacity, source=source)


def _memory_chart(memory: DeviceMemory, *, title: str, capacity_byte: float, source: str) -> Exhibit:
    roles: Mapping[str, Role] = {"activations": "memory", "working space": "context"}
    parts = {name: float(value) for name, value in memory.parts().items()}
    rows = {**parts, "usable": USABLE_SHARE * capacity_byte}
    bars = tuple(
        Bar(
            label=wording.sentence_case("memory that can be filled" if name == "usable" else name),
            value=value / 1e9,
            text=f"{wording.significant(value / 1e9, 3)} GB",
            role="context" if name == "usable" else roles.get(name, "compute"),
            emphasised=name == "usable",
        )
        for name, value in rows.items()
    )
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle="Memory of the fullest accelerator, in the first pipeline stage, by what it holds.",
            alt=f"{title}.",
            source=source,
            x=linear_axis(
                "Memory [GB]", [0.0, max(bar.value for bar in bars) * 1.1], lambda value: f"{value:,g} GB"
            ),
            base=0.0,
            bars=bars,
        ),
        table=Table(
            columns=(
                Column(name="part", label="Part", kind="text"),
                Column(name="memory_byte", label="Memory", unit="byte", kind="scientific"),
            ),
            rows=tuple((name, value) for name, value in rows.items()),
        ),
    )


def _impossible(problem: str, *, words: str, memory: DeviceMemory | None, capacity_byte: float) -> Finding:
    headline = "This run cannot be done as chosen"
    sentence = wording.sentence_case(problem.rstrip("."))
    if memory is not None:
        exhibit = _memory_chart(memory, title=headline, capacity_byte=capacity_byte, source=words)
    else:
        exhibit = Exhibit(
            chart=BarChart(
                title=headline,
                subtitle=f"{sentence}.",
                alt=headline,
                source=words,
                x=linear_axis("Share of the wall clock [%]", [0.0, 100.0], lambda value: f"{value:g} %"),
                base=0.0,
                bars=(),
            ),
            table=Table(columns=(Column(name="part", label="Part", kind="text"),), rows=()),
        )
    return Finding(
        headline=headline,
        figures=(),
        exhibits=(exhibit,),
        settings_line=words,
        notes=(f"{sentence}.",),
        sources=(EPOCH_AI, CURATION, DEMAND),
    )


VIEW = View(
    path="/training-run",
    title="Training run",
    question="What limits this training run?",
    settings=TrainingRunSettings,
    build=build,
    method=(
        "A step's time is added up from its parts. Matrix products run at the best rate measured on the chip "
        "(Bekman's table of achievable matmul FLOPS) times 0.86, plus the bytes they move at 80 % of memory "
        "bandwidth; fused attention at half the measured rate; elementwise work by its bytes. Collectives reach 75 % "
        "of the chip link and 80 % of the network port. These few constants are the same for every run and chip; "
        "none belongs to one row. Chips without a measurement get the median share of the measured ones.",
        "FLOPs, activation memory, training states, bubble and collectives are the published formulas: Narayanan et "
        "al. 2021 (equations 2 and 3), Korthikanti et al. 2022 (table 2, equation 5), Rajbhandari et al. 2020 (table "
        "1), Patarasuk and Yuan 2009. The slowest pipeline stage sets the pace, the output layer on top of the last; "
        "the bubble is (p − 1)/(v m). Every step waits for the slowest accelerator: spread × √(2 ln n).",
        "plan=auto tries every split that divides accelerators and batch, all ZeRO stages and kinds of "
        "recomputation, drops what does not fit in 94 % of memory, and takes the shortest step.",
        "Failures come at random; the checkpoint interval is Young's (1974), the time lost Daly's (2006, equation "
        "20). Failure rate by default: Llama 3 405B, 419 unexpected interruptions in 54 days on 16,384 accelerators. "
        "Cost is accelerator-hours × price; energy is power with server × time × PUE.",
        "Known limits: a mixture's router is taken to balance; latent attention and heads wider than the hidden size "
        "are counted as ordinary attention; kernels differ by year and framework. Long sequences with the fused "
        "kernels of 2023 ran up to half slower than predicted here.",
    ),
)
