"""How much the choice of rule moves each side of the quoted gap."""

from data.releases import Release
from views import wording
from views.chips import spread as chip_spread
from views.growth_gap.levels import Level
from views.growth_gap.settings import Comparison
from views.result import Exhibit
from views.runs import spread as run_spread


def spread_exhibits(
    release: Release, compared: Comparison, *, sound: list[Level], source: str
) -> tuple[Exhibit, ...]:
    """Return the rate of each side of the quoted gap under all sensible rules, this view's own marked."""
    quoted = next((level for level in sound if level.name == "run-chip"), None)
    if quoted is None:
        return ()
    interval = wording.percent(quoted.gap.level)
    source = f"{quoted.rows}. Least squares on log10, {interval} bootstrap intervals. {source}"
    runs = run_spread.spread_exhibit(release, compared.runs, growth=quoted.compute.growth, source=source)
    chips = chip_spread.spread_exhibit(release, compared.chips, growth=quoted.memory.growth, source=source)
    return tuple(exhibit for exhibit in (runs, chips) if exhibit is not None)
