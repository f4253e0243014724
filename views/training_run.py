"""What limits this training run?"""

from collections.abc import Iterator, Sequence

from analysis.device_memory import DeviceMemory, device_memory, fits
from analysis.parallel_plan import Plans
from analysis.plan_search import NoPlanFits
from analysis.run_cost import RunCost, run_cost
from analysis.training_run.fastest_run import fastest_run
from analysis.training_run.outlook import Outlook, outlook
from charts.chart import BarChart
from data.releases import Release, latest, names
from views import training_run_measured, training_run_scaling, training_run_years, wording
from views.axes import linear_axis
from views.on_demand import OnDemand
from views.result import Column, Exhibit, Figure, Source, Table
from views.training_run_inputs import Inputs, inputs, manual_plan
from views.training_run_parts import PARTS, WORK, memory_chart, memory_exhibit, time_exhibit
from views.training_run_settings import TrainingRunSettings
from views.training_run_sites import sites_exhibit
from views.training_run_words import days_words, percent
from views.view import CURATION, EPOCH_AI, Finding, View

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
            best, used, _ = fastest_run(
                found.model,
                found.machine,
                accelerators=found.accelerators,
                global_batch=found.global_batch,
                circumstances=found.circumstances,
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
        spare_share=found.circumstances.spare_share,
    )
    limit = _limit(run)
    headline = _headline(settings, found, run, cost, used=used, limit=limit)
    more = OnDemand(lambda: iter(training_run_scaling.curve(found, asked=used, overlap=overlap)))

    def exhibits() -> Iterator[Exhibit | None]:
        yield time_exhibit(run, headline=headline, source=words)
        yield memory_exhibit(memory, found, source=words)
        yield training_run_scaling.scaling(more, source=words)
        yield sites_exhibit(found, step_s=run.step_s, source=words)
        yield training_run_scaling.goodput_exhibit(found, used=used, source=words)
        yield training_run_scaling.exchange_exhibit(found, source=words)
        yield training_run_years.later_exhibit(
            release, found, accelerators=used, overlap=overlap, source=words
        )
        yield training_run_measured.measured_exhibit(_frozen(release), source=words)

    return Finding(
        headline=headline,
        figures=_figures(found, run, cost, used=used, memory=memory, limit=limit, settings=settings),
        exhibits=OnDemand(exhibits),
        settings_line=words,
        notes=OnDemand(lambda: _notes(settings, found, run, used=used, tried=tried, limit=limit, steps=more)),
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
        f"work; the largest other part is {PARTS[limit][2]} ({share})"
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
            method=f"accelerator-hours, spares included, × price, {found.price_basis}",
        ),
        Figure(
            name="energy_j",
            label="Energy",
            value=cost.energy_j,
            unit="J",
            text=told,
            interval_text=f"{found.power_w:,.0f} W each, PUE {settings.pue:g}",
            method="power with server, spares included, × time × PUE",
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
        Figure(
            name="critical_batch_token",
            label="Critical batch",
            value=training_run_scaling.critical_token(found),
            unit="token",
            text=f"{wording.significant(training_run_scaling.critical_token(found) / 1e6, 3)} million tokens",
            method="Kaplan et al. 2020, at the loss of Chinchilla's fit in the end",
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
    steps: Sequence[training_run_scaling.Step],
) -> tuple[str, ...]:
    notes = [f"Against {PARTS[limit][2]}: {PARTS[limit][3]}."]
    if settings.plan == "auto":
        notes.append(f"The plan is the fastest of {tried:,} that were tried.")
    if used < found.accelerators:
        notes.append(
            f"{found.accelerators - used:,} of {found.accelerators:,} accelerators are left out, and not paid for: a "
            f"batch of {found.global_batch:,} sequences, failures included, is done sooner on {used:,}."
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


def _impossible(problem: str, *, words: str, memory: DeviceMemory | None, capacity_byte: float) -> Finding:
    headline = "This run cannot be done as chosen"
    sentence = wording.sentence_case(problem.rstrip("."))
    if memory is not None:
        exhibit = memory_chart(memory, title=headline, capacity_byte=capacity_byte, source=words)
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


def _frozen(release: Release) -> str:
    """Return the frozen release whose chips the published runs are checked on: a reader's export stands on one."""
    return release.name if release.name in names() else release.base or latest()


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
        "plan=auto tries every split that divides accelerators and batch, all kinds of recomputation and "
        "all ZeRO stages (0 and 1 with a pipeline), drops what does not fit in 94 % of memory, and takes the shortest "
        "step; of the number of accelerators wanted and its halves it takes the one that ends the run first, failures "
        "included.",
        "Failures come at random; the checkpoint interval is Young's (1974), the time lost Daly's (2006, equation "
        "20). Failure rate by default: Llama 3 405B, 419 unexpected interruptions in 54 days on 16,384 accelerators. "
        "Cost is accelerator-hours × price; energy is power with server × time × PUE.",
        "Known limits: a mixture's router is taken to balance; latent attention and heads wider than the hidden size "
        "are counted as ordinary attention; kernels differ by year and framework. Long sequences with the fused "
        "kernels of 2023 ran up to half slower than predicted here.",
    ),
)
