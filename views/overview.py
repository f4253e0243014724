"""What is the gap between training compute and memory bandwidth, in one page?"""

from data.releases import Release
from views import wording
from views.chips import rows as chip_rows
from views.chips.metrics import METRICS
from views.growth_gap import charts as gap_charts
from views.growth_gap import figures as gap_figures
from views.growth_gap import levels as gap_levels
from views.growth_gap.levels import Level, Unknown
from views.growth_gap.settings import GapSettings, comparison
from views.growth_gap.shipped import shipped_note
from views.runs import choice as run_choice
from views.sources import CURATION, EPOCH_AI, HBM_SHIPPED
from views.table import table
from views.trend import finding as trend
from views.view import Finding, View


def build(settings: GapSettings, release: Release) -> Finding:
    """Return the gap in one picture: compute of a run and bandwidth of a chip, indexed to the chosen year."""
    compared = comparison(settings)
    quoted, *like_for_like = gap_levels.levels(release, compared)
    data_words = f"Data: Epoch AI (CC BY 4.0), curated, release {release.name}."
    if isinstance(quoted, Unknown):
        chips = chip_rows.candidates(release, compared.chips)
        return trend.unfitted(
            headline="These choices leave too few points to compare two trends",
            problem=quoted.problem,
            words=f"{run_choice.rule_words(compared.runs)}. {data_words}",
            points=chip_rows.points(chips, metric=METRICS["memory-bandwidth"]),
            table=table(chip_rows.NAMES, chips["name"]),
            to=settings.to,
            axis_title="Memory bandwidth [byte/s]",
            unit="byte/s",
        )
    level = wording.percent(quoted.gap.level)
    source = (
        f"{quoted.rows}. Least squares on log10; dark band {level} confidence, light band {level} for a "
        f"new point. {data_words}"
    )
    compute, memory = quoted.compute.growth, quoted.memory.growth
    language = "language " if settings.domain == "language" else ""
    headline = (
        f"A frontier {language}run needs {wording.times(compute.trend.yearly_growth)} the compute each year; "
        f"a chip gets {wording.growth_in_words(memory.trend.yearly_growth)} bandwidth"
    )
    fair = [item for item in like_for_like if isinstance(item, Level)]
    return Finding(
        headline=headline,
        figures=(
            *gap_figures.figures(quoted),
            *(
                gap_figures.gap_growth_figure(
                    item, name=f"{item.name.replace('-', '_')}_gap_growth", label=item.title, key=False
                )
                for item in fair
            ),
        ),
        exhibits=(
            gap_charts.indexed_exhibit(
                quoted,
                title=headline,
                subtitle=(
                    f"Growth since {settings.since} ({settings.since} = 1×, log scale). One run against one "
                    "chip: most of the difference is met by using more chips, for longer."
                ),
                to=settings.to,
                source=source,
            ),
        ),
        settings_line=source,
        notes=(
            _three_levels(quoted, fair),
            shipped_note(),
            *gap_figures.caveats([quoted], to=settings.to),
        ),
        sources=(EPOCH_AI, CURATION, HBM_SHIPPED),
    )


def _three_levels(quoted: Level, fair: list[Level]) -> str:
    """Return the warning in one sentence: what the quoted gap is, and the gaps that compare like with like."""
    fair_gaps = "; ".join(
        f"{item.title.lower()} {wording.times(item.gap.yearly_growth)} a year "
        f"({wording.at_level(item.gap.level, low=wording.times(item.gap.low), high=wording.times(item.gap.high))})"
        for item in fair
    )
    if not fair_gaps:
        like = ""
    elif max(item.gap.yearly_growth for item in fair) ** 2 < quoted.gap.yearly_growth:
        like = f" Like for like it is far smaller: {fair_gaps}."
    else:
        like = f" Like for like: {fair_gaps}."
    return (
        f"The quoted gap, {wording.times(quoted.gap.yearly_growth)} a year, sets a whole run against one "
        f"chip.{like}"
    )


VIEW = View(
    path="/",
    title="Overview",
    question="Is AI training compute outrunning the memory bandwidth that has to feed it?",
    settings=GapSettings,
    build=build,
    leads_to=("/growth-gap", "/placement", "/training-run"),
    method=(
        "Both sides are straight least-squares fits of log10(value) against the decimal year, each divided "
        "by its own trend on 1 January of the index year; changing that year moves the curves, not the "
        "rates, except through the points it lets in. The gap is the ratio of the two trends.",
        "Intervals come from resampling models (and picking the frontier again) on one side and chips on "
        "the other, and pairing the draws.",
    ),
)
