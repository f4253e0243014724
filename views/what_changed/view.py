"""Settings and finding of /what-changed: changed figures, and what became of a quoted number."""

from collections.abc import Sequence
from dataclasses import dataclass

from charts.chart import Bar
from data.release_name import corrected
from data.releases import Release, before, load, names
from views import wording, written
from views.claims.expressions import MODELS, views
from views.exhibits import ValueAxis, bars_exhibit, count_figure
from views.result import Card, CardLink, Exhibit
from views.settings import choice, text
from views.table import stated_columns, table
from views.trend.finding import data_words as credit
from views.view import Finding, ReleaseSettings, View, pinned
from views.what_changed import quoted
from views.what_changed.pairs import RETOLD, Pair, by_change, data_words, figures_of, on_record, paired

WORDS = written.settings(__file__)
PREVIOUS, CORRECTED = "previous", "corrected"
MOST_BARS = 14
LONGEST_QUOTE = 4000  # characters; a long link of a page has some 600
CLAIMS = CardLink(address="/claims", text="Numbers that articles quote")
AXIS = ValueAxis(
    title="New value over the earlier one, with the earlier interval",
    word=wording.factor_tick,
    log=True,
    span=(1.0,),
)
COLUMNS = stated_columns(written.toml(__file__, name="columns.toml"))


@dataclass(frozen=True, kw_only=True)
class WhatChangedSettings(ReleaseSettings):
    """Settings of /what-changed: the quoted text, and the releases to compare."""

    quote: str = text(longest=LONGEST_QUOTE, shorten=quoted.shortened, **WORDS["quote"])
    against: str = choice(
        PREVIOUS,
        computed=lambda: {name: (wording.release_words(name), f"the release of {name}") for name in names()},
        **WORDS["against"],
    )


def earlier(settings: WhatChangedSettings, *, release: str) -> str:
    """Return the release to compare with. For the oldest release, it is that release itself."""
    if settings.against in names():
        return settings.against
    if settings.against == CORRECTED and corrected(release):
        return corrected(release)
    return before(release) or corrected(release) or release


def compared(before: Release, now: Release) -> list[Pair]:
    """Return the key figures of two releases, for a reader's own data only those that the reader's rows can change."""
    own = "" if now.origin == "curated" else now.name
    return [
        pair
        for view in views().values()
        if view.path not in RETOLD and not (own and view.path in MODELS)
        for pair in paired(
            view,
            was=figures_of(view, release=before),
            now=figures_of(view, release=now),
            links=(f"{view.path}?release={before.name}", "" if own else f"{view.path}?release={now.name}"),
        )
    ]


def build(settings: WhatChangedSettings, release: Release) -> Finding:
    """Return the finding on the changes between two releases, or on a quoted number."""
    newest = release.stands_on
    other = load(earlier(settings, release=newest) if release.origin == "curated" else newest)
    pairs = by_change(compared(other, release))
    outside, moved = sum(pair.outside for pair in pairs), sum(not pair.same for pair in pairs)
    counts = {"outside": ("Outside the earlier interval", outside), "moved": ("Changed", moved)}
    if release.origin == "curated" and (corrects := corrected(newest)):
        changed = sum(not pair.same for pair in compared(load(corrects), release))
        counts["corrected"] = (f"Changed since {corrects}", changed)
    known = sum(not pair.same and pair.was.low is not None for pair in pairs)
    whose = "their" if outside > 1 else "its"
    beyond = f", {outside or 'none'} beyond {whose} interval" if moved else ""
    headline = f"{moved or 'Not one'} of {len(pairs)} key figures changed{beyond}"
    both = f"{'releases ' * (release.origin == 'curated')}{other.name} and {release.name}"
    subtitle = f"We compare {both}."
    subtitle += f" {known} changed figures had an interval. Changed figures are drawn first." if moved else ""
    subtitle += f" {data_words(other.name, newest)}" if release.origin == "curated" else ""
    cards: tuple[Card, ...] = ()
    shown: Sequence[Pair] = pairs
    if settings.quote:
        try:
            headline, cards, shown = quoted.quote(settings.quote, release=newest)
        except ValueError as problem:
            headline = f"The quote cannot be read; {moved} of {len(pairs)} numbers changed"
            title = f"“{settings.quote[:60]}”"
            cards = (Card(name="not-read", title=title, tone="part", text=str(problem), links=(CLAIMS,)),)
        else:
            subtitle = f"Each quoted figure is compared with its value in release {newest}."
    source = f"Key figures compared with those of {other.name}. {credit(release)}"
    return Finding(
        headline=headline,
        subtitle=subtitle,
        figures=tuple(
            count_figure(name, count, label=label, interval_text=f"of {len(pairs)}", key=True)
            for name, (label, count) in counts.items()
        ),
        exhibits=(_exhibit(by_change(shown), title=headline, source=source),),
        settings_line=source,
        cards=cards,
    )


def _exhibit(pairs: Sequence[Pair], *, title: str, source: str) -> Exhibit:
    """Return an exhibit of the figures relative to their earlier values, with their earlier intervals."""
    return bars_exhibit(
        _bars(pairs),
        title=title,
        subtitle="Each dot is a new value divided by the earlier one. A dot beside its line has left the earlier "
        "interval; a dot without a line had none. The table lists every figure.",
        alt=f"{title}. {'; '.join(f'{pair.name}: {pair.was.text}, {pair.verdict}' for pair in pairs[:5])}.",
        source=source,
        axis=AXIS,
        base=1.0,
        dots=True,
        numbers=table(COLUMNS, pairs),
    )


def _bars(pairs: Sequence[Pair]) -> tuple[Bar, ...]:
    """Return bars of the first pairs that have a ratio. Unchanged pairs without an interval come last."""
    ordered = sorted(pairs, key=lambda pair: pair.same and pair.was.low is None)
    bars = {pair.name: bar for pair in ordered if (bar := _bar(pair))}
    return tuple(bars.values())[:MOST_BARS]


def _bar(pair: Pair) -> Bar | None:
    was, now, ratio = pair.was, pair.now, pair.ratio
    if now is None or ratio is None or not was.value:
        return None
    low, high = (was.low or 0.0) / was.value, (was.high or 0.0) / was.value
    whole = 0 < low <= high
    return Bar(
        label=pair.name,
        text=f"{now.text}, {'unchanged' if pair.same else f'was {was.text}'}",
        role="memory" if pair.outside else "compute",
        emphasised=pair.outside,
        value=ratio,
        low=low if whole else None,
        high=high if whole else None,
    )


def expensive(settings: WhatChangedSettings) -> bool:
    """Return whether a quoted link is expensive, or the release has no recorded figures yet."""
    return (
        quoted.expensive(settings.quote) or ("training-compute", pinned(settings).release) not in on_record()
    )


VIEW = View(
    settings=WhatChangedSettings,
    build=build,
    expensive=expensive,
    **written.page(__file__, path="/what-changed"),
)
