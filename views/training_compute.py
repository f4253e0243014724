"""How fast does training compute grow?"""

from collections.abc import Iterator
from dataclasses import replace

from data.releases import Release
from views.on_demand import OnDemand
from views.result import Exhibit
from views.runs import disclosure, undisclosed
from views.runs.choice import TrainingComputeSettings, rule, rule_words, subject
from views.runs.rows import UNIT, candidates, points, series, table
from views.runs.spread import spread_exhibit
from views.trend import finding as trend
from views.trend.figures import growth_headline
from views.view import Finding, View


def build(settings: TrainingComputeSettings, release: Release) -> Finding:
    """Return how fast training compute grows under the settings."""
    runs = candidates(release, settings)
    known = series(runs)
    caught = (undisclosed.catch(release, settings), disclosure.warning(release, settings))
    history = trend.TrendHistory(
        rows=runs,
        series=known,
        rule=rule(settings),
        points=points,
        table=table,
        point="run",
        name="Training compute",
        short="Compute per run",
        drawn="Training compute per run in FLOP",
        axis="Training compute [FLOP]",
        unit=UNIT,
        role="compute",
        which=rule_words(settings),
        data=trend.data_words(release),
        announced=undisclosed.points(release, settings),
        hollow="Hollow: no value published, least and most assumed.",
        hidden=undisclosed.hidden(release, settings),
        bounds=undisclosed.bounds(release, settings, known=known),
        sure=(
            "The compute of many runs is itself an estimate, graded by Epoch AI as confident, likely or speculative: "
            "within about a factor of 3, 10 or 30. The strip of rates shows what undoing such errors does to the rate.",
            *disclosure.sentence(release, settings),
            *undisclosed.sentence(release, settings),
        ),
        catch=" ".join(filter(None, caught))
        or "A run uses many chips, so this is not the growth of one chip.",
        changes=(
            "The rate depends on which runs enter, from when, and how the line is fitted; the chart shows it under "
            "each sensible choice.",
        ),
    )
    found = trend.finding(
        history,
        settings,
        since=settings.since,
        headline=lambda growth: growth_headline(subject(settings), growth),
        beside=lambda growth, source: spread_exhibit(release, settings, growth=growth, source=source),
    )

    def exhibits() -> Iterator[Exhibit | None]:
        yield from found.exhibits
        yield undisclosed.sensitivity(release, settings, source=trend.data_words(release))
        yield disclosure.exhibit(release, settings, source=trend.data_words(release))

    return replace(found, exhibits=OnDemand(exhibits))


VIEW = View(
    path="/training-compute",
    title="Compute growth",
    question="How fast does training compute grow?",
    settings=TrainingComputeSettings,
    build=build,
    method=(
        "Growth is the slope of log10(training compute) against the decimal year of publication. The runs "
        "pass the filters (domain, fine-tunes, confidence) first; the rule then picks among them over "
        "their whole history; the window (since, until) keeps what is fitted.",
        "The interval draws whole organizations anew with replacement, each with all its runs, picks the frontier "
        "again and fits again, so it carries the chance in who is on the frontier, and that runs of one "
        "organization resemble each other. On 400 simulated histories with the dates and organizations of release "
        "2026-07 and effects of organizations as large as estimated from it, a 90 % interval held the rate in 93 % "
        "of cases; drawing runs one by one (interval=bootstrap), in 85 %; without effects of organizations, 95 % "
        "and 92 % (November 2026). Where fewer than five organizations are fitted, runs are drawn one by one and a "
        "note says so.",
        "The share of models with a compute value counts every dated notable model of the release that passes the "
        "filters and is not excluded. The frontier is called known until the release of the largest run with a value. "
        "A rate whose window begins in 2020 or later carries the share of its last year where that is below half.",
        "Undisclosed flagships are those a table of ours lists as known but without a compute value, each with a "
        "least and a most that are assumed. As bounds, the history is fitted three times: without them, with all "
        "at their least, and with all at their most; rate and points are those of the first fit, and each "
        "interval reaches over those of all three. Value by value, each is put back at the same compute and the "
        "line fitted again. The filter by grade of estimate leaves them in. The list is ours; another model, or "
        "another value for one of these, enters with an export of your own on the page Data: a row with a compute "
        "value counts as published, and leaves the list.",
        "As intervals, each flagship is known only to lie between its least and its most: the line is that of "
        "greatest likelihood of all points (interval regression: Tobin's model with two limits a row). A flagship "
        "competes for its place on the frontier by the middle of its interval, and the bootstrap picks and fits "
        "so again. In 60 simulated histories in which most of the large late runs told no value, least squares "
        "fell short of the planted rate, interval regression met it within 0.015 orders of magnitude a year, and "
        "its 90 % interval held it in at least 50 (November 2026).",
        "The compute of many runs is an estimate, graded by Epoch AI as confident (within about a factor of 3), "
        "likely (10) or speculative (30); “Likely or confident” leaves out the last. A run is a whole training "
        "run on many chips: its growth cannot be compared with the growth of one chip without saying so.",
        "The row “Errors of estimates undone” of the strip takes those factors as ends of 90 % intervals, adds "
        "further errors of that size, picks and fits again, and follows the rate back to no error (SIMEX: Cook "
        "and Stefanski, 1994, quadratic). Errors lift runs onto the frontier that do not belong there, and more "
        "of them where more runs compete; runs without a grade count as speculative. The correction is of every "
        "draw, so that its interval carries it.",
    ),
)
