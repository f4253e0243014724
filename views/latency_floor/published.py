"""Published speeds compared with the limit for the same model and chips."""

from collections.abc import Sequence

from analysis.latency_floor.enough_chips import Placed
from analysis.latency_floor.floor import Request
from analysis.latency_floor.published import PublishedSpeed, ordered, published_speed
from charts.chart import Bar
from data import sources, standing
from data.releases import Release
from views import wording, written
from views.chips.linked import NAMES, OFFERED, latencies, linked_chip, today
from views.exhibits import ValueAxis, bar_exhibit
from views.kept import kept
from views.models import architecture, slug
from views.result import Exhibit
from views.table import stated_columns


@kept
def speeds(release: Release) -> tuple[PublishedSpeed, ...]:
    """Return published speeds on chips in the release, starting with those without speculative decoding."""
    known = []
    for row in standing.table("published_speeds").to_dict("records"):
        tokens, weight_byte = float(row["context_tokens"]), float(row["weight_byte"])
        if (chip := linked_chip(row["chip"], release)) is not None:
            placed = Placed(
                name=NAMES[row["chip"]],
                chip=chip,
                model=architecture(slug(row["architecture"])),
                request=Request(context_tokens=tokens, weight_byte=weight_byte),
                today=today(row["chip"]),
            )
            known.append(published_speed(row, placed))
    return ordered(known)


def reach(speeds: Sequence[PublishedSpeed], of: str = "share") -> str:
    """Return the range of shares of the limit that published speeds reach, such as 4–78%. Empty if no share is known.

    With ``share_of_today``, shares refer to the speed with current latencies, if these are known.
    """
    shares = sorted(share for speed in speeds if not speed.may_exceed and (share := getattr(speed, of)) > 0)
    ends = dict.fromkeys(percent(share) for share in (*shares[:1], *shares[-1:]))
    return wording.interval(*ends) if len(ends) > 1 else "".join(ends)


def kind_of(chip: str) -> str:
    """Return the kind of chip behind a published speed, in the plural, such as GPUs or wafers."""
    word = next(word for word, name in NAMES.items() if name == chip)
    if "cores" in latencies(word, line="floor"):
        return "wafers"
    if OFFERED[word]["kind"] == "SRAM":
        return "Groq chips"
    if chip.startswith("TPU"):
        return "TPUs"
    return "GPUs" if OFFERED[word]["kind"] == "HBM" else "servers"


def reach_by_kind(speeds: Sequence[PublishedSpeed]) -> str:
    """Return the range of shares of the limit that each kind of chip reaches, as text: GPUs 4–78%, wafers 9–68%."""
    held = [speed for speed in speeds if not speed.may_exceed]
    kinds = dict.fromkeys(kind_of(speed.chip) for speed in held)
    return wording.listed(
        [f"{kind} {reach([one for one in held if kind_of(one.chip) == kind])}" for kind in kinds]
    )


def percent(share: float) -> str:
    """Return a share as text with two significant digits: 5.2%, 78%."""
    return wording.percent(float(f"{share:.2g}"))


def published_exhibit(release: Release, *, source: str) -> Exhibit | None:
    """Return an exhibit of published speeds as shares of their limits. None if no speed is published."""
    published = speeds(release)
    held = [speed for speed in published if not speed.may_exceed]
    if not held:
        return None
    beyond = [speed for speed in held if speed.share > 1]
    title = (
        f"{len(beyond)} of {len(held)} published speeds without speculative decoding exceed our limit"
        if beyond
        else f"{len(held)} published speeds without speculative decoding reach {reach(held)} of their limits"
    )
    columns = stated_columns(
        written.toml(__file__, name="columns.toml")["published"],
        kind=lambda speed: kind_of(speed.chip),
        chips_stated=lambda speed: "stated" if speed.chips_stated else "assumed sufficient",
        source=lambda speed: sources.address(speed.source_id),
    )
    return bar_exhibit(
        published,
        _bar,
        title=title,
        subtitle="Bars show published speeds as a share of the limit for the same model and chips: "
        f"{reach_by_kind(held)}. Speeds with speculative decoding may exceed the limit.",
        source=source,
        axis=ValueAxis(title="Share of the limit", word=lambda value: f"{100 * value:g}%", span=(0.0, 1.0)),
        columns=columns,
        section="sure",
    )


def _bar(speed: PublishedSpeed) -> Bar:
    today = f"{percent(speed.share_of_today)} of {wording.significant(speed.today)} with today's latencies"
    return Bar(
        label=f"{speed.model}, {speed.chip}{', speculative' if speed.may_exceed else ''}",
        value=speed.share,
        text=f"{percent(speed.share)} of {wording.significant(speed.at_best)}",
        detail=(today,) if speed.today > 0 else (),
        role="context" if speed.may_exceed else "memory",
    )
