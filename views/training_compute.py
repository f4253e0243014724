"""The page /training-compute: how fast training compute grows."""

from collections.abc import Iterator
from dataclasses import replace

from data.releases import Release
from views import written
from views.lazy_sequence import LazySequence
from views.result import Exhibit
from views.runs import disclosure, undisclosed
from views.runs.choice import TrainingComputeSettings, rule, rule_words, subject
from views.runs.rows import UNIT, candidates, points, series, spread_exhibit, table
from views.trend import finding as trend
from views.trend.figures import growth_headline
from views.view import Finding, View


def build(settings: TrainingComputeSettings, release: Release) -> Finding:
    """Return the finding on the growth of training compute under the settings."""
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
        drawn="Each point is the training compute of a run",
        axis="Training compute [FLOP]",
        unit=UNIT,
        role="compute",
        which=rule_words(settings),
        data=trend.data_words(release),
        own="models" in release.origin,
        announced=undisclosed.points(release, settings),
        hollow="Hollow points are assumed bounds for runs without a published value.",
        bounds=undisclosed.bounds(release, settings, known=known),
        sure=(
            "The compute of many runs is itself only an estimate. Epoch AI grades an estimate as confident, likely or "
            "speculative: correct to within a factor of about 3, 10 or 30, respectively.",
            *disclosure.sentence(release, settings),
            *undisclosed.sentence(release, settings),
        ),
        catch=" ".join(filter(None, caught))
        or "The number of chips in a run changes too, so growth per run differs from growth per chip.",
        changes=("The rate depends on which runs are fitted, from which year on, and by which method.",),
    )
    finding = trend.finding(
        history,
        settings,
        since=settings.since,
        headline=lambda growth: growth_headline(subject(settings), growth),
        further=lambda growth, source: (spread_exhibit(release, settings, growth=growth, source=source),),
    )

    def exhibits() -> Iterator[Exhibit | None]:
        yield from finding.exhibits
        yield undisclosed.sensitivity(release, settings, source=history.data)
        yield disclosure.exhibit(release, settings, source=history.data)

    return replace(finding, exhibits=LazySequence(exhibits))


VIEW = View(settings=TrainingComputeSettings, build=build, **written.page(__file__, path="/training-compute"))
