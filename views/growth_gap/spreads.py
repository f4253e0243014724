"""How much the choice of rule moves each side of the quoted gap."""

from dataclasses import replace

from data.releases import Release
from views import training_compute, wording
from views.chips import choice as accelerators_settings
from views.chips import rows as chip_rows
from views.growth_gap import levels as gap_levels
from views.growth_gap.levels import Level
from views.result import Exhibit
from views.trend import rates
from views.trend.rule_changes import Changes, cases

CHIP_CHANGES: Changes = (
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


def spread_exhibits(
    release: Release, asked: gap_levels.Choice, sound: list[Level], *, source: str
) -> tuple[Exhibit, ...]:
    """Return the rate of each side of the quoted gap under all sensible rules, this view's own marked."""
    quoted = next((level for level in sound if level.name == "run-chip"), None)
    if quoted is None:
        return ()
    interval = wording.percent(quoted.gap.level)
    source = f"{quoted.rows}. Least squares on log10, {interval} bootstrap intervals. {source}"
    runs = training_compute.spread_exhibit(release, asked.runs, quoted.compute.found, source=source)
    of_chips = cases(
        asked.chips,
        CHIP_CHANGES,
        series_of=lambda case: chip_rows.series(chip_rows.candidates(release, case)),
        rule_of=accelerators_settings.rule,
    )
    chips = rates.spread_exhibit(quoted.memory.found, of_chips, role="memory", source=source)
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
