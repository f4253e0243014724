"""Charts of measured speed-ups beside data-sheet ratios, and of exponents and achieved rates."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from analysis.in_practice.balance import Balance, BalanceGrowth, flagship_growth
from analysis.in_practice.exponents import Exponents
from analysis.in_practice.pairs import PairSummary
from analysis.intervals import Estimate
from charts.chart import Bar, Line, Points, Role
from views import wording, written
from views.axes import log_axis
from views.exhibits import ValueAxis, bar_exhibit, bars_exhibit, xy_exhibit
from views.in_practice import words
from views.in_practice.settings import WORKS, InPracticeSettings
from views.result import Exhibit
from views.table import Getter, finite, stated_columns, table

MOST_DRAWN = 60
LABELLED = 5
MOST_SHOWN = 4
SHEETS: tuple[tuple[str, Role], ...] = (("bandwidth", "memory"), ("FLOP/s", "compute"))
"""The two numbers from a data sheet, with their colour roles."""
DOUBLED = "Speed if one is doubled [×]"
_COLUMNS = written.toml(__file__, name="columns.toml")
COLUMNS: tuple[Getter[PairSummary], ...] = stated_columns(_COLUMNS["pair"])


def factor(value: float) -> str:
    """Return a factor as a tick label: 1.5×."""
    return f"{value:g}×"


def _of_both(label: str, factors: Sequence[Estimate], *, emphasised: bool = False) -> list[Bar]:
    """Return a bar for each of the two data-sheet numbers."""
    return [
        Bar(
            label=f"{label}: {sheet}",
            value=factor.value,
            low=finite(factor.low),
            high=finite(factor.high),
            text=wording.times(factor.value),
            role=role,
            emphasised=emphasised,
        )
        for (sheet, role), factor in zip(SHEETS, factors, strict=True)
    ]


def sheets_exhibit(kinds: Sequence[PairSummary], *, title: str, subtitle: str, source: str) -> Exhibit:
    """Return an exhibit of data-sheet ratios and measured speed-ups, for the pairs of chips with the most workloads."""
    bars: list[Bar] = []
    for pair in kinds[:MOST_SHOWN]:
        name, ratios = words.pair_name(pair), (pair.bandwidth_ratio, pair.flop_ratio)
        bars += _of_both(name, [Estimate(value=ratio) for ratio in ratios])
        bars.append(
            Bar(
                label=f"{name}: measured",
                value=pair.speed_up,
                low=pair.low,
                high=pair.high,
                text=wording.times(pair.speed_up),
                role="edge",
                emphasised=True,
                detail=(words.middle_half(pair),),
            )
        )
    return bars_exhibit(
        tuple(bars),
        title=title,
        subtitle=subtitle,
        alt=f"{title}. {subtitle}",
        source=source,
        axis=ValueAxis(title="Second chip over first [×]", word=factor, span=(1.0,)),
        numbers=table(COLUMNS, kinds),
        base=1.0,
        dots=True,
    )


def pairs_exhibit(kinds: Sequence[PairSummary], *, powers: Exponents, source: str) -> Exhibit:
    """Return an exhibit of each pair's speed-up against its ratios of bandwidth and FLOP/s."""
    drawn = kinds[:MOST_DRAWN]
    ratios = [pair.bandwidth_ratio for pair in drawn] + [pair.flop_ratio for pair in drawn]
    ends = [min(*ratios, 1.0), max(*ratios, 1.0)]
    off = wording.times(powers.bandwidth_off.value), wording.times(powers.flop_off.value)
    title = f"The bandwidth ratio predicts speed-ups to within {off[0]} on average, the FLOP/s ratio to within {off[1]}"
    subtitle = (
        "Points compare the speed-up between two chips on the same work with the chips' ratio of bandwidth (orange) or "
        "FLOP/s (blue). On the dotted line, the speed-up equals the data-sheet ratio."
    )
    thin = (
        f" The chart shows {MOST_DRAWN} of {len(kinds)} pairs of chips: those that share the most workloads."
        if len(kinds) > MOST_DRAWN
        else ""
    )
    speed, by_flop = tuple(pair.speed_up for pair in drawn), tuple(pair.flop_ratio for pair in drawn)
    by_bandwidth = Points(
        series="By bandwidth",
        role="memory",
        x=tuple(pair.bandwidth_ratio for pair in drawn),
        y=speed,
        names=tuple(f"{words.pair_name(pair)}: {wording.times(pair.speed_up)}" for pair in drawn),
        details=tuple((words.both_ratios(pair), words.middle_half(pair)) for pair in drawn),
        marked=tuple((place, words.pair_name(pair)) for place, pair in enumerate(drawn[:LABELLED])),
    )
    diagonal = (max(ends[0], min(*speed, 1.0)), min(ends[1], max(*speed, 1.0)) * 1.0001)
    return xy_exhibit(
        (
            Line(series="As on the data sheet", role="context", x=diagonal, y=diagonal, dash="dotted"),
            replace(by_bandwidth, series="By FLOP/s", role="compute", x=by_flop, marked=()),
            by_bandwidth,
        ),
        title=title,
        subtitle=f"{subtitle}{thin}",
        alt=f"{title}. {subtitle}",
        source=source,
        x=log_axis("Ratio on the data sheet [×]", ends, word=wording.factor_tick),
        y=log_axis("Measured speed-up [×]", [*speed, 1.0], word=wording.factor_tick),
        numbers=table(COLUMNS, kinds),
    )


class Case(NamedTuple):
    """Labelled exponents for a kind of work or a selection of pairs."""

    label: str
    exponents: Exponents

    @property
    def powers(self) -> tuple[float, ...]:
        """Return the known exponents of bandwidth and FLOP/s."""
        return tuple(one.value for one in (self.exponents.bandwidth, self.exponents.flop) if one)


WORK_COLUMNS: tuple[Getter[Case], ...] = stated_columns(
    _COLUMNS["work"],
    work=lambda case: WORKS[case.label][0],
    twice_bandwidth=lambda case: words.doubled(case.powers[0]) if case.powers else None,
    twice_flop=lambda case: words.doubled(case.powers[1]) if case.powers else None,
)


def works_exhibit(
    cases: Sequence[Case], settings: InPracticeSettings, *, title: str, subtitle: str, source: str
) -> Exhibit | None:
    """Return an exhibit of the speed-up from doubling one data-sheet number. None if no speed-up is known."""
    bars: list[Bar] = []
    for work, powers in cases:
        if words.sure_enough(powers):
            doubled = [words.doubled_estimate(one) for one in (powers.bandwidth, powers.flop) if one]
            bars += _of_both(WORKS[work][0], doubled, emphasised=work == settings.work)
    if not bars:
        return None
    return bars_exhibit(
        tuple(bars),
        title=title,
        subtitle=subtitle,
        source=source,
        axis=ValueAxis(title=DOUBLED, word=factor, span=(1.0, 2.0)),
        numbers=table(WORK_COLUMNS, cases),
        base=1.0,
        dots=True,
    )


AS_CHOSEN = "As chosen"
MOST_LEFT_OUT = 2


def without_exhibit(powers: Exponents, others: Sequence[Case], *, source: str) -> Exhibit | None:
    """Return an exhibit of exponents for other selections, or with one chip left out. None if they are too uncertain.

    Of the chips left out, only those that change the exponents most are drawn.
    """
    if not words.sure_enough(powers):
        return None
    chosen, *otherwise = [(case.label, case.powers) for case in (Case(AS_CHOSEN, powers), *others)]
    farthest = sorted(powers.without.items(), key=lambda item: -math.dist(item[1], chosen[1]))
    left_out = [(f"Without {chip}", both) for chip, both in farthest]
    drawn = [
        (label, [Estimate(value=words.doubled(power)) for power in both])
        for label, both in [chosen, *otherwise, *left_out[:MOST_LEFT_OUT]]
    ]
    spans = [
        wording.factors(*(one.value for one in ends))
        for ends in zip(*(both for _, both in drawn), strict=True)
    ]
    return bars_exhibit(
        tuple(
            bar for label, factors in drawn for bar in _of_both(label, factors, emphasised=label == AS_CHOSEN)
        ),
        title=f"Whichever pairs are chosen, twice the bandwidth comes with {spans[0]} the speed, twice the FLOP/s with "
        f"{spans[1]}",
        subtitle=f"Each row changes one choice or omits one of the {MOST_LEFT_OUT} chips whose omission matters "
        "most.",
        source=source,
        axis=ValueAxis(title=DOUBLED, word=factor, span=(1.0,)),
        numbers=table(
            stated_columns(
                _COLUMNS["case"],
                case=lambda row: row[0],
                twice_bandwidth=lambda row: words.doubled(row[1][0]),
                twice_flop=lambda row: words.doubled(row[1][1]),
                bandwidth=lambda row: row[1][0],
                flop=lambda row: row[1][1],
            ),
            [chosen, *otherwise, *left_out],
        ),
        base=1.0,
        dots=True,
        section="sure",
    )


BALANCE_COLUMNS: tuple[Getter[Balance], ...] = stated_columns(
    _COLUMNS["balance"], released=lambda one: round(one.reached.released_year, 1)
)


def balance_exhibit(chips: Sequence[Balance], *, source: str) -> Exhibit | None:
    """Return an exhibit of each chip's FLOP per byte, as stated and as measured. None if no chip was measured."""
    if not chips:
        return None
    growth = flagship_growth(chips)
    title = "FLOP per byte on the data sheet and measured"
    if growth is not None:
        title = (
            f"{span(growth)}: FLOP per byte grows {wording.times(growth.paper)} a year on data sheets, "
            f"{wording.times(growth.measured)} as measured"
        )
    return bar_exhibit(
        chips,
        _balance_bar,
        title=title,
        subtitle="Filled dots are the rate of the fastest 16-bit matmul divided by that of the fastest memory stream; "
        "hollow dots are data-sheet ratios. Bandwidth that was not measured is estimated from that of other chips.",
        source=f"Bekman, ML Engineering; Azure AI Benchmarking Guide. {source}",
        axis=ValueAxis(
            title="FLOP per byte", span=(0.0, *(end for one in chips for end in (one.low, one.high)))
        ),
        columns=BALANCE_COLUMNS,
        dots=True,
    )


def _balance_bar(one: Balance) -> Bar:
    reached = one.reached
    paper = wording.significant(reached.paper, 3)
    shares = f"{100 * reached.flop_share:.0f}% of data-sheet FLOP/s"
    shares += (
        "; bandwidth not measured"
        if reached.byte_share is None
        else f", {100 * reached.byte_share:.0f}% of data-sheet bandwidth"
    )
    return Bar(
        label=reached.chip,
        start=reached.paper,
        value=one.value,
        text=f"{wording.significant(one.value, 3)} of {paper}",
        role="compute" if reached.vendor == "NVIDIA" else "context",
        detail=(shares, f"Data sheet: {paper} FLOP per byte"),
    )


def span(growth: BalanceGrowth) -> str:
    """Return the first and last chips behind a growth rate as text: A100 80 GB to B200."""
    return f"{growth.first.chip} to {growth.last.chip}"
