"""Is memory falling behind compute?"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from analysis.gap import Arithmetic, arithmetic
from analysis.spread import Case
from charts.chart import Bar, BarChart
from data.releases import Release
from views import accelerators, fit_settings, gap_charts, gap_levels, rates, training_compute, trend, wording
from views.axes import linear_axis
from views.gap_levels import Level, Unknown
from views.on_demand import OnDemand
from views.overview import HBM_SHIPPED, HBM_SHIPPED_GROWTH, OverviewSettings, compute_settings, shipped_note
from views.result import Column, Exhibit, Figure, Table
from views.settings import choice, decimal, whole_number
from views.view import CURATION, EPOCH_AI, Finding, View

LEVEL_OF_ARTICLES = 15.0
"""The level gap that articles ask the date of."""


@dataclass(frozen=True, kw_only=True)
class GrowthGapSettings(OverviewSettings):
    """Which gap, for which runs and chips, and which quoted rates it is held against."""

    compare: str = choice(
        "all",
        {
            "all": "the three levels side by side",
            "run-chip": "compute of a run against bandwidth of a chip, as quoted",
            "chip-chip": "throughput against bandwidth of the same chips",
            "run-run": "FLOP/s of a run against the bandwidth of all its chips",
        },
        label="Compare",
        help="What is put against what. Only the last two compare like with like.",
        first_row=True,
    )
    top: int = whole_number(
        10, low=1, high=100, label="Top k", help="How many runs count as the frontier at any time."
    )
    precision: str = choice(
        "fp16",
        {
            "fp32": "peak dense FP32 on the ordinary units",
            "tf32": "peak dense TF32 on matrix units",
            "fp16": "peak dense FP16 or BF16",
            "fp8": "peak dense FP8",
            "int8": "peak dense INT8",
        },
        label="Precision",
        help="The format that a chip's throughput is counted in, chip against chip.",
    )
    compute_growth: float = decimal(
        5.0,
        low=1.01,
        high=100.0,
        step=0.1,
        label="Quoted compute growth",
        help="A claim to hold against the data: growth factor a year of compute.",
    )
    bandwidth_growth: float = decimal(
        1.28,
        low=1.01,
        high=100.0,
        step=0.01,
        label="Quoted bandwidth growth",
        help="A claim to hold against the data: growth factor a year of bandwidth; 28 % is 1.28.",
    )


def choices(settings: GrowthGapSettings) -> gap_levels.Choice:
    """Return what the levels are asked about."""
    runs = replace(compute_settings(settings), top=settings.top)
    return gap_levels.Choice(
        runs=runs,
        chips=gap_levels.chip_settings(runs, settings.chips),
        precision=settings.precision,
        since=float(settings.since),
    )


def build(settings: GrowthGapSettings, release: Release) -> Finding:
    """Return the gap at the level asked for, or at all three, with the arithmetic and the spread of rules."""
    asked = choices(settings)
    found = gap_levels.levels(release, asked)
    sound = [level for level in found if isinstance(level, Level)]
    unknown = [f"{item.title}: {item.problem}" for item in found if isinstance(item, Unknown)]
    data_words = f"Data: Epoch AI (CC BY 4.0), curated, release {release.name}."
    chosen = [level for level in sound if settings.compare in ("all", level.name)]
    if not chosen:
        problem = next(
            item.problem
            for item in found
            if isinstance(item, Unknown) and settings.compare in ("all", item.name)
        )
        return trend.unfitted(
            headline="These choices leave too few rows to compare two trends",
            problem=problem,
            words=f"{training_compute.rule_words(asked.runs)}. {data_words}",
            points=accelerators.points(
                accelerators.candidates(release, asked.chips),
                metric=accelerators.METRICS["memory-bandwidth"],
            ),
            table=Table(columns=(Column(name="name", label="Chip", kind="text"),), rows=()),
            to=settings.to,
            axis_title="Memory bandwidth [byte/s]",
            unit="byte/s",
        )
    said = arithmetic(compute_growth=settings.compute_growth, bandwidth_growth=settings.bandwidth_growth)
    interval = wording.percent(chosen[0].gap.level)
    source = (
        f"{'. '.join(level.rows for level in chosen)}. Least squares on log10, {interval} bootstrap "
        f"intervals. {data_words}"
    )
    headline = _headline(chosen[0]) if settings.compare != "all" else _headline_of_all(chosen)

    def exhibits() -> Iterator[Exhibit]:
        yield _main(settings, chosen, said, headline=headline, source=source)
        yield _arithmetic_exhibit(said)
        yield from _spreads(release, asked, sound, source=data_words)

    return Finding(
        headline=headline,
        figures=_figures(settings, sound, chosen, said),
        exhibits=OnDemand(exhibits),
        settings_line=source,
        notes=(
            *(f"{level.title}: {level.comparing} {level.left_out}".rstrip() for level in chosen),
            shipped_note(),
            *gap_charts.caveats(chosen, to=settings.to),
            *unknown,
        ),
        sources=(EPOCH_AI, CURATION, HBM_SHIPPED),
    )


def _main(
    settings: GrowthGapSettings, chosen: list[Level], said: Arithmetic, *, headline: str, source: str
) -> Exhibit:
    if settings.compare != "all":
        level = chosen[0]
        return gap_charts.indexed_exhibit(
            level,
            title=headline,
            subtitle=f"Growth since {settings.since} ({settings.since} = 1×, log scale). {level.comparing}",
            to=settings.to,
            source=source,
        )
    return gap_charts.levels_exhibit(
        chosen,
        title=headline,
        subtitle=(
            f"Compute over memory, {settings.since} = 1×, log scale, with "
            f"{wording.percent(chosen[0].gap.level)} confidence. Only chip against chip and run against run "
            "compare like with like."
        ),
        quoted=said.ratio_of_multipliers,
        to=settings.to,
        source=source,
    )


def _headline(level: Level) -> str:
    rate = wording.times(level.gap.yearly_growth)
    if level.gap.low <= 1 <= level.gap.high:
        return f"{level.title}, the gap has not clearly moved ({rate} a year)"
    verb = "widens" if level.gap.yearly_growth > 1 else "narrows to"
    return f"{level.title}, the gap {verb} {rate} a year"


def _headline_of_all(chosen: list[Level]) -> str:
    by_name = {level.name: level for level in chosen}
    quoted, fair = by_name.get("run-chip"), by_name.get("run-run") or by_name.get("chip-chip")
    if quoted is None or fair is None:
        return _headline(chosen[0])
    of_fair = (
        "a run and its own chips" if fair.name == "run-run" else "compute and bandwidth of the same chips"
    )
    rate = wording.times(fair.gap.yearly_growth)
    moves = f"no clear change ({rate})" if fair.gap.low <= 1 <= fair.gap.high else rate
    return f"{_headline(quoted).replace(quoted.title + ', the', 'The quoted')}; between {of_fair}, {moves}"


def _figures(
    settings: GrowthGapSettings, sound: list[Level], chosen: list[Level], said: Arithmetic
) -> tuple[Figure, ...]:
    shipped = Figure(
        name="bandwidth_shipped",
        label="All bandwidth shipped",
        value=HBM_SHIPPED_GROWTH,
        unit="x/year",
        text=f"{wording.times(HBM_SHIPPED_GROWTH)} a year",
        interval_text="as published, 2022–2025",
        method="Epoch AI, 24 March 2026",
    )
    quoted = Figure(
        name="quoted_gap",
        label="Gap of the quoted rates",
        value=said.ratio_of_multipliers,
        unit="x/year",
        text=f"{wording.times(said.ratio_of_multipliers)} a year",
        method=f"{settings.compute_growth:g} / {settings.bandwidth_growth:g}",
        key=False,
    )
    every: tuple[Figure, ...] = ()
    for level in sound:
        every += gap_charts.figures(level, prefix=f"{level.name.replace('-', '_')}_", key=False)
    if settings.compare != "all":
        return (*gap_charts.figures(chosen[0]), quoted, *every, replace(shipped, key=False))
    side_by_side = tuple(
        gap_charts.gap_growth_figure(level, name=f"{level.name.replace('-', '_')}_gap", label=level.title)
        for level in chosen
    )
    return (*side_by_side, shipped, quoted, *gap_charts.figures(chosen[0], key=False), *every)


def _arithmetic_exhibit(said: Arithmetic) -> Exhibit:
    compute, bandwidth = f"{said.compute_growth:g}×", f"{said.bandwidth_growth:g}×"
    percent = (100 * (said.compute_growth - 1), 100 * (said.bandwidth_growth - 1))
    readings = (
        (
            "Ratio of the growth factors",
            said.ratio_of_multipliers,
            f"{compute} / {bandwidth}: what the gap is multiplied by each year",
        ),
        (
            "Ratio of the percentages",
            said.ratio_of_percentages,
            f"{percent[0]:,.0f} % / {percent[1]:,.0f} %: the growth of nothing",
        ),
        ("Ratio of the log rates", said.ratio_of_logs, "how many times as often compute doubles"),
    )
    ratio = said.ratio_of_multipliers
    claim = f"“{compute} against {round(percent[1], 1):,g} %”"
    title = (
        f"{claim} widens the gap {wording.times(ratio)} a year, not {wording.times(said.ratio_of_percentages)}"
        if ratio > 1
        else f"{claim} does not widen the gap: it moves {wording.times(ratio)} a year"
    )
    reached = (
        f"at that rate a gap of {LEVEL_OF_ARTICLES:g}× takes "
        f"{wording.significant(said.years_until(LEVEL_OF_ARTICLES))} years"
        if ratio > 1
        else f"at that rate no gap of {LEVEL_OF_ARTICLES:g}× is ever reached"
    )
    later = (
        ("Gap after 1 year", said.gap_after(1), "factor ratio to the power of 1"),
        ("Gap after 2 years", said.gap_after(2), "factor ratio to the power of 2"),
        ("Gap after 5 years", said.gap_after(5), "factor ratio to the power of 5"),
        (
            f"Years until the gap is {LEVEL_OF_ARTICLES:g}×",
            said.years_until(LEVEL_OF_ARTICLES),
            "log of the gap over log of the ratio",
        ),
        ("Doubling time of compute, months", said.compute_doubling_months, "12 ln 2 / ln of the factor"),
        ("Doubling time of bandwidth, months", said.bandwidth_doubling_months, "12 ln 2 / ln of the factor"),
    )
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle=(
                "Three readings of the same two rates, which articles mix up. Only the first is the "
                f"growth of a gap; {reached}."
            ),
            alt=title,
            source=f"Arithmetic on the quoted rates {compute} and {bandwidth} a year; no data.",
            x=linear_axis("", [0.0, *(value for _, value, _ in readings)], lambda value: f"{value:g}×"),
            base=0.0,
            bars=tuple(
                Bar(
                    label=label,
                    value=value,
                    text=f"{wording.significant(value, 3)}×",
                    role="compute" if index == 0 else "context",
                    emphasised=index == 0,
                    detail=(words,),
                )
                for index, (label, value, words) in enumerate(readings)
            ),
        ),
        table=Table(
            columns=(
                Column(name="reading", label="Reading", kind="text"),
                Column(name="value", label="Value"),
                Column(name="formula", label="What it is", kind="text"),
            ),
            rows=(*readings, *later),
        ),
    )


def _spreads(
    release: Release, asked: gap_levels.Choice, sound: list[Level], *, source: str
) -> tuple[Exhibit, ...]:
    """Return the rate of each side of the quoted gap under all sensible rules, this view's own marked."""
    quoted = next((level for level in sound if level.name == "run-chip"), None)
    if quoted is None:
        return ()
    interval = wording.percent(quoted.gap.level)
    source = f"{quoted.rows}. Least squares on log10, {interval} bootstrap intervals. {source}"
    runs = training_compute.spread_exhibit(release, asked.runs, quoted.compute.found, source=source)
    chips = rates.spread_exhibit(
        quoted.memory.found, _chip_cases(release, asked), role="memory", source=source
    )
    named = ((runs, "Compute per run"), (chips, "Bandwidth per chip"))
    return tuple(
        replace(
            exhibit,
            chart=replace(
                exhibit.chart, title=f"{name}: {exhibit.chart.title[0].lower()}{exhibit.chart.title[1:]}"
            ),
        )
        for exhibit, name in named
        if exhibit is not None
    )


def _chip_cases(release: Release, asked: gap_levels.Choice) -> list[Case]:
    changes: tuple[tuple[str, dict[str, Any]], ...] = (
        ("NVIDIA flagships", {"rule": "flagships", "vendor": "nvidia"}),
        ("All flagships", {"rule": "flagships", "vendor": "all"}),
        ("All products", {"rule": "all", "vendor": "all"}),
        ("Data-centre products", {"rule": "all", "vendor": "all", "kind": "data-centre"}),
        ("HBM only", {"rule": "all", "vendor": "all", "memory": "hbm"}),
        ("Top 10 at release", {"rule": "frontier", "vendor": "all"}),
        ("Record setters", {"rule": "records", "vendor": "all"}),
        (
            "All rows as exported",
            {"rule": "all", "vendor": "all", "curation": "as-exported", "since": "2008"},
        ),
        ("Since 2008", {"since": "2008"}),
        ("Since 2018", {"since": "2018"}),
    )
    cases = []
    for label, change in changes:
        case = replace(asked.chips, **change)
        if case != asked.chips:
            cases.append(
                Case(
                    label=label,
                    series=accelerators.series(accelerators.candidates(release, case)),
                    rule=accelerators.rule(case),
                    window=fit_settings.window(case.since, case.until),
                )
            )
    return cases


VIEW = View(
    path="/growth-gap",
    title="Growth gap",
    question="Is memory falling behind compute?",
    settings=GrowthGapSettings,
    build=build,
    method=(
        "Run against chip divides the trend of compute per run by the trend of bandwidth per chip; the two "
        "histories are resampled independently and the draws paired. Chip against chip and run against run "
        "are ratios measured row by row, so their interval is that of one trend, and the difference of the "
        "two sides' slopes is exactly its slope.",
        "Run against run takes the leading runs whose chip, number of chips and training time are known, "
        "trained from scratch: compute over time is what a run computed in a second; chips times bandwidth "
        "of one is what they could read in a second. Runs whose compute exceeds the peak of their chips are "
        "left out: their parts belong to different runs. The number of chips stands on both sides and "
        "cancels, so the ratio is FLOP/s attained per byte/s of one chip: it grows with the chips' machine "
        "balance, with steps to smaller number formats and with utilization. The runs left are picked before "
        "resampling, so this interval does not carry the chance in who leads.",
        "Every curve is divided by its own trend on 1 January of the index year. That year cancels out of "
        "every rate, except through the points it lets in. Where the rows of a level begin later, its line "
        "is dotted back to the index year.",
    ),
)
