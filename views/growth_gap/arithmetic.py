"""What a quoted pair of growth rates amounts to: the readings that articles mix up, side by side."""

from analysis.growth_gap import Arithmetic
from charts.chart import Bar, BarChart
from views import wording
from views.axes import linear_axis
from views.result import Column, Exhibit, Table

LEVEL_OF_ARTICLES = 15.0
"""The level gap that articles ask the date of."""


def arithmetic_exhibit(quoted: Arithmetic) -> Exhibit:
    """Return the readings of two quoted rates as bars: only the ratio of the factors is the growth of a gap."""
    compute, bandwidth = f"{quoted.compute_growth:g}×", f"{quoted.bandwidth_growth:g}×"
    percent = (100 * (quoted.compute_growth - 1), 100 * (quoted.bandwidth_growth - 1))
    readings = (
        (
            "Ratio of the growth factors",
            quoted.ratio_of_multipliers,
            f"{compute} / {bandwidth}: what the gap is multiplied by each year",
        ),
        (
            "Ratio of the percentages",
            quoted.ratio_of_percentages,
            f"{percent[0]:,.0f} % / {percent[1]:,.0f} %: the growth of nothing",
        ),
        ("Ratio of the log rates", quoted.ratio_of_logs, "how many times as often compute doubles"),
    )
    ratio = quoted.ratio_of_multipliers
    claim = f"“{compute} against {round(percent[1], 1):,g} %”"
    title = (
        f"{claim} widens the gap {wording.times(ratio)} a year, not {wording.times(quoted.ratio_of_percentages)}"
        if ratio > 1
        else f"{claim} does not widen the gap: it moves {wording.times(ratio)} a year"
    )
    reached = (
        f"at that rate a gap of {LEVEL_OF_ARTICLES:g}× takes "
        f"{wording.significant(quoted.years_until(LEVEL_OF_ARTICLES))} years"
        if ratio > 1
        else f"at that rate no gap of {LEVEL_OF_ARTICLES:g}× is ever reached"
    )
    later = (
        ("Gap after 1 year", quoted.gap_after(1), "factor ratio to the power of 1"),
        ("Gap after 2 years", quoted.gap_after(2), "factor ratio to the power of 2"),
        ("Gap after 5 years", quoted.gap_after(5), "factor ratio to the power of 5"),
        (
            f"Years until the gap is {LEVEL_OF_ARTICLES:g}×",
            quoted.years_until(LEVEL_OF_ARTICLES),
            "log of the gap over log of the ratio",
        ),
        ("Doubling time of compute, months", quoted.compute_doubling_months, "12 ln 2 / ln of the factor"),
        (
            "Doubling time of bandwidth, months",
            quoted.bandwidth_doubling_months,
            "12 ln 2 / ln of the factor",
        ),
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
            x=linear_axis("", [0.0, *(value for _, value, _ in readings)], word=lambda value: f"{value:g}×"),
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
