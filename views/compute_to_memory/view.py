"""Finding of /compute-to-memory: the growth of FLOP per byte, and the work that becomes memory-bound."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from analysis.intervals import Estimate
from analysis.trend.growth import Growth
from data.releases import Release
from views import wording, written
from views.chips import rows as chip_rows
from views.chips.metrics import METRICS
from views.compute_to_memory import balance as machine_balance
from views.compute_to_memory import roofline
from views.compute_to_memory import settings as choices
from views.exhibits import growth_by_choice
from views.result import Exhibit, Figure
from views.trend import finding as trend
from views.trend.figures import growth_headline, rate_figure
from views.view import Finding, View


def build(settings: choices.ComputeToMemorySettings, release: Release) -> Finding:
    """Return the finding on the history and forecast of FLOP per byte, the roofline, and compute-bound work."""
    history = _history(settings, release)
    try:
        growth = trend.fitted(history, settings, since=settings.since)
    except ValueError as problem:
        return trend.no_trend(history, settings, since=settings.since, problem=str(problem))
    others = _growth_at(release, settings, field="precision", others=OTHER_FORMAT)
    sixteen = settings.precision in choices.SIXTEEN_BIT
    units = _growth_at(release, settings, field="precision", others=OTHER_UNITS) if sixteen else ()
    chips = _growth_at(release, settings, field="rule", others=OTHER_CHIPS)
    chip = roofline.roofed_chip(release, settings) if settings.ratio == "bandwidth" else None
    finding = trend.of_growth(
        history,
        settings,
        growth=growth,
        headline=growth_headline(choices.subject(settings), growth),
        further=lambda growth, source: (
            *(
                _rooflines(chip, growth, settings=settings, release=release, source=history.data)
                if chip
                else ()
            ),
            _under_others(growth, (*chips, *others, *units), source=source),
        ),
    )
    return replace(
        finding,
        figures=(*finding.figures, *chips, *others, *units),
        notes=(*finding.notes, *_missing_note(settings, release, chip=chip))[: trend.MOST_NOTES],
        changes=(
            *finding.changes,
            *_format_note(settings, growth, others=others),
            *((roofline.SIZES,) if chip else ()),
        ),
    )


def _history(settings: choices.ComputeToMemorySettings, release: Release) -> trend.TrendHistory:
    """Return the ratio's history. The ticks of its axis have no unit, because the axis title states the unit."""
    metric = machine_balance.metric_of(settings)
    axis = wording.sentence_case(choices.ratio_words(settings))
    return replace(
        chip_rows.history(release, choices.chip_settings(settings), metric=metric),
        points=partial(chip_rows.points, metric=metric, role="memory"),
        name=axis,
        short=choices.NOUN_OF[settings.precision].removeprefix("their "),
        drawn="Each point is a chip's peak dense throughput divided by its "
        f"{METRICS[choices.RATIOS[settings.ratio].below].noun}",
        axis=axis,
        tick=lambda value: f"{value:,.0f}" if value >= 10 else f"{value:g}",
        catch="All throughputs are peak figures, which real workloads do not reach.",
        sure=("Peak throughputs are vendors' own figures. A roofline is a ceiling that no kernel reaches.",),
        changes=(),
    )


OTHER_FORMAT = {
    "lowest": ("yearly_growth_lowest", "Growth in the lowest format"),
    "fp16-matrix": ("yearly_growth_fp16", "Growth at 16 bits"),
}
OTHER_UNITS = {
    "fp16": ("yearly_growth_any_units", "Growth including vector units"),
    "fp16-matrix": ("yearly_growth_matrix_units", "Growth on matrix units only"),
}
OTHER_CHIPS = {
    "flagships": ("yearly_growth_flagships", "Growth of flagships only"),
    "all": ("yearly_growth_all_chips", "Growth of all data-centre chips"),
}
"""Name and label of the figure with the ratio's growth for other chips, keyed by rule."""


def _growth_at(
    release: Release,
    settings: choices.ComputeToMemorySettings,
    *,
    field: str,
    others: Mapping[str, tuple[str, str]],
) -> tuple[Figure, ...]:
    """Return the ratio's growth under one of the alternatives in ``others``. Empty if the ratio then has no trend."""
    other = next(name for name in others if name != getattr(settings, field))
    changed = replace(settings, **{field: other})
    try:
        growth = machine_balance.fitted(release, changed, metric=machine_balance.metric_of(changed))
    except ValueError:
        return ()
    name, label = others[other]
    return (rate_figure(growth, name=name, label=label, key=False),)


def _under_others(growth: Growth, others: Iterable[Figure], *, source: str) -> Exhibit:
    """Return an exhibit of the ratio's growth with one choice changed in each row."""
    level = f"{100 * growth.level:g}"
    ends = ((one.label, one.value or 0.0, one.low or 0.0, one.high or 0.0) for one in others)
    cases = ((label, Estimate(value=value, low=low, high=high)) for label, value, low, high in ends)
    return growth_by_choice(
        [("This view", growth.yearly), *cases],
        chosen="This view",
        subtitle=f"Each row shows the yearly growth if one choice is changed, with its {level}% interval.",
        source=source,
        level=level,
    )


def _format_note(
    settings: choices.ComputeToMemorySettings, growth: Growth, *, others: tuple[Figure, ...]
) -> tuple[str, ...]:
    """Return a note on the ratio's growth in the other number format, and on the effect of smaller formats."""
    if not others or settings.ratio != "bandwidth":
        return ()
    figure = others[0]
    rate = f"FLOP per byte grows {figure.text} ({figure.interval_text.replace(':', ' interval')})"
    lowest = figure.name == "yearly_growth_lowest"
    here, there = growth.trend.yearly_growth, figure.value or 0.0
    by_formats = (
        there > here if lowest and settings.precision in choices.SIXTEEN_BIT else not lowest and here > there
    )
    where = "In each chip's lowest-precision native format" if lowest else "At 16 bits"
    why = (
        ". The faster growth comes from smaller and smaller number formats, which also need fewer bytes per number."
        if by_formats
        else "."
    )
    return (f"{where}, {rate}{why}",)


def _missing_note(
    settings: choices.ComputeToMemorySettings, release: Release, *, chip: roofline.RoofedChip | None
) -> tuple[str, ...]:
    """Return a sentence on why there is no roofline. Empty if there is a roofline, or if none is expected."""
    if settings.ratio != "bandwidth" or chip is not None:
        return ()
    return (
        f"No roofline is drawn because release {release.name} has no "
        f"{choices.NOUN_OF[settings.precision].removeprefix('their ')} throughput for the "
        f"{choices.CHIPS[settings.chip]}.",
    )


def _rooflines(
    chip: roofline.RoofedChip,
    growth: Growth,
    *,
    settings: choices.ComputeToMemorySettings,
    release: Release,
    source: str,
) -> Iterator[Exhibit]:
    """Yield exhibits of the roofline, and of the batch size that makes the chip compute-bound."""
    balance = growth
    if settings.precision == "lowest":
        balance = machine_balance.fitted(release, settings, metric=machine_balance.per_number(settings))
    later = roofline.later_roof(chip, balance, settings=settings, release=release)
    yield roofline.roofline_exhibit(chip, later, settings=settings, source=source)
    yield roofline.batch_exhibit(chip, balance, settings=settings, source=source)


VIEW = View(
    settings=choices.ComputeToMemorySettings, build=build, **written.page(__file__, path="/compute-to-memory")
)
