"""Amounts of capacity as text, such as 69 million TB/s, and text of the finding on all chips."""

from collections.abc import Iterator
from dataclasses import dataclass

from views import wording, written
from views.fleet.answer import PUBLISHED, WINDOWS, FleetAnswer
from views.fleet.settings import OFFERS, FleetSettings


@dataclass(frozen=True, kw_only=True)
class Offered:
    """A measure of all chips: its unit, name and format, from offers.toml."""

    unit: str
    size: float
    axis: str
    verb: str
    word: str = ""
    what: str = ""
    peak: str = ""

    @property
    def axis_size(self) -> float:
        """Return the size of the axis unit in the measure's base unit."""
        return self.size if self.word == "GW" else self.size * 1e6


OFFERED = {name: Offered(**stated) for name, stated in written.toml(__file__, name="offers.toml").items()}


def amount(value: float, offers: str) -> str:
    """Return an amount as text: 69 million TB/s, 850,000 PFLOP/s, 12 GW, 23 million."""
    number = value / OFFERED[offers].size
    millions = f"{wording.significant(number / 1e6)} million"
    return f"{millions if number >= 995_000 else wording.significant(number)} {OFFERED[offers].word}".rstrip()


def headline(answer: FleetAnswer) -> str:
    """Return a headline with the combined capacity and its change in a year or, if that is unknown, its growth."""
    settings, late = answer.settings, answer.last_year
    moved = (
        f"up {wording.times(late.value).removesuffix('×')}-fold in a year"
        if late
        else f"growing {wording.times(answer.growth.value)} a year"
    )
    chips = f"{answer.brand or 'AI '}chips"
    now = amount(float(answer.total.middle()[-1]), settings.offers)
    if settings.offers == "units":
        return f"{now} {chips} {'are in use' if answer.stock else 'ship a quarter'}, {moved}"
    whose = f"{chips} in use" if answer.stock else f"Quarterly {answer.brand}shipments"
    said = f"{whose} {OFFERED[settings.offers].verb} {now}, {moved}"
    return wording.fitting(said, wording.sentence_case(said.replace("AI ", "", 1)))


def subtitle(answer: FleetAnswer, *, interval: str) -> str:
    """Return a subtitle with the vendors, the total's interval, and the kind of peak."""
    settings, rate, vendors = answer.settings, answer.growth, answer.estimates.vendors
    offered, (level, _, ends) = OFFERED[settings.offers], interval.partition(": ")
    whose = answer.brand.strip() or wording.counted_in_words(len(vendors), "vendor")
    constant = f"{wording.listed(answer.constant_vendors.vendors)}'s" if len(vendors) > 1 else "Their"
    return (
        f"In {wording.quarter(float(answer.total.end_year[-1]))}, the chips {'of' if answer.stock else 'shipped by'} "
        f"{whose} {offered.verb} {ends}{offered.what} ({level} interval). "
        f"{constant} total has grown {wording.times(rate.value)} a year since {settings.since} "
        f"({wording.factors(rate.low, rate.high)}).{f' Figures are {offered.peak}.' if offered.peak else ''}"
    )


def windows_title(answer: FleetAnswer) -> str:
    """Return a title on Epoch AI's growth rate and ours from several start years. Empty if they are not comparable."""
    rates = dict(answer.cases)
    if PUBLISHED not in rates:
        return ""
    by_window = [answer.growth, *(rates[f"Since {year}"] for year in WINDOWS if f"Since {year}" in rates)]
    low, high = (wording.times(end(rate.value for rate in by_window)) for end in (min, max))
    reported = f"Epoch AI reports that total bandwidth grew {wording.times(rates[PUBLISHED].value)} a year"
    return f"{reported}; a constant set of vendors gives {low} to {high}"


def notes(answer: FleetAnswer) -> Iterator[str]:
    """Yield sentences on the chips that are not counted."""
    if without := answer.estimates.without:
        yield f"The total excludes {wording.listed(without)}, whose data sheets do not state this quantity."
    yield f"The counts exclude {_not_yet(answer)}. The H200 is counted as an H100."


def _not_yet(answer: FleetAnswer) -> str:
    """Return text on the chips that are not counted, such as “chips of other vendors, and NVIDIA chips …”."""
    shipments = answer.estimates.shipments
    first: dict[str, int] = {}
    for maker, when in zip(shipments.maker, shipments.end_year.tolist(), strict=True):
        first[maker] = min(first.get(maker, 9999), int(when - 0.1))
    by_year = {
        year: [maker for maker in sorted(first) if first[maker] == year]
        for year in sorted(set(first.values()))
    }
    *most, last = (f"{wording.listed(own)} chips shipped before {year}" for year, own in by_year.items())
    return f"{', '.join(('chips of other vendors', *most))}, and {last}"


def settings_line(settings: FleetSettings, *, source: str) -> str:
    """Return the settings line. Some settings appear only if they differ from their default."""
    how = "in use" if settings.count == "in-use" else "shipped"
    words = {
        "retire": f"service life {settings.retire} years",
        "since": f"growth since {settings.since}",
        "level": f"{settings.level}% intervals",
    }
    others = [words[name] for name in words if getattr(settings, name) != getattr(FleetSettings, name)]
    what = "Number" if settings.offers == "units" else OFFERS[settings.offers][0]
    line = ", ".join((f"{what} of AI chips {how}, by quarter", *others))
    return f"{line}. {source}"
