"""Finding of /story: one step of the articles' argument, and the verdict on its claim."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from analysis.claims.verdict import VERDICTS, Verdict
from charts.chart import Bar, BarChart, Chart, Line, XYChart
from data import sources
from data.releases import Release
from views import wording, written
from views.axes import linear_axis, log_axis
from views.claims.cards import LOOKS, TONES, WORDS, claims_address, verdict_card
from views.claims.expressions import pinned_link
from views.claims.statements import ARTICLES, Statement, TestedPart, judged, with_interval
from views.claims.view import must_ask_views
from views.lazy_sequence import LazySequence
from views.result import Card, CardLink, Exhibit, Figure, Result
from views.story.settings import BY_WORD, STEPS, Step, StorySettings, verdict_name
from views.view import BRIEFING, LATEST, PRESENT, SHARE, Door, Finding, ReleaseSettings, View, answer, read

NOT_CLAIMED = "Not in the articles"


def cards(
    step: Step, statements: Mapping[str, Statement], *, release: Release, link: str
) -> tuple[Card, ...]:
    """Return the cards of a step. ``link`` leads to the step's view."""
    onward = CardLink(address=link, text=f"Open {step.view.title}")
    if step is STEPS[-1]:
        what_to_do = written.toml(__file__, name="what_to_do.toml")
        links = (*(CardLink(**link) for link in what_to_do.pop("links")), onward)
        return (*_summary(statements, release=release), Card(name="what-to-do", **what_to_do, links=links))
    if not step.statement:
        not_claimed = Card(
            name="not-claimed",
            title="What the articles omit",
            verdict=NOT_CLAIMED,
            text=f"None of the {len(statements)} claims compares a run with its own chips. The numbers are ours.",
            links=(onward,),
        )
        return (not_claimed,)
    item = statements[step.statement]
    address = claims_address(statement=item.claim_id, release=release)
    # /claims has all tests and their reasons.
    card = verdict_card(
        replace(item, parts=item.parts[:2], why="", tested_by=""),
        links=(
            onward,
            CardLink(address=address, text="This claim"),
            CardLink(address=item.url, text="Article"),
        ),
    )
    # On a slide the verdict is beside our own headline, so it states that it is on the claim.
    return (replace(card, verdict=f"Claim {WORDS[item.verdict].lower()}"),)


def _summary(statements: Mapping[str, Statement], *, release: Release) -> tuple[Card, ...]:
    """Return a card for each verdict on the story's claims, with the claims that have it."""
    of_story = [statements[step.statement] for step in STEPS if step.statement]

    def card(verdict: Verdict) -> Card | None:
        items = [item for item in of_story if item.verdict == verdict]
        if not items:
            return None
        word = verdict.replace(" ", "-")
        address = claims_address(verdict=word, release=release)
        return Card(
            name=word,
            title=f"{wording.counted(len(items), 'claim')} of this story {LOOKS[verdict]['says'][len(items) > 1]}",
            verdict=WORDS[verdict],
            tone=TONES[verdict],
            text=f"{'; '.join(item.statement for item in items)}.",
            links=(CardLink(address=address, text="All claims with this verdict"),),
        )

    return tuple(filter(None, map(card, VERDICTS)))


MOST_KEY = 1
"""Maximum number of key figures of a step that declares none."""


def settings_of(step: Step, *, release: str = LATEST) -> ReleaseSettings:
    """Return the settings of a step's view."""
    return read(step.view, f"{step.choices}&release={release}")[0]


def result_of(step: Step, release: Release) -> Result:
    """Return the answer of a step's view, from a frozen release or from a reader's own data."""
    if release.origin == "curated":
        return answer(step.view, settings_of(step, release=release.name))
    return answer(step.view, settings_of(step), release=release)


def build(settings: StorySettings, release: Release) -> Finding:
    """Return the finding of a step: its view's chart, its sentence and the verdict."""
    step = BY_WORD[settings.step]
    shown = result_of(step, release)
    statements = {item.claim_id: item for item in judged(release)}
    headline = _headline(step, shown=shown.headline, statements=statements)
    named = [replace(shown.figure(name), key=True) for name in step.figures]
    usual = [figure for figure in shown.figures if figure.key][:MOST_KEY]

    def exhibits() -> Iterator[Exhibit]:
        first = shown.exhibits[0]
        chart = replace(first.chart, title=headline)
        if step.claimed:
            chart = with_claim(chart, step=step, item=statements[step.statement])
        yield replace(first, chart=chart)

    return Finding(
        headline=headline,
        subtitle=_argument(step, statements),
        figures=(*(named or usual), *_verdicts(statements)),
        cards=cards(
            step,
            statements,
            release=release,
            link=pinned_link(f"{step.view.path}?{step.choices}", release=release),
        ),
        exhibits=LazySequence(exhibits),
        settings_line=shown.settings_line,
        notes=LazySequence(lambda: iter(shown.notes)),
        sure=LazySequence(lambda: iter([shown.subtitle or None, *shown.sure])),
        changes=(
            f"The chart comes from the {step.view.title} page, where you can change all its settings.",
            "Verdicts are computed from the chosen data release, so new data may change them.",
        ),
        method=(*written.method(__file__), *shown.method),
        sources=shown.sources,
    )


def _headline(step: Step, *, shown: str, statements: Mapping[str, Statement]) -> str:
    """Return a headline on the verdict, with the view's finding if it fits."""
    if not step.statement or not step.answers:
        return shown
    item = statements[step.statement]
    finding = step.finding.format(item.parts[0].number) if step.finding else shown
    return wording.fitting(f"Claim {WORDS[item.verdict].lower()}: {finding}", finding)


def _argument(step: Step, statements: Mapping[str, Statement]) -> str:
    """Return a step's sentence with the claimed number and the article that claims it."""
    if not step.statement:
        return step.argument
    item = statements[step.statement]
    publisher = sources.rows()[ARTICLES[item.article]]["publisher"]
    return f"{step.argument.format(item.claimed)} Source: {publisher}."


def _verdicts(statements: Mapping[str, Statement]) -> tuple[Figure, ...]:
    """Return each step's verdict as a figure, including steps that exist only for old links."""
    counts = Counter(item.verdict for item in statements.values())
    tested = len(statements) - counts["not checkable"]

    def figure(step: Step) -> Figure:
        verdict = statements[step.statement].verdict if step.statement else "not checkable"
        own = f"{counts['supported']} of {tested} hold" if step is STEPS[-1] else NOT_CLAIMED
        return Figure(
            name=verdict_name(step.word),
            label=f"Verdict: {step.label}",
            value=None,
            unit="",
            text=WORDS[verdict] if step.statement else own,
            key=False,
            tone=TONES[verdict],
        )

    return tuple(map(figure, BY_WORD.values()))


def expensive(settings: StorySettings) -> bool:
    """Return whether a step's claims or its view are expensive to compute."""
    step = BY_WORD[settings.step]
    return must_ask_views(settings) or step.view.expensive(settings_of(step))


def with_claim(chart: Chart, *, step: Step, item: Statement) -> Chart:
    """Return a step's chart with its claim drawn as declared."""
    part = item.parts[0]
    if isinstance(chart, XYChart):
        return _with_line(chart, name=step.claimed.format(item.claimed), yearly_growth=part.against.value)
    if isinstance(chart, BarChart):
        return _with_rows(chart, step=step, claimed=item.claimed, part=part)
    return chart


def _with_line(chart: XYChart, *, name: str, yearly_growth: float) -> XYChart:
    """Return the chart with a dotted line at the claimed rate."""
    trend = next(mark for mark in chart.marks if isinstance(mark, Line) and mark.dash == "solid")
    start, height = trend.x[0], trend.y[0]
    end = next(mark for mark in reversed(chart.marks) if isinstance(mark, Line)).x[-1]
    if yearly_growth > 1:
        end = min(end, start + math.log(chart.y.high / height) / math.log(yearly_growth))
    claim = Line(
        series=name,
        role="context",
        x=(start, end),
        y=(height, height * yearly_growth ** (end - start)),
        dash="dotted",
        end_label=(name,),
    )
    named = [mark for mark in chart.marks if not isinstance(mark, Line) or mark.role != "context"]
    return replace(chart, marks=(*named, claim), alt=f"{chart.alt} The dotted line is the claim: {name}.")


def _with_rows(chart: BarChart, *, step: Step, claimed: str, part: TestedPart) -> BarChart:
    """Return the chart with a row for the claim and, if the chart lacks our number, a row for it."""
    against, measured = part.against, part.measured
    scale = 100 if "%" in chart.x.title else 1
    claim = Bar(
        label=step.claimed,
        value=scale * against.middle,
        low=None if against.high is None else scale * against.value,
        high=None if against.high is None else scale * against.high,
        text=claimed,
        role="context",
    )
    rows = [claim]
    if step.ours and measured is not None:
        text = with_interval(measured, part.unit)
        rows.append(
            Bar(label=step.ours, value=scale * measured.value, text=text, role="links", emphasised=True)
        )
    reach = [tick.value for tick in chart.x.ticks] + [claim.high or claim.value]
    axis = chart.x
    if max(reach) > axis.high:
        over = log_axis if axis.scale == "log" else linear_axis
        title = axis.title.partition(", log scale")[0]
        axis = over(title, reach, word=lambda value: f"{value:g}×" if scale == 1 else f"{value:g}")
    return replace(chart, x=axis, bars=(*rows, *chart.bars))


VIEW = View(
    settings=StorySettings,
    build=build,
    doors=(
        Door(text="Present it", gives="All steps, full screen", to=PRESENT),
        Door(text="Whole story as slides", gives="Ready made", to=BRIEFING),
        Door(text="Quote this step", gives="Permanent link, citation, files", to=SHARE),
    ),
    expensive=expensive,
    **written.page(__file__, path="/story"),
)
