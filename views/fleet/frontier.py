"""How much of all chips one leading run used, and how much of what they can compute in a year the largest took."""

from collections.abc import Sequence
from dataclasses import replace

from analysis.fleet.leading_runs import LeadingRun
from analysis.intervals import Estimate
from charts.chart import Bar
from views import wording
from views.exhibits import ValueAxis, bars_exhibit, estimate_columns
from views.fleet.answer import FleetAnswer
from views.result import Exhibit
from views.table import Getter, column, table

COLUMNS: tuple[Getter[LeadingRun], ...] = (
    column("run", lambda run: run.name, label="Run", kind="text"),
    *estimate_columns("share_of_chips", lambda run: run.of_chips, label="Of all chips", unit="1"),
    *estimate_columns("share_of_year", lambda run: run.of_year, label="Of the year's compute", unit="1"),
    *estimate_columns("share_of_flop_per_s", lambda run: run.of_flop_per_s, label="Of all FLOP/s", unit="1"),
    column("chips", lambda run: run.chips, label="Chips"),
    column("published_on", lambda run: run.published_on.date().isoformat(), label="Published", kind="text"),
    column("grade", lambda run: run.grade, label="Confidence in compute", kind="text"),
)


def percent(share: float) -> str:
    """Return a small share in words: 1.4 %, 0.06 %."""
    return f"{wording.significant(100 * share)} %"


def _range(shares: Sequence[Estimate]) -> str:
    values = [share.value for share in shares]
    return wording.interval(percent(min(values)), percent(max(values)))


def frontier_exhibit(answer: FleetAnswer, *, source: str) -> Exhibit | None:
    """Return how much of all chips each leading run used, and how much of a year the largest took."""
    runs = answer.leading_runs
    of_chips = [(run, run.of_chips) for run in runs if run.of_chips]
    of_year = [(run, run.of_year) for run in runs if run.of_year]
    if not of_chips or not of_year:
        return None
    all_chips = f"all {answer.brand or 'AI '}chips"
    ranges = _range([share for _, share in of_chips])
    title = f"A leading run took {ranges} of {all_chips}, {_range([share for _, share in of_year])} of a year's compute"
    sure = ""
    last, of_last = of_year[-1]
    if last.of_chips:
        title = (
            f"The largest run of {last.year}, {last.name}, took {percent(last.of_chips.value)} of {all_chips}, "
            f"{percent(of_last.value)} of a year's compute"
        )
        sure = (
            f" Runs since {runs[0].published_on.year} took {ranges} of the chips. The compute of {last.name} is "
            f"graded {last.grade}: {wording.interval(percent(of_last.low), percent(of_last.high))} of the year's."
        )
    bars = (
        *(_of_chips(run, share) for run, share in of_chips),
        *(_of_year(run, share) for run, share in of_year),
    )
    return bars_exhibit(
        bars,
        title=title,
        subtitle="Orange: chips of a run over all in use while it trained. Blue: compute of the largest known run over "
        f"a year of all {answer.brand}chips at their 16-bit peak. Lines: {answer.settings.level} % intervals; log "
        f"scale.{sure}",
        source=source,
        axis=ValueAxis(
            title=f"Share of all {answer.brand}chips [%]", word=lambda value: f"{value:g} %", log=True
        ),
        dots=True,
        numbers=table(COLUMNS, runs),
        section="finding",
    )


def _of_chips(run: LeadingRun, share: Estimate) -> Bar:
    kind = (
        f"{percent(run.of_flop_per_s.value)} of all FLOP/s" if run.of_flop_per_s else "kind of chip unknown"
    )
    detail = (f"{run.chips:,.0f} chips", kind)
    return replace(_bar(run.name, share), role="memory", emphasised=run.year is not None, detail=detail)


def _of_year(run: LeadingRun, share: Estimate) -> Bar:
    return replace(_bar(f"Year {run.year}: {run.name}", share), detail=(f"compute graded {run.grade}",))


def _bar(label: str, share: Estimate) -> Bar:
    value, low, high = 100 * share.value, 100 * share.low, 100 * share.high
    return Bar(label=label, value=value, low=low, high=high, text=percent(share.value), role="compute")
