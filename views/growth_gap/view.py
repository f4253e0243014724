"""Is memory falling behind compute?"""

from collections.abc import Iterator

from analysis.growth_gap import Arithmetic, arithmetic
from data.releases import Release
from views import wording
from views.chips import rows as chip_rows
from views.chips.metrics import METRICS
from views.growth_gap import charts as gap_charts
from views.growth_gap import figures as gap_figures
from views.growth_gap import levels as gap_levels
from views.growth_gap.arithmetic import arithmetic_exhibit
from views.growth_gap.levels import Level, Unknown
from views.growth_gap.settings import GrowthGapSettings, comparison
from views.growth_gap.shipped import shipped_figure, shipped_note
from views.growth_gap.spreads import spread_exhibits
from views.on_demand import OnDemand
from views.result import Exhibit, Figure
from views.runs import choice as run_choice
from views.sources import CURATION, EPOCH_AI, HBM_SHIPPED
from views.table import table
from views.trend import finding as trend
from views.view import Finding, View


def build(settings: GrowthGapSettings, release: Release) -> Finding:
    """Return the gap at the level asked for, or at all three, with the arithmetic and the spread of rules."""
    compared = comparison(settings)
    levels = gap_levels.levels(release, compared)
    sound = [level for level in levels if isinstance(level, Level)]
    unknown = [f"{item.title}: {item.problem}" for item in levels if isinstance(item, Unknown)]
    data_words = trend.data_words(release)
    chosen = [level for level in sound if settings.compare in ("all", level.name)]
    if not chosen:
        problem = next(
            item.problem
            for item in levels
            if isinstance(item, Unknown) and settings.compare in ("all", item.name)
        )
        return trend.unfitted(
            headline="These choices leave too few rows to compare two trends",
            problem=problem,
            words=f"{run_choice.rule_words(compared.runs)}. {data_words}",
            points=chip_rows.points(
                chip_rows.candidates(release, compared.chips),
                metric=METRICS["memory-bandwidth"],
            ),
            table=table(chip_rows.NAMES, ()),
            to=settings.to,
            axis_title="Memory bandwidth [byte/s]",
            unit="byte/s",
        )
    rates = arithmetic(compute_growth=settings.compute_growth, bandwidth_growth=settings.bandwidth_growth)
    interval = wording.percent(chosen[0].gap.level)
    source = (
        f"{'. '.join(level.rows for level in chosen)}. Least squares on log10, {interval} bootstrap "
        f"intervals. {data_words}"
    )
    headline = _headline(chosen[0]) if settings.compare != "all" else _headline_of_all(chosen)

    def exhibits() -> Iterator[Exhibit]:
        yield _main(settings, chosen, rates=rates, headline=headline, source=source)
        yield arithmetic_exhibit(rates)
        yield from spread_exhibits(release, compared, sound=sound, source=data_words)

    return Finding(
        headline=headline,
        figures=_figures(settings, sound, chosen=chosen, rates=rates),
        exhibits=OnDemand(exhibits),
        settings_line=source,
        notes=(
            *(f"{level.title}: {level.comparing} {level.left_out}".rstrip() for level in chosen),
            shipped_note(),
            *gap_figures.caveats(chosen, to=settings.to),
            *unknown,
        ),
        sources=(EPOCH_AI, CURATION, HBM_SHIPPED),
    )


def _main(
    settings: GrowthGapSettings, chosen: list[Level], *, rates: Arithmetic, headline: str, source: str
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
        quoted=rates.ratio_of_multipliers,
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
    settings: GrowthGapSettings, sound: list[Level], *, chosen: list[Level], rates: Arithmetic
) -> tuple[Figure, ...]:
    quoted = Figure(
        name="quoted_gap",
        label="Gap of the quoted rates",
        value=rates.ratio_of_multipliers,
        unit="x/year",
        text=f"{wording.times(rates.ratio_of_multipliers)} a year",
        method=f"{settings.compute_growth:g} / {settings.bandwidth_growth:g}",
        key=False,
    )
    every: tuple[Figure, ...] = ()
    for level in sound:
        every += gap_figures.figures(level, prefix=f"{level.name.replace('-', '_')}_", key=False)
    if settings.compare != "all":
        return (*gap_figures.figures(chosen[0]), quoted, *every, shipped_figure(key=False))
    side_by_side = tuple(
        gap_figures.gap_growth_figure(level, name=f"{level.name.replace('-', '_')}_gap", label=level.title)
        for level in chosen
    )
    return (
        *side_by_side,
        shipped_figure(key=True),
        quoted,
        *gap_figures.figures(chosen[0], key=False),
        *every,
    )


VIEW = View(
    path="/growth-gap",
    title="Three ways to measure it",
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
