"""Every technique, and the chosen ones together, by the years of growth that their saving is worth."""

from dataclasses import dataclass

from analysis.techniques.worth import Effect, Worth
from charts.chart import Bar
from views import wording, written
from views.exhibits import ValueAxis, bars_exhibit
from views.result import Exhibit
from views.table import finite, stated_columns, table
from views.techniques.inputs import Effects
from views.techniques.settings import EVIDENCE, MEASURES, Evidence
from views.techniques.words import idle_words, limit_words

COLUMNS = written.toml(__file__, name="columns.toml")["ranking"]


@dataclass(frozen=True, kw_only=True)
class _Row:
    """A technique in the table: its evidence, its effect here, and its limits."""

    evidence: Evidence
    effect: Effect
    says: str


def _row(effects: Effects, name: str) -> _Row:
    effect, settings = effects.singles[name], effects.settings
    words = limit_words(name, phase=settings.phase, saving=effect.worth.saving)
    if effect.worth.nothing:
        reason = idle_words(effects, name, before=effect.before)
        words = f"No effect on the {MEASURES[settings.measure].words}. {reason} {words}"
    return _Row(evidence=EVIDENCE[name], effect=effect, says=words.strip())


def ranking_exhibit(effects: Effects, *, source: str) -> Exhibit:
    """Return an exhibit of every technique by its worth in years, with the chosen ones emphasized."""
    settings, year = effects.settings, effects.year
    what, phase = MEASURES[settings.measure], settings.phase
    ranked = sorted(effects.singles, key=lambda name: -effects.singles[name].worth.years)
    worths = {name: effects.singles[name].worth for name in ranked}
    shown = [name for name in ranked if name in settings.chosen or not worths[name].nothing]
    bars = [_bar(EVIDENCE[name].label, worths[name], own=name in settings.chosen) for name in shown]
    rows = [_row(effects, name) for name in ranked]
    if len(settings.chosen) > 1:
        together = Evidence(label=f"Together: {effects.label}", meaning="", costs="", quality="", source="")
        bars.insert(0, _bar(together.label, effects.together.worth, own=True))
        rows.insert(0, _Row(evidence=together, effect=effects.together, says=""))
    title = f"No technique saves any {what.words} in {phase}"
    if shown and worths[shown[0]].saving > 1:
        most, best = EVIDENCE[shown[0]], wording.duration(worths[shown[0]].years)
        title = (
            f"{most.label} save{'s' * (not most.plural)} the most {what.words} in {phase}: {best} of growth"
        )
    return bars_exhibit(
        tuple(bars),
        title=title,
        subtitle=f"Bars show the years of {what.growth} growth, at {wording.times(year.growth)} a year, that save as "
        f"much {what.words}, with {wording.percent(year.level)} intervals. Below zero is a cost.",
        source=source,
        axis=ValueAxis(title=f"Years of {what.growth} growth", span=(0.0, 1.0)),
        numbers=table(stated_columns(COLUMNS, vars(what)), rows),
    )


def _bar(label: str, worth: Worth, *, own: bool) -> Bar:
    return Bar(
        label=label,
        value=worth.years,
        low=finite(worth.low),
        high=finite(worth.high),
        text=f"{wording.significant(worth.years)} years, {wording.times(worth.saving)}",
        role="memory" if own else "compute" if worth.saving > 1 else "context",
        emphasised=own,
    )
